/** Constant pools: the value of a key, and keys without a value. */
import { describe, expect, it } from "vitest";
import { codes, frameText, observations, read } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, type Item, type Pool, type Value } from "../../kit/jfr/jfr-builder.ts";
import { Text } from "../../kit/jfr/jfr-bytes.ts";
import { ATTRIBUTE, Constants, CPU, cpuType, event, field, JVM_TYPES, ref, WALL } from "../../kit/jfr/jfr-types.ts";

const pool = (type: string, ...entries: [bigint, Value][]): Pool => ({ type, entries });
const sampleOf = (more: Record<string, Value> = {}): Item => ({
  event: CPU,
  values: { startTime: 0n, eventThread: 0n, stackTrace: 0n, weight: 1n, spanId: 0n, localRootSpanId: 0n, ...more },
});

/** The attribute `key` of samples with these keys of AttributeValue. */
async function attributes(keys: bigint[], checkpoints: Pool[][], rest: Partial<ChunkSpec> = {}) {
  const events = keys.map((key, i) => sampleOf({ startTime: BigInt(i), key }));
  const types = [...JVM_TYPES, cpuType([ref("key", ATTRIBUTE)])];
  const items = [...events, ...checkpoints.map((checkpoint): Item => ({ checkpoint }))];
  const core = await read({ types, items, ...rest });
  return { values: observations(core).map((o) => o.attributes.key ?? null), codes: codes(core) };
}

describe("a key", () => {
  it("has its earliest value in the file", async () => {
    const { values } = await attributes(
      [1n, 2n, 3n],
      [
        [pool(ATTRIBUTE, [1n, { value: "first" }], [1n, { value: "again" }])],
        [pool(ATTRIBUTE, [2n, { value: "second" }], [1n, { value: "later" }])],
        [pool(ATTRIBUTE, [3n, { value: "third" }], [2n, { value: "later" }]), pool(ATTRIBUTE, [3n, { value: "x" }])],
      ],
    );
    expect(values).toEqual(["first", "second", "third"]);
  });

  it("without a constant is null, 0 included", async () => {
    const found = await attributes([0n, 7n, 1n << 63n], [[pool(ATTRIBUTE, [1n, { value: "a" }])]]);
    expect(found).toEqual({ values: [null, null, null], codes: [] });
  });

  it("may be 0, and have all 64 bits", async () => {
    const keys = [0n, (1n << 64n) - 1n, 1n << 63n, 1n << 42n, 0x1_0000_0001n, 1n];
    const entries = keys.map((key, i): [bigint, Value] => [key, { value: `v${i}` }]);
    expect((await attributes(keys, [[pool(ATTRIBUTE, ...entries)]])).values).toEqual(keys.map((_, i) => `v${i}`));
  });

  it("is found among thousands", async () => {
    // Spread as the profilers' are: neighbours, and multiples of a power of two.
    const keys = Array.from({ length: 3000 }, (_, i) => BigInt(i) + (i % 3 === 0 ? BigInt(i) << 40n : 1n << 20n));
    const entries = keys.map((key, i): [bigint, Value] => [key, { value: `v${i}` }]);
    const wanted = [0, 1, 2, 999, 1500, 2999];
    const { values } = await attributes(
      wanted.map((i) => keys[i]!),
      [[pool(ATTRIBUTE, ...entries)]],
    );
    expect(values).toEqual(wanted.map((i) => `v${i}`));
  });
});

