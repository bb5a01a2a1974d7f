/**
 * Recordings made to hurt a reader, and sound ones with flipped bits: no trap, no endless loop, always a sound message.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore, message, observations, stable } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, FIRST_TYPE, type Item, type TypeSpec } from "../../kit/jfr/jfr-builder.ts";
import { concat, Out, Text } from "../../kit/jfr/jfr-bytes.ts";
import { CPU, type CpuSample, cpuChunk, cpuType, event, field, JVM_TYPES, ref } from "../../kit/jfr/jfr-types.ts";

const SAMPLES: CpuSample[] = [{ weight: 7001n }, { weight: 7002n, span: 3n, root: 4n }];

async function open(...parts: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "a.jfr", source: bytesSource(concat(...parts)) }]);
  message(core);
  return core;
}

const built = (spec: ChunkSpec) => buildChunk(spec).bytes;
const good = built(cpuChunk(SAMPLES));

/** Whatever the hostile chunk does, the sound one after it is read. */
async function besides(hostile: Uint8Array): Promise<string[]> {
  const core = await open(hostile, good);
  const values = observations(core).map(({ value }) => value);
  expect([7001n, 7002n].filter((value) => values.includes(value))).toEqual([7001n, 7002n]);
  return codes(core);
}

/** A chunk whose metadata event has this body. */
function withMetadata(body: (out: Out) => void): Uint8Array {
  const out = new Out().long(0n).long(0n).long(0n).long(1n);
  body(out);
  const bytes = new Out().sized(out).bytes;
  return built({ types: [], items: [{ raw: bytes }], metadataOffset: 68n, bare: true });
}

describe("metadata", () => {
  it.each<[string, (out: Out) => void]>([
    ["2³²−1 strings", (out) => out.int(-1)],
    ["more strings than bytes", (out) => out.int(1000).text("a")],
    [
      "a string longer than the chunk",
      (out) =>
        out
          .int(1)
          .byte(3)
          .int(1 << 30),
    ],
    ["a string of an unknown encoding", (out) => out.int(1).byte(9).int(1)],
    ["a string that is a key", (out) => out.int(1).byte(2).int(1).int(0).int(0).int(0)],
    ["no root", (out) => out.int(1).text("root")],
    ["2³²−1 attributes", (out) => out.int(1).text("root").int(0).int(-1)],
    ["2³²−1 children", (out) => out.int(1).text("root").int(0).int(0).int(-1).int(0)],
    [
      "children without end",
      (out) => {
        out.int(1).text("class");
        for (let i = 0; i < 100_000; i++) out.int(0).int(0).int(1);
      },
    ],
  ])("with %s is refused", async (_, body) => {
    expect(await besides(withMetadata(body))).toEqual(["jfr.metadata.damaged"]);
  });

  it("with indices beyond its strings, fields without a class and classes without a name is read", async () => {
    const hostile = withMetadata((out) => {
      out.int(6);
      for (const text of ["root", "class", "field", "id", "99", null]) out.text(text);
      const element = (name: number, attributes: number[], children: number) => {
        out.int(name).int(attributes.length / 2);
        for (const index of attributes) out.int(index);
        out.int(children);
      };
      element(0, [99, 99, -1, -1], 4);
      element(2, [3, 4], 0);
      element(1, [3, 4], 1);
      element(2, [5, 5, 3, 99], 0);
      element(99, [], 0);
      element(1, [], 0);
    });
    expect(await besides(hostile)).toEqual([]);
  });

  it("that gives one id to two types takes one of them", async () => {
    const twice: TypeSpec = { name: "odd.Twice", id: 500n, fields: [field("x", "long")] };
    const spec = cpuChunk(SAMPLES);
    spec.types = spec.types.map((type) => (type.name === CPU ? { ...type, id: 500n } : type));
    await besides(built({ ...spec, types: [twice, ...spec.types] }));
    await besides(built({ ...spec, types: [...spec.types, twice] }));
  });

  it("with ids that are no numbers, or huge, is read", async () => {
    const odd = ["", "-1", "x", "18446744073709551615", "99999999999999999999999", "0", "1"];
    const types = odd.map((id, i): TypeSpec => ({ name: `odd.T${i}`, id, fields: [field("x", "long")] }));
    await besides(built({ types, items: [] }));
  });
});

