/** jdk.OldObjectSample: objects without a size, their classes and ages, and the references that keep them. */
import { describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { emptyCore, feed, observations, read } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, type TypeSpec, type Value } from "../../kit/jfr/jfr-builder.ts";
import {
  Constants,
  event,
  field,
  JVM_TYPES,
  javaStack,
  MAIN,
  ref,
  STACK,
  START,
  THREAD,
} from "../../kit/jfr/jfr-types.ts";

const OBJECT = "jdk.types.OldObject";
const REFERENCE = "jdk.types.Reference";
const ROOT = "jdk.types.OldObjectGcRoot";

const OBJECT_TYPES: TypeSpec[] = [
  ...JVM_TYPES,
  {
    name: OBJECT,
    fields: [
      field("address", "long"),
      ref("type", "java.lang.Class"),
      field("description", "java.lang.String"),
      ref("referrer", REFERENCE),
    ],
  },
  { name: "jdk.types.OldObjectArray", fields: [field("size", "int"), field("index", "int")] },
  { name: "jdk.types.OldObjectField", fields: [field("name", "java.lang.String"), field("modifiers", "short")] },
  {
    name: REFERENCE,
    fields: [
      ref("array", "jdk.types.OldObjectArray"),
      ref("field", "jdk.types.OldObjectField"),
      ref("object", OBJECT),
      field("skip", "int"),
    ],
  },
  { name: "jdk.types.OldObjectRootSystem", fields: [field("system", "java.lang.String")], simple: true },
  { name: "jdk.types.OldObjectRootType", fields: [field("type", "java.lang.String")], simple: true },
  {
    name: ROOT,
    fields: [
      field("description", "java.lang.String"),
      ref("system", "jdk.types.OldObjectRootSystem"),
      ref("type", "jdk.types.OldObjectRootType"),
    ],
  },
];

/** A holder of the object: its class, and its field; an index is that of an array. */
type Holder = [className: string, field: string | number, description?: string];

interface OldObject {
  className: string;
  size?: bigint;
  age?: bigint;
  /** From the object on. */
  holders?: Holder[];
  /** The last holder is referred to by an object of the chain, as no JVM writes it. */
  circle?: boolean;
}

function chunk(
  objects: OldObject[],
  { sized = false, aged = false, ...rest }: Partial<ChunkSpec> & Has = {},
): ChunkSpec {
  const c = new Constants();
  const keyOf = (name: string, holders: Holder[], circle: boolean, description: string | null = null): bigint =>
    c.key(OBJECT, JSON.stringify([name, holders]), () => {
      const [first, ...others] = holders;
      return {
        address: 1n,
        type: c.classOf(name),
        description,
        referrer: first ? referenceOf(first, others, circle) : 0n,
      };
    });
  const referenceOf = ([name, at, description]: Holder, others: Holder[], circle: boolean): bigint =>
    c.key(REFERENCE, JSON.stringify([name, at, others]), () => ({
      array: typeof at === "number" ? c.key("jdk.types.OldObjectArray", `${at}`, () => ({ size: 99, index: at })) : 0n,
      field: typeof at === "string" ? c.key("jdk.types.OldObjectField", at, () => ({ name: at, modifiers: 1 })) : 0n,
      object: circle && others.length === 0 ? 1n : keyOf(name, others, circle, description ?? null),
      skip: 0,
    }));
  const root = c.key(ROOT, "root", () => ({
    description: "Thread Name: main",
    system: c.key("jdk.types.OldObjectRootSystem", "s", () => ({ system: "Threads" })),
    type: c.key("jdk.types.OldObjectRootType", "t", () => ({ type: "Stack Variable" })),
  }));
  const items = objects.map(({ className, size = 0n, age = 0n, holders = [], circle = false }) => {
    const values: Record<string, Value> = {
      startTime: 5n,
      eventThread: c.thread(MAIN),
      stackTrace: c.stack(javaStack("leaf", "root")),
      object: keyOf(className, holders, circle),
      root: holders.length > 0 ? root : 0n,
      arrayElements: -(2 ** 31),
      lastKnownHeapUsage: 12345n,
      ...(sized && { objectSize: size }),
      ...(aged && { objectAge: age }),
    };
    return { event: "jdk.OldObjectSample", values };
  });
  const fields = [
    START,
    THREAD,
    STACK,
    ...(sized ? [field("objectSize", "long", { annotation: "jdk.jfr.DataAmount", unit: "BYTES" })] : []),
    ...(aged ? [field("objectAge", "long", { unit: "MILLISECONDS" })] : []),
    field("lastKnownHeapUsage", "long"),
    ref("object", OBJECT),
    field("arrayElements", "int"),
    ref("root", ROOT),
  ];
  const types = [...OBJECT_TYPES, event("jdk.OldObjectSample", fields)];
  return { types, items: [...items, { checkpoint: c.all() }], ...rest };
}