describe("a pool", () => {
  it("may be empty", async () => {
    const empty = JVM_TYPES.map(({ name }) => pool(name));
    const found = await attributes([1n], [[...empty, pool(ATTRIBUTE, [1n, { value: "a" }]), pool("java.lang.String")]]);
    expect(found).toEqual({ values: ["a"], codes: [] });
  });

  it("may be there several times, as async-profiler's String pool {0: null} is", async () => {
    const none = pool("java.lang.String", [0n, null]);
    const found = await attributes([1n], [[none, none, pool(ATTRIBUTE, [1n, { value: "a" }]), none]]);
    expect(found).toEqual({ values: ["a"], codes: [] });
  });

  it("of a type without fields takes no bytes per value", async () => {
    const types = [...JVM_TYPES, { name: "odd.Empty", fields: [] }, cpuType([ref("key", ATTRIBUTE)])];
    const checkpoint = [pool("odd.Empty", [1n, {}], [2n, {}]), pool(ATTRIBUTE, [1n, { value: "a" }])];
    const core = await read({ types, items: [sampleOf({ key: 1n }), { checkpoint }] });
    expect([observations(core)[0]?.attributes.key, codes(core)]).toEqual(["a", []]);
  });

  it("that nobody asks for is stepped over, whatever it holds", async () => {
    const odd = event("odd.Thing", [
      field("texts", "java.lang.String", { array: true }),
      field("d", "double"),
      { name: "keys", type: "jdk.types.Symbol", pool: true, array: true },
      field("frame", "jdk.types.StackFrame"),
    ]);
    const frame = { method: 1n, lineNumber: -1, bytecodeIndex: 0, type: 0n };
    const value: Value = { texts: ["a", null, Text.utf16("東")], d: -0.5, keys: [1n, 1n << 63n], frame };
    for (const compressed of [true, false]) {
      const types = [...JVM_TYPES, odd, cpuType([ref("key", ATTRIBUTE)])];
      const checkpoint = [pool("odd.Thing", [1n, value], [2n, value]), pool(ATTRIBUTE, [1n, { value: "a" }])];
      const core = await read({ types, items: [sampleOf({ key: 1n }), { checkpoint }], compressed });
      expect(observations(core)[0]?.attributes.key).toBe("a");
    }
  });

  it("of a type that the metadata does not define costs the rest of its checkpoint only", async () => {
    const known = [...JVM_TYPES, cpuType([ref("key", ATTRIBUTE)])];
    const types = [...known, { name: "unknown.Type", fields: [field("x", "long")] }];
    const items: Item[] = [
      sampleOf({ startTime: 0n, key: 1n }),
      sampleOf({ startTime: 1n, key: 2n }),
      sampleOf({ startTime: 2n, key: 3n }),
      { checkpoint: [pool(ATTRIBUTE, [1n, { value: "before" }])] },
      {
        checkpoint: [
          pool(ATTRIBUTE, [2n, { value: "left of it" }]),
          pool("unknown.Type", [1n, { x: 1n }]),
          pool(ATTRIBUTE, [3n, { value: "lost" }]),
        ],
      },
      { metadata: known },
    ];
    const core = await read({ types, items });
    expect(observations(core).map((o) => o.attributes.key ?? null)).toEqual(["before", "left of it", null]);
    expect(codes(core)).toEqual(["jfr.pool.undefined"]);
  });
});

describe("strings of the pool", () => {
  const inline = (text: Value) => ({ value: text });

  it("are followed from string to string", async () => {
    const strings = pool(
      "java.lang.String",
      [1n, Text.utf16("東京")],
      [2n, Text.key(1n)],
      [3n, null],
      [4n, ""],
      [5n, Text.latin1("é")],
    );
    const values = pool(
      ATTRIBUTE,
      [1n, inline(Text.key(1n))],
      [2n, inline(Text.key(2n))],
      [3n, inline(Text.key(3n))],
      [4n, inline(Text.key(4n))],
      [5n, inline(Text.key(5n))],
      [6n, inline(Text.key(999n))],
    );
    for (const checkpoints of [[[strings], [values]], [[values, strings]]]) {
      const found = await attributes([1n, 2n, 3n, 4n, 5n, 6n], checkpoints);
      expect(found).toEqual({ values: ["東京", "東京", null, null, "é", null], codes: [] });
    }
  });

  it("that refer to each other in a circle are null", async () => {
    const strings = pool("java.lang.String", [1n, Text.key(2n)], [2n, Text.key(1n)], [3n, Text.key(3n)]);
    const values = pool(ATTRIBUTE, [1n, inline(Text.key(1n))], [2n, inline(Text.key(3n))]);
    expect((await attributes([1n, 2n], [[strings, values]])).values).toEqual([null, null]);
  });

  it("may be what an event's field refers to", async () => {
    const types = [...JVM_TYPES, cpuType([ref("endpoint", "java.lang.String"), field("inline", "java.lang.String")])];
    const items: Item[] = [
      sampleOf({ endpoint: 3n, inline: Text.key(3n) }),
      { checkpoint: [pool("java.lang.String", [3n, "GET /"])] },
    ];
    const [found] = observations(await read({ types, items }));
    expect(found?.attributes).toMatchObject({ endpoint: "GET /", inline: "GET /" });
  });
});