describe("types", () => {
  const sample = (values: object): Item => ({ event: CPU, values: { ...values } as Record<string, never> });
  const raw: Item = { raw: [12, 0xe8, 0x07, 1, 2, 3, 4, 5, 6, 7, 8, 9] };

  it.each<[string, TypeSpec[]]>([
    ["itself", [{ name: "odd.A", fields: [field("a", "odd.A")] }]],
    ["itself, as an array", [{ name: "odd.A", fields: [field("a", "odd.A", { array: true })] }]],
    [
      "each other",
      [
        { name: "odd.A", fields: [field("x", "long"), field("b", "odd.B")] },
        { name: "odd.B", fields: [field("a", "odd.A")] },
      ],
    ],
    ["nothing", [{ name: "odd.A", fields: [] }]],
    ["a type that is not there", [{ name: "odd.A", fields: [field("x", "no.Such")] }]],
    [
      "a long that has fields",
      [
        { name: "odd.A", fields: [field("l", "long")] },
        { name: "long", fields: [field("a", "odd.A")] },
      ],
    ],
  ])("that hold %s do no harm, in events and in pools", async (_, odd) => {
    const type = event(CPU, [
      field("startTime", "long"),
      field("odd", "odd.A"),
      field("weight", "long"),
      field("spanId", "long"),
    ]);
    const types = [...JVM_TYPES, ...odd, { ...type, id: 1000n }];
    const pools = new Out()
      .long(1n)
      .long(0n)
      .long(0n)
      .long(0n)
      .byte(0)
      .int(1)
      .long(118n)
      .int(3)
      .raw([1, 2, 3, 4, 5, 6, 7, 8]);
    const checkpoint: Item = { raw: new Out().sized(pools).bytes };
    await besides(built({ types, items: [raw, checkpoint, raw], poolOffset: 80n }));
  });

  it("that double with every level are given up", async () => {
    const depth = 30;
    const odd = Array.from({ length: depth }, (_, i): TypeSpec => {
      const next = i + 1 < depth ? `odd.T${i + 1}` : "long";
      return {
        name: `odd.T${i}`,
        fields: Array.from({ length: 8 }, (_, k) => field(`f${k}`, next, { array: k === 0 && i > 5 })),
      };
    });
    // The last level takes no bytes, so nothing but patience bounds the walk.
    odd.push({ name: "odd.Nothing", fields: [] });
    odd[depth - 1]!.fields = [field("n", "odd.Nothing")];
    const type = event(CPU, [field("startTime", "long"), field("odd", "odd.T0"), field("weight", "long")]);
    const types = [...JVM_TYPES, ...odd, { ...type, id: 1000n }];
    expect(await besides(built({ types, items: Array<Item>(50).fill(raw) }))).toEqual([
      expect.stringMatching(/too-complex|short/),
    ]);
  });

  it("of which there are very many are read", async () => {
    const many = Array.from(
      { length: 3000 },
      (_, i): TypeSpec => ({ name: `odd.T${i}`, id: BigInt(i) * 1_000_003n + 200n }),
    );
    const core = await open(built({ ...cpuChunk(SAMPLES), types: [...JVM_TYPES, cpuType(), ...many] }));
    expect(observations(core)).toHaveLength(2);
  });

  it("with hundreds of fields are read", async () => {
    const fields = Array.from({ length: 400 }, (_, i) => field(`f${i}`, "long"));
    const values = Object.fromEntries(fields.map(({ name }, i) => [name, BigInt(i)]));
    const type = event(CPU, [...fields, field("weight", "long"), field("startTime", "long")]);
    const core = await open(
      built({ types: [...JVM_TYPES, type], items: [sample({ ...values, weight: 77n, startTime: 5n })] }),
    );
    expect(observations(core)).toMatchObject([{ value: 77n, time: 1_700_000_000_000_000_005n }]);
  });

  it("whose arrays claim more elements than there are bytes are short", async () => {
    for (const pool of [true, false]) {
      const type = {
        ...event(CPU, [{ name: "a", type: "long", array: true, pool }, field("weight", "long")]),
        id: 1000n,
      };
      for (const count of [
        [0xff, 0xff, 0xff, 0xff, 0x0f],
        [0xff, 0x7f],
      ]) {
        const item: Item = { raw: [3 + count.length + 2, 0xe8, 0x07, ...count, 1, 1] };
        expect(await besides(built({ types: [...JVM_TYPES, type], items: [item] }))).toEqual(["jfr.event.short"]);
      }
    }
  });
});