const objectsOf = (core: Core) => observations(core, core.profiles()[0]?.otlpType);

interface Has {
  sized?: boolean;
  aged?: boolean;
}

describe("objects without a size", () => {
  it("are counted, and have no column of zeros", async () => {
    const core = await read(chunk([{ className: "[B" }, { className: "a/B" }]));
    const [profile, ...more] = core.profiles();
    expect(more).toEqual([]);
    expect(profile).toMatchObject({ type: "live-heap", unit: "count", value: 2n, samples: 2 });
    expect(profile?.measures).toEqual([expect.objectContaining({ unit: "count", value: 2n })]);
    expect(objectsOf(core).map(({ value }) => value)).toEqual([1n, 1n]);
  });

  it("are another profile than those with one", async () => {
    const core = await emptyCore();
    for (const [name, sized] of [
      ["new.jfr", true],
      ["old.jfr", false],
    ] as const) {
      core.beginFile(name, 0);
      feed(core, buildChunk(chunk([{ className: "[B", size: 48n }], { sized })).bytes);
    }
    expect(core.profiles().map(({ type, unit, value }) => [type, unit, value])).toEqual([
      ["live-heap", "bytes", 48n],
      ["live-heap:jdk.OldObjectSample", "count", 1n],
    ]);
  });

  it("of an earlier chunk count no more", async () => {
    const core = await read(chunk([{ className: "[B" }, { className: "[B" }]), chunk([{ className: "[I" }]));
    expect(core.profiles()[0]).toMatchObject({ value: 1n, samples: 1 });
  });
});

describe("an object", () => {
  it("has its class by the name of an allocation, and its age", async () => {
    const core = await read(
      chunk(
        [
          { className: "[B", age: 7n },
          { className: "[[Ljava/lang/String;" },
          { className: "java/util/HashMap$Node", age: 9n },
        ],
        { sized: true, aged: true },
      ),
    );
    expect(objectsOf(core).map(({ attributes }) => [attributes["alloc.class"], attributes["object.age"]])).toEqual([
      ["byte[]", 7_000_000n],
      ["java.lang.String[][]", undefined],
      ["java.util.HashMap$Node", 9_000_000n],
    ]);
  });

  it("has the references that keep it, the root first, without indices and nodes in a row", async () => {
    const node: Holder = ["java/util/LinkedList$Node", "next"];
    const core = await read(
      chunk([
        {
          className: "[B",
          holders: [
            ["a/Session", "data"],
            ["[Ljava/lang/Object;", 7],
            ["java/util/ArrayList", "elementData"],
            ["java/lang/Class", "KEPT", "Class Name: a.Leak"],
          ],
        },
        {
          className: "a/B",
          holders: [["java/util/LinkedList$Node", "item"], node, node, node, ["java/util/LinkedList", "first"]],
        },
        { className: "a/C" },
      ]),
    );
    expect(objectsOf(core).map(({ attributes }) => attributes["gc.root.path"])).toEqual([
      "a.Leak.KEPT → java.util.ArrayList.elementData → java.lang.Object[] → a.Session.data",
      "java.util.LinkedList.first → java.util.LinkedList$Node.next → java.util.LinkedList$Node.item",
      undefined,
    ]);
    const [{ attributes } = { attributes: {} }] = objectsOf(core);
    expect(attributes).toMatchObject({
      "gc.root": "Thread Name: main",
      "gc.root.type": "Stack Variable",
      "gc.root.system": "Threads",
    });
  });

  it("of a circle of references has a path that ends", async () => {
    const holders: Holder[] = [
      ["a/B", "x"],
      ["a/C", "y"],
    ];
    const core = await read(chunk([{ className: "[B", holders, circle: true }]));
    const path = objectsOf(core)[0]?.attributes["gc.root.path"];
    expect(path).toMatch(/^\S+ → /);
    expect(`${path}`.length).toBeLessThan(5000);
  });
});