describe("constants that are not quite as usual", () => {
  /** Key 0 of the JDK's frame types. */
  const interpreted = pool("jdk.types.FrameType", [0n, { description: "Interpreted" }]);
  const frameOf = (method: bigint) => ({ method, lineNumber: 1, bytecodeIndex: 0, type: 0n });
  const traces = (...methods: bigint[]) =>
    pool("jdk.types.StackTrace", [1n, { truncated: false, frames: methods.map(frameOf) }]);

  it("keep the frames whose class, name or descriptor hangs in the air", async () => {
    const c = new Constants();
    const name = c.symbol("run");
    const method = (type: bigint, title: bigint) => ({
      type,
      name: title,
      descriptor: 0n,
      modifiers: 0,
      hidden: false,
    });
    const checkpoint = [
      traces(1n, 2n, 3n),
      interpreted,
      pool("jdk.types.Method", [1n, method(99n, name)], [2n, method(0n, name)], [3n, method(c.classOf("a/B"), 99n)]),
      ...c.all(),
    ];
    const core = await read({
      types: [...JVM_TYPES, cpuType()],
      items: [sampleOf({ stackTrace: 1n }), { checkpoint }],
    });
    const names = observations(core)[0]?.stack.map((f) => f.name);
    expect(names?.slice(0, 2)).toEqual(["run", "run"]);
    expect(names?.[2]).toMatch(/^a\.B/);
  });

  it("have their fields in another order, and more of them", async () => {
    const c = new Constants();
    const key = c.method({ className: "a/B", method: "run" });
    const types = JVM_TYPES.map((type) => {
      if (type.name === "jdk.types.StackFrame")
        return { ...type, fields: [field("extra", "double"), ...(type.fields ?? []).toReversed()] };
      if (type.name === "jdk.types.StackTrace")
        return { ...type, fields: [...(type.fields ?? []).toReversed(), field("more", "java.lang.String")] };
      return { ...type, fields: (type.fields ?? []).toReversed() };
    });
    const frames = [
      { ...frameOf(key), extra: 1 },
      { ...frameOf(key), lineNumber: 2, extra: 2 },
    ];
    const trace = pool("jdk.types.StackTrace", [1n, { truncated: true, frames, more: "x" }]);
    const items: Item[] = [sampleOf({ stackTrace: 1n }), { checkpoint: [...c.all(), interpreted, trace] }];
    const core = await read({ types: [...types, cpuType()], items });
    expect(observations(core)[0]?.stack.map((f) => `${f.name}:${f.line}`)).toEqual([
      "a.B.run:1",
      "a.B.run:2",
      "[truncated]:0",
    ]);
    expect(codes(core)).toEqual([]);
  });

  it("keep the sample where stack trace, thread and class have other types than expected", async () => {
    const other = event(CPU, [
      field("startTime", "long"),
      field("eventThread", "long"),
      field("stackTrace", "java.lang.String"),
      field("weight", "java.lang.String"),
      field("spanId", "java.lang.String"),
      ref("localRootSpanId", "java.lang.Thread"),
    ]);
    const values = { startTime: 5n, eventThread: 3n, stackTrace: "x", weight: "2", spanId: "1", localRootSpanId: 9n };
    const core = await read({ types: [...JVM_TYPES, other], items: [{ event: CPU, values }] });
    expect(observations(core)).toMatchObject([{ stack: [], link: null, value: 1n, time: 1_700_000_000_000_000_005n }]);
  });

  it("are told apart by their class, where two kinds of stack trace have the same key", async () => {
    const c = new Constants();
    const odd = { name: "odd.Trace", fields: [field("x", "long")] };
    const wall = { ...cpuType(), name: WALL };
    wall.fields = (wall.fields ?? []).map((f) => (f.name === "stackTrace" ? ref(f.name, odd.name) : f));
    const stackTrace = c.stack({ frames: [{ className: "a/B", method: "run" }] });
    const items: Item[] = [
      { ...sampleOf({ stackTrace }), event: WALL } as Item,
      sampleOf({ stackTrace }),
      { ...sampleOf({ stackTrace }), event: WALL } as Item,
      { checkpoint: [pool(odd.name, [stackTrace, { x: 1n }]), ...c.all()] },
    ];
    for (const types of [
      [cpuType(), wall],
      [wall, cpuType()],
    ]) {
      const core = await read({ types: [...JVM_TYPES, odd, ...types], items });
      const stacks = [...observations(core, "wall"), ...observations(core)].map((o) => o.stack.map((f) => f.name));
      expect(stacks).toEqual([[], [], ["a.B.run"]]);
    }
  });

  it("of a chunk before are not seen", async () => {
    const c = new Constants();
    const stackTrace = c.stack({ frames: [{ className: "a/B", method: "run" }] });
    const types = [...JVM_TYPES, cpuType()];
    const whole = buildChunk({ types, items: [sampleOf({ stackTrace, weight: 1n }), { checkpoint: c.all() }] });
    const bare = buildChunk({ types, items: [sampleOf({ stackTrace, weight: 2n })] });
    const core = await read(whole, bare, whole);
    const stacks = observations(core).map((o) => [o.value, ...o.stack.map(frameText)]);
    expect(stacks).toEqual([[1n, "a.B.run jvm"], [1n, "a.B.run jvm"], [2n]]);
    expect(codes(core)).toEqual([]);
  });
});
