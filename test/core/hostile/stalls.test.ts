/**
 * Small recordings that made earlier versions work for minutes: as many checkpoints as damaged events, classes of many
 * empty fields, one long text for many keys. Each would outlast the tests' time limit; steps are counted where there
 * are any.
 */
import { describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { addEventType } from "../../../src/core/reading/chunk-report.ts";
import type { EventType } from "../../../src/core/types.ts";
import { codes, emptyCore, observations, read } from "../../kit/core/read-store.ts";
import { buildChunk, FIRST_TYPE, type Item, type Pool, type TypeSpec, type Value } from "../../kit/jfr/jfr-builder.ts";
import { Out } from "../../kit/jfr/jfr-bytes.ts";
import { ATTRIBUTE, CPU, cpuType, event, field, JVM_TYPES, ref } from "../../kit/jfr/jfr-types.ts";

const LONG = "x".repeat(1 << 20);
const EVENT = { startTime: 0n, eventThread: 0n, stackTrace: 0n, weight: 1n, spanId: 0n, localRootSpanId: 0n };
const sample = (more: Record<string, Value> = {}): Item => ({ event: CPU, values: { ...EVENT, ...more } });
const range = (n: number) => Array.from({ length: n }, (_, i) => BigInt(i + 1));

/** Reads in slices of `budget` bytes; the steps it took and the most bytes that one of them went on. */
function slices(core: Core, bytes: Uint8Array, budget: number): { steps: number; longest: number } {
  core.beginFile("a.jfr", bytes.length);
  core.reserve(bytes.length);
  core.input(bytes.length).set(bytes);
  const summary = { version: "2.1", bytes: bytes.length, startUnixNano: 0n, durationNano: 0n };
  let status = core.openChunk(bytes.length, 0, summary);
  let steps = 0;
  let longest = 0;
  while (status === "more") {
    const before = core.bytesLeft();
    status = core.step(budget);
    longest = Math.max(longest, before - core.bytesLeft());
    steps++;
  }
  core.close();
  return { steps, longest };
}

/** From one checkpoint of `damagedEvents` to the next. */
const STRIDE = 24;

/** A chunk with `n` times a checkpoint without pools and an event of no bytes after it, and a sample at the end. */
function damagedEvents(n: number): Uint8Array {
  const { bytes, offsets } = buildChunk({ types: [...JVM_TYPES, cpuType()], items: [sample()] });
  const rest = bytes.subarray(offsets[0]);
  const end = 68 + STRIDE * n;
  const out = new Uint8Array(end + rest.length);
  out.set(bytes.subarray(0, 68));
  for (let i = 0; i < n; i++) {
    const delta = i === 0 ? 0n : BigInt(-STRIDE);
    out.set(new Out().sized(new Out().long(1n).long(0n).long(0n).long(delta).byte(0).int(0)).bytes, 68 + STRIDE * i);
  }
  out.set(rest, end);
  const view = new DataView(out.buffer);
  view.setBigUint64(8, BigInt(out.length));
  view.setBigUint64(16, BigInt(end - STRIDE));
  view.setBigUint64(24, BigInt(end + (offsets[1] ?? 0) - (offsets[0] ?? 0)));
  return out;
}

describe("damaged events between checkpoints", () => {
  it("are skipped one by one, and a slice ends at its budget", async () => {
    const n = 500_000;
    const bytes = damagedEvents(n);
    const core = await emptyCore();
    const budget = 1 << 16;
    const { steps, longest } = slices(core, bytes, budget);
    expect(codes(core)).toEqual(["jfr.event.size"]);
    expect(core.diagnostics()[0]?.offset).toBe(68 + ((bytes[68] ?? 0) & 0x7f));
    expect(longest).toBeLessThan(budget + 64);
    // Pools: 64 beside the bytes of each checkpoint. Events: by their bytes.
    expect(steps).toBeGreaterThan((n * 64) / budget);
    expect(steps).toBeLessThan((2 * n * (64 + 2 * STRIDE)) / budget);
  });

  it("do not cost the events after the last checkpoint that can be read", async () => {
    const bytes = damagedEvents(3);
    // An event that is not read takes the place of the damaged one.
    const at = 68 + 2 * STRIDE;
    const size = (bytes[at] ?? 0) & 0x7f;
    bytes[at + size] = STRIDE - size;
    expect(observations(await read(bytes))).toHaveLength(1);
  });
});

describe("costly events", () => {
  it("end a slice before its bytes do", async () => {
    const depth = 9;
    const odd = range(depth).map((i): TypeSpec => {
      const next = i < depth ? `odd.T${i + 1n}` : "odd.Nothing";
      return { name: `odd.T${i}`, fields: range(4).map((k) => field(`f${k}`, next)) };
    });
    odd.push({ name: "odd.Nothing", fields: [field("n", "odd.Empty")] }, { name: "odd.Empty", fields: [] });
    const type = event(CPU, [field("odd", "odd.T1"), field("weight", "long")]);
    const items = Array.from({ length: 8 }, (): Item => ({ raw: [4, 0xe8, 0x07, 1] }));
    const { bytes } = buildChunk({ types: [...JVM_TYPES, ...odd, { ...type, id: 1000n }], items });
    const core = await emptyCore();
    // Each event costs some 4⁹ operations, as much as 16 KiB may: the slices have an event each.
    expect(slices(core, bytes, 1 << 14).steps).toBeGreaterThan(8);
    expect(core.samples()).toBe(8);
    expect(codes(core)).toEqual([]);
  });
});

describe("a class with many fields that take no bytes", () => {
  const FIELDS = 20_000;
  const none = Array.from({ length: FIELDS }, () => field("f", "odd.Empty"));
  const empty: TypeSpec = { name: "odd.Empty", fields: [] };

  /**
   * The chunk with those fields before the ones of some types. The items, of which the last is a checkpoint, stay as
   * they are.
   */
  function widened(types: TypeSpec[], items: Item[], names: string[]): Uint8Array {
    const { bytes, offsets } = buildChunk({ types: [...types, empty], items });
    const wide = types.map((type) =>
      names.includes(type.name) ? { ...type, fields: [...none, ...(type.fields ?? [])] } : type,
    );
    const raw = bytes.subarray(68, offsets[items.length]);
    const poolOffset = BigInt(offsets[items.length - 1] ?? 0);
    return buildChunk({ types: [...wide, empty], items: [{ raw }], poolOffset }).bytes;
  }

  it("costs its methods nothing but their own bytes", async () => {
    const n = 20_000;
    const method = { type: 1n, name: 1n, descriptor: 0n, modifiers: 0, hidden: false };
    const frame = (key: bigint) => ({ method: key, lineNumber: 1, bytecodeIndex: 0, type: 1n });
    const symbols = ["run", "Demo"].map((string, i): [bigint, Value] => [BigInt(i + 1), { string }]);
    const pools: Pool[] = [
      { type: "jdk.types.StackTrace", entries: [[1n, { truncated: false, frames: range(n).map(frame) }]] },
      { type: "jdk.types.FrameType", entries: [[1n, { description: "Interpreted" }]] },
      { type: "java.lang.Class", entries: [[1n, { name: 2n, modifiers: 0 }]] },
      { type: "jdk.types.Symbol", entries: symbols },
      { type: "jdk.types.Method", entries: range(n).map((key): [bigint, Value] => [key, method]) },
    ];
    const items = [sample({ stackTrace: 1n }), { checkpoint: pools }];
    const bytes = widened([...JVM_TYPES, cpuType()], items, ["jdk.types.Method", "java.lang.Class"]);
    const core = await read(bytes);
    expect(codes(core)).toEqual([]);
    expect(observations(core)[0]?.stack).toHaveLength(n);
  });

  it("costs its attributes nothing but their own bytes", async () => {
    const n = 20_000;
    const odd: TypeSpec = { name: "odd.Value", fields: [field("value", "java.lang.String")] };
    const entries = range(n).map((key): [bigint, Value] => [key, { value: `v${key}` }]);
    const items = [...range(n).map((key) => sample({ key })), { checkpoint: [{ type: "odd.Value", entries }] }];
    const bytes = widened([...JVM_TYPES, odd, cpuType([ref("key", "odd.Value")])], items, ["odd.Value"]);
    const core = await read(bytes);
    expect(codes(core)).toEqual([]);
    expect(new Set(observations(core).map(({ attributes }) => attributes.key)).size).toBe(n);
  });
});

describe("one long text for many keys", () => {
  const N = 100_000;

  it("is taken once for attributes", async () => {
    const { bytes } = buildChunk({
      types: [...JVM_TYPES, { name: "odd.Ref", fields: [ref("name", ATTRIBUTE)] }, cpuType([ref("key", "odd.Ref")])],
      items: [
        ...range(N).map((key) => sample({ key })),
        {
          checkpoint: [
            { type: "odd.Ref", entries: range(N).map((key): [bigint, Value] => [key, { name: 1n }]) },
            { type: ATTRIBUTE, entries: [[1n, { value: LONG }]] },
          ],
        },
      ],
    });
    const core = await read(bytes);
    expect(codes(core)).toEqual([]);
    expect(core.samples()).toBe(N);
    expect(core.attributeKeys()).toEqual(["key"]);
    core.select(core.profiles()[0]?.id ?? 0, {});
    expect(core.views.rank({ kind: "attribute", key: "key" }, 0, 5).rows).toMatchObject([{ samples: N, label: LONG }]);
  });

  it("is taken once for threads and settings", async () => {
    const threads = { osName: ref("osName", "jdk.types.Symbol"), java: ref("javaName", "jdk.types.Symbol") };
    const types = JVM_TYPES.map((type) =>
      type.name === "java.lang.Thread"
        ? {
            ...type,
            fields: [threads.osName, field("osThreadId", "long"), threads.java, field("javaThreadId", "long")],
          }
        : type,
    );
    const setting = event("jdk.ActiveSetting", [
      field("id", "long"),
      ref("name", "jdk.types.Symbol"),
      ref("value", "jdk.types.Symbol"),
    ]);
    const n = 30_000;
    const { bytes } = buildChunk({
      types: [...types, setting, cpuType()],
      items: [
        ...range(n).map((key): Item => sample({ eventThread: key })),
        ...range(n).map((id): Item => ({ event: "jdk.ActiveSetting", values: { id, name: 1n, value: 1n } })),
        {
          checkpoint: [
            {
              type: "java.lang.Thread",
              entries: range(n).map((id): [bigint, Value] => [
                id,
                { osName: 0n, osThreadId: id, javaName: 1n, javaThreadId: id },
              ]),
            },
            { type: "jdk.types.Symbol", entries: [[1n, { string: LONG }]] },
          ],
        },
      ],
    });
    const core = await read(bytes);
    expect(codes(core)).toEqual([]);
    expect(core.profiles()[0]?.threads).toBe(n);
    expect(core.settings()[0]?.name).toHaveLength(LONG.length);
  });

  it("is charged where each key makes a separate name of it", async () => {
    const n = 20_000;
    const method = (key: bigint): [bigint, Value] => [
      key,
      { type: 1n, name: key, descriptor: 0n, modifiers: 0, hidden: false },
    ];
    const frames = range(n).map((key) => ({ method: key, lineNumber: 1, bytecodeIndex: 0, type: 0n }));
    const { bytes } = buildChunk({
      types: [...JVM_TYPES, cpuType()],
      items: [
        sample({ stackTrace: 1n }),
        sample({ startTime: 5n }),
        {
          checkpoint: [
            { type: "jdk.types.StackTrace", entries: [[1n, { truncated: false, frames }]] },
            { type: "java.lang.Class", entries: [[1n, { name: 1n, modifiers: 0 }]] },
            {
              type: "jdk.types.Symbol",
              entries: range(n).map((key): [bigint, Value] => [key, { string: key === 1n ? LONG : `m${key}` }]),
            },
            { type: "jdk.types.Method", entries: range(n).map(method) },
          ],
        },
      ],
    });
    const core = await read(bytes);
    // The stack is kept with the names that there was fuel for; the data after it is lost, and reported.
    expect(codes(core)).toEqual(["jfr.too-complex"]);
    expect(core.samples()).toBe(1);
    expect(core.bytesHeld()).toBeLessThan(1 << 30);
  });
});

describe("one long name", () => {
  it("of many fields is charged, in the plan and in the report", async () => {
    const fields = Array.from({ length: 20_000 }, () => field(LONG, "long"));
    const core = await read({ types: [...JVM_TYPES, cpuType(fields)], items: [sample({ [LONG]: 1n })] });
    expect(codes(core)).toEqual(["jfr.context.many", "jfr.too-complex"]);
    expect(core.samples()).toBe(1);
    expect(core.bytesHeld()).toBeLessThan(1 << 30);
  });
});

describe("class ids", () => {
  it("that all types share are found at once", async () => {
    const odd = range(60_000).map((i): TypeSpec => ({ name: "odd.T", id: 1_000_000n + (i % 2n) }));
    const out = new Out().long(0n).long(0n).long(0n).long(1n);
    const strings = ["root", "class", "id", "name", "odd.T", "1000000"];
    out.int(strings.length);
    for (const text of strings) out.text(text);
    out
      .int(0)
      .int(0)
      .int(odd.length * 10);
    for (let i = 0; i < odd.length * 10; i++) out.int(1).int(2).int(2).int(5).int(3).int(4).int(0);
    const raw = new Out().sized(out).bytes;
    const { bytes } = buildChunk({ types: [], items: [{ raw }], metadataOffset: 68n, bare: true });
    expect(codes(await read(bytes))).toEqual([]);
  });
});

describe("work beside the bytes", () => {
  it("is limited for all chunks together", async () => {
    const depth = 19;
    const twice = (type: string) => [field("a", type), field("b", type)];
    const types: TypeSpec[] = [
      { name: "t.Empty" },
      { name: "t.0", fields: [field("a", "t.Empty")] },
      ...range(depth).map((i): TypeSpec => ({ name: `t.${i}`, fields: twice(`t.${i - 1n}`) })),
    ];
    let nested: Value = { a: {} };
    for (let i = 0; i < depth; i++) nested = { a: nested, b: nested };
    const chunk = buildChunk({
      types: [...JVM_TYPES, ...types, cpuType([field("nested", `t.${depth}`)])],
      items: [sample({ nested })],
    });
    const n = 100;
    const core = await read(...Array.from({ length: n }, () => chunk));
    expect(core.samples()).toBeGreaterThan(10);
    expect(core.samples()).toBeLessThan(n);
    expect(codes(core)).toContain("jfr.too-complex");
  });

  it("is charged for a trace that is decoded for each event, as its constant is a text, too", async () => {
    const types = JVM_TYPES.map((type) =>
      type.name === "jdk.types.StackTrace"
        ? { ...type, fields: (type.fields ?? []).concat(field("name", "java.lang.String")) }
        : type,
    );
    const trace = ref("name", "jdk.types.StackTrace");
    const setting = event("jdk.ActiveSetting", [field("id", "long"), trace, { ...trace, name: "value" }]);
    const frame = { method: 1n, lineNumber: 1, bytecodeIndex: 0, type: 0n };
    const frames = Array.from({ length: 65_000 }, () => frame);
    const n = 300;
    const core = await read({
      types: [...types, setting, cpuType()],
      items: [
        ...range(n).flatMap((): Item[] => [
          sample({ stackTrace: 1n }),
          { event: "jdk.ActiveSetting", values: { id: 0n, name: 1n, value: 1n } },
        ]),
        { checkpoint: [{ type: "jdk.types.StackTrace", entries: [[1n, { truncated: false, frames, name: "x" }]] }] },
      ],
    });
    expect(codes(core)).toEqual(["jfr.too-complex"]);
    expect(core.samples()).toBeGreaterThan(0);
    expect(core.samples()).toBeLessThan(n / 2);
  });

  it("is charged for the fields of one class that many events refer to", async () => {
    const strings = ["root", "class", "id", "name", "t.Trace", "200", "field", "a", "long", "201", CPU, "300"];
    strings.push("stackTrace", "constantPool", "true");
    const at = (text: string) => strings.indexOf(text);
    const n = 20_000;
    const out = new Out().long(0n).long(0n).long(0n).long(1n).int(strings.length);
    for (const text of strings) out.text(text);
    const type = (name: string, id: string, fields: number) =>
      out.int(at("class")).int(2).int(at("name")).int(at(name)).int(at("id")).int(at(id)).int(fields);
    out
      .int(0)
      .int(0)
      .int(n + 2);
    type("long", "201", 0);
    type("t.Trace", "200", n);
    for (let i = 0; i < n; i++)
      out.int(at("field")).int(2).int(at("name")).int(at("a")).int(at("class")).int(at("201")).int(0);
    for (let i = 0; i < n; i++) {
      type(CPU, "300", 1).int(at("field")).int(3).int(at("name")).int(at("stackTrace"));
      out.int(at("class")).int(at("200")).int(at("constantPool")).int(at("true")).int(0);
    }
    const raw = new Out().sized(out).bytes;
    const core = await read(buildChunk({ types: [], items: [{ raw }], metadataOffset: 68n, bare: true }));
    expect(codes(core)).toEqual(["jfr.too-complex"]);
  });

  it("is not done for a setting that is too long for an amount", async () => {
    const setting = event("jdk.ActiveSetting", [
      field("id", "long"),
      field("name", "java.lang.String"),
      ref("value", "jdk.types.Symbol"),
    ]);
    const types = [...JVM_TYPES, event("jdk.ExecutionSample", [field("startTime", "long")])];
    const id = BigInt(FIRST_TYPE + types.length - 1);
    const core = await read({
      types: [...types, setting],
      items: [
        ...range(100_000).map((): Item => ({ event: "jdk.ActiveSetting", values: { id, name: "period", value: 1n } })),
        { event: "jdk.ExecutionSample", values: { startTime: 0n } },
        { checkpoint: [{ type: "jdk.types.Symbol", entries: [[1n, { string: `7${" ".repeat(1 << 20)}` }]] }] },
      ],
    });
    expect(core.settings()[0]?.event).toBe("jdk.ExecutionSample");
    expect(core.profiles()[0]?.period).toBe(0n);
  });
});

describe("names that are too long for a hash", () => {
  it("of event types are not reported", async () => {
    const named = (end: string) => event(`${"x".repeat(20_000)}${end}`, [field("startTime", "long")]);
    const types = range(2).map((i) => named(String(i + 10_000n)));
    const items = ["short", ...types.map(({ name }) => name)].map(
      (name): Item => ({ event: name, values: { startTime: 0n } }),
    );
    const core = await read({ types: [...types, event("short", [field("startTime", "long")])], items });
    expect(codes(core)).toEqual(["jfr.too-complex"]);
    expect(core.files()[0]?.chunks[0]?.events).toEqual({ short: 1 });
  });
});

describe("an event", () => {
  it("may be called like a property that every object has", async () => {
    const names = ["constructor", "__proto__", "toString"];
    const core = await read({
      types: names.map((name) => event(name, [field("startTime", "long")])),
      items: names.map((name): Item => ({ event: name, values: { startTime: 0n } })),
    });
    expect(Object.entries(core.files()[0]?.chunks[0]?.events ?? {}).sort()).toEqual([
      ["__proto__", 1],
      ["constructor", 1],
      ["toString", 1],
    ]);
  });

  it("may have a hundred thousand numbers in each of two chunks", async () => {
    const names = range(100_000).map((i) => `field number ${i}`);
    const report = { event: "odd.Numbers", count: 1, stack: false, contextual: false, contextFields: [] };
    const kinds = new Map<string, EventType>();
    for (let i = 0; i < 10; i++) addEventType(kinds, { ...report, fields: [...names, `only ${i}`] });
    expect(kinds.get("odd.Numbers")?.count).toBe(10);
    expect(kinds.get("odd.Numbers")?.fields).toHaveLength(names.length + 10);
  });
});