describe("constants", () => {
  it("that refer to themselves, to each other, or are a stack without end do no harm", async () => {
    const loop: TypeSpec = { name: "odd.Loop", fields: [ref("name", "odd.Loop")] };
    const spec = cpuChunk([{ weight: 9n, stack: null, more: { a: 1n, b: 3n } }], {}, [
      ref("a", "odd.Loop"),
      ref("b", "java.lang.String"),
    ]);
    spec.types.push(loop);
    spec.items.push({
      checkpoint: [
        {
          type: "odd.Loop",
          entries: [
            [1n, { name: 2n }],
            [2n, { name: 1n }],
          ],
        },
        { type: "java.lang.String", entries: [[3n, Text.key(3n)]] },
      ],
    });
    expect(await besides(built(spec))).toEqual([]);
  });

  it.each([[0xff, 0xff, 0xff, 0xff, 0x0f], [0xff, 0xff, 0x7f], [0x40]].map((count) => [count]))(
    "with a count of %j frames lose their stack only",
    async (count) => {
      const types = [...JVM_TYPES, cpuType()];
      const trace = [1, 0, ...count, 1, 1, 1, 1];
      const at = FIRST_TYPE + JVM_TYPES.findIndex((type) => type.name === "jdk.types.StackTrace");
      const body = new Out().long(1n).long(0n).long(0n).long(0n).byte(0).int(1).long(BigInt(at)).int(1).raw(trace);
      const values = { startTime: 0n, eventThread: 0n, stackTrace: 1n, weight: 9n, spanId: 0n, localRootSpanId: 0n };
      const bytes = built({
        types,
        items: [{ raw: new Out().sized(body).bytes }, { event: CPU, values }],
        poolOffset: 68n,
      });
      expect(await besides(bytes)).toEqual(["jfr.checkpoint.damaged"]);
    },
  );
});

describe("flipped bits", () => {
  /** A generator of numbers below 2³², the same in every run. */
  function random(seed: number): (below: number) => number {
    let state = seed >>> 0;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  const answers = (core: Core) => {
    const text = stable([core.files().map(({ chunks }) => chunks), core.profiles(), message(core)]);
    for (const { id } of core.profiles()) {
      core.select(id, {});
      core.views.rank({ kind: "span" }, 0, 5);
      core.views.rank({ kind: "local-root" }, 0, 5);
      core.views.top("self", 0, 5);
      core.views.frames({ focus: 0, width: 1000 });
    }
    for (const key of core.attributeKeys()) core.views.rank({ kind: "attribute", key }, 0, 3);
    return text;
  };

  it.each([
    ["a built chunk", good, 300, 1],
    ["shop.jfr", readFileSync(new URL("../../../fixtures/shop.jfr", import.meta.url)), 120, 7],
    ["dd152", readFileSync(new URL("../../../fixtures/recorded/dd152-jdk17-all.jfr", import.meta.url)), 60, 11],
  ] as const)(
    "in %s: a diagnostic, or another content, but never a trap",
    async (_, file, rounds, seed) => {
      const whole = new Uint8Array(file);
      const sound = answers(await open(whole));
      const below = random(seed);
      let noticed = 0;
      for (let round = 0; round < rounds; round++) {
        const bytes = whole.slice();
        // Half of the time in the header or near the end, where the counts and offsets are.
        const flips = 1 + below(4);
        for (let i = 0; i < flips; i++) {
          const at = round % 4 === 0 ? below(Math.min(bytes.length, 4096)) : below(bytes.length);
          if (round % 3 === 0) bytes[at] = [0, 0xff, 0x7f, 0x80][below(4)] ?? 0;
          else bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        }
        const core = await open(bytes);
        if (answers(core) !== sound || core.diagnostics().length > 0) noticed++;
      }
      expect(noticed).toBeGreaterThan(0);
    },
    60_000,
  );
});
