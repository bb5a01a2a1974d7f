/** Round trip of random samples through recordings, in chunks of every layout that the format allows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codes, frameText, observations, read, stable } from "../../kit/core/read-store.ts";
import type { ChunkSpec, FieldSpec, Item, Pool, TypeSpec, Value } from "../../kit/jfr/jfr-builder.ts";
import type { Frame, Stack, Thread } from "../../kit/jfr/jfr-types.ts";
import {
  ATTRIBUTE,
  Constants,
  CPU,
  event,
  field,
  JVM_TYPES,
  ref,
  STACK,
  START,
  THREAD,
} from "../../kit/jfr/jfr-types.ts";
import type { Scalar } from "../../kit/otlp/otlp-schema.ts";

interface Sample {
  seconds: bigint;
  rest: bigint;
  stack: Stack | null;
  thread: Thread | null;
  weight: bigint;
  span: bigint;
  root: bigint;
  operation: string | null;
  tenant: string | null;
  retries: number;
  ratio: number;
  flag: boolean;
  big: bigint;
}

const u64 = fc.oneof(
  fc.constant(0n),
  fc.bigInt({ min: 1n, max: 5n }),
  fc.bigInt({ min: (1n << 64n) - 2n, max: (1n << 64n) - 1n }),
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
);
const label = fc.oneof(fc.constant(null), fc.constantFrom("", "a", "GET /", "東京 ☕🔥", "x".repeat(200)));
const frame: fc.Arbitrary<Frame> = fc.record({
  className: fc.constantFrom(null, "demo/Work", "a/b/C$D", "Ω/Ж"),
  method: fc.constantFrom("run", "<init>", "λ", "lambda$0"),
  descriptor: fc.constantFrom("()V", "(I)J"),
  line: fc.constantFrom(0, 1, 77, 200, 65_536, 0x7fff_ffff, -1),
  type: fc.constantFrom(
    "Interpreted",
    "JIT compiled",
    "Inlined",
    "C1 compiled",
    "Native",
    "C++",
    "Kernel",
    "Native (remote)",
  ),
});
const stack: fc.Arbitrary<Stack | null> = fc.option(
  fc.record({ frames: fc.array(frame, { maxLength: 9 }), truncated: fc.boolean() }),
  { freq: 9 },
);
const thread: fc.Arbitrary<Thread | null> = fc.option(
  fc.record({
    javaName: fc.constantFrom(null, "", "main", "потік"),
    javaId: fc.constantFrom(0n, 1n, 12_345_678_901n, -1n),
    osName: fc.constantFrom(null, "", "main", "G1 Conc#0"),
    osId: fc.constantFrom(0n, 4711n, -1n),
  }),
  { freq: 9 },
);
const sample: fc.Arbitrary<Sample> = fc.record({
  seconds: fc.bigInt({ min: -5000n, max: 5000n }),
  rest: fc.bigInt({ min: 0n, max: 1n << 40n }),
  stack,
  thread,
  weight: fc.bigInt({ min: 0n, max: 1n << 40n }),
  span: u64,
  root: u64,
  operation: label,
  tenant: label,
  retries: fc.constantFrom(0, 1, -1, 2_147_483_647, -2_147_483_648),
  ratio: fc.constantFrom(0, -0, 0.5, -1e300, 3),
  flag: fc.boolean(),
  big: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
});

/** Fields that no profile uses, with a value: a plan must skip all of them. */
const INNER: TypeSpec = {
  name: "noise.Inner",
  fields: [field("a", "long"), field("b", "byte"), field("c", "java.lang.String"), ref("d", "jdk.types.Symbol")],
};
const OUTER: TypeSpec = { name: "noise.Outer", fields: [field("in", "noise.Inner"), field("s", "short")] };
const inner = { a: -1n, b: -1, c: "noise", d: (1n << 64n) - 1n };
const NOISE: [Omit<FieldSpec, "name">, Value][] = [
  [{ type: "long" }, -1n],
  [{ type: "int" }, 300],
  [{ type: "char" }, 0x20ac],
  [{ type: "byte" }, 0xff],
  [{ type: "boolean" }, true],
  [{ type: "float" }, 1.5],
  [{ type: "double" }, -2.5],
  [{ type: "java.lang.String" }, null],
  [{ type: "java.lang.String" }, "täxt"],
  [{ type: "noise.Outer" }, { in: inner, s: -2 }],
  [{ type: "noise.Inner", array: true }, [inner, inner, inner]],
  [{ type: "long", array: true }, [1n, -1n, 1n << 40n]],
  [{ type: "float", array: true }, []],
  [{ type: "java.lang.String", array: true }, ["a", null, ""]],
  [{ type: "jdk.types.Symbol", pool: true, array: true }, [0n, 1n << 63n]],
  [{ type: "jdk.types.StackTrace", pool: true }, 99_999n],
];
const noise = fc.array(fc.constantFrom(...NOISE), { maxLength: 5 });

interface Layout {
  compressed: boolean;
  padding: number;
  frequency: bigint;
  startTicks: bigint;
  order: number[];
  between: [Omit<FieldSpec, "name">, Value][];
  tail: boolean;
  firstKey: bigint;
  /** Checkpoints: how many, and whether they are before, among or after the events. */
  checkpoints: number;
  place: number;
  metadata: number;
  poolsReversed: boolean;
}
const layout: fc.Arbitrary<Layout> = fc.record({
  compressed: fc.boolean(),
  padding: fc.constantFrom(1, 1, 2, 5, 9),
  frequency: fc.constantFrom(1_000_000_000n, 1_800_000_000n, 2_799_998_858n, 10_000_000n, 3n, 1n, 9_100_000_000n),
  startTicks: fc.constantFrom(0n, 495_973_576_212_160n, -7n),
  order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5, maxLength: 5 }),
  between: noise,
  tail: fc.boolean(),
  firstKey: fc.constantFrom(1n, 1n << 42n, (1n << 64n) - 1n),
  checkpoints: fc.integer({ min: 1, max: 4 }),
  place: fc.integer({ min: 0, max: 2 }),
  metadata: fc.integer({ min: 0, max: 3 }),
  poolsReversed: fc.boolean(),
});

/** Deals the constants of each pool to `n` checkpoints. */
function deal(pools: Pool[], n: number): Pool[][] {
  return Array.from({ length: n }, (_, k) =>
    pools.map(({ type, entries }) => ({ type, entries: entries.filter((_, i) => i % n === k) })),
  );
}

const floorDiv = (a: bigint, b: bigint) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
const STARTS = 1_700_000_000_000_000_000n;
const ticksOf = (s: Sample, l: Layout) => s.seconds * l.frequency + (s.rest % l.frequency);

function chunkOf(samples: Sample[], l: Layout): ChunkSpec {
  const c = new Constants(l.firstKey);
  const between = l.between.map(([spec], i): FieldSpec => ({ name: `noise${i}`, ...spec }));
  const extra = Object.fromEntries(l.between.map(([, value], i) => [`noise${i}`, value]));
  const head = [START, THREAD, STACK, field("weight", "long"), field("spanId", "long")];
  const ordered = l.order.map((i) => head[i] as FieldSpec);
  // As JMC writes them: the time may come last.
  const late = l.tail ? ordered.filter(({ name }) => name !== "weight") : [];
  const fields = [
    ...ordered.filter((f) => !late.includes(f)),
    ...between,
    field("localRootSpanId", "long"),
    ref("operation", ATTRIBUTE),
    field("tenant", "java.lang.String"),
    field("retries", "int"),
    ...late,
    field("ratio", "double"),
    field("flag", "boolean"),
    field("big", "long"),
  ];
  const noiseType = event("noise.Event", between.length === 0 ? [field("x", "int")] : between);
  const events = samples.flatMap((s): Item[] => {
    const values: Record<string, Value> = {
      ...extra,
      startTime: BigInt.asIntN(64, l.startTicks + ticksOf(s, l)),
      eventThread: c.thread(s.thread),
      stackTrace: c.stack(s.stack),
      weight: s.weight,
      spanId: s.span,
      localRootSpanId: s.root,
      operation: c.attribute(s.operation),
      tenant: s.tenant,
      retries: s.retries,
      ratio: s.ratio,
      flag: s.flag,
      big: s.big,
    };
    return [
      { event: "noise.Event", values: { ...extra, x: 1 } },
      { event: CPU, values },
    ];
  });
  const pools = l.poolsReversed ? c.all().reverse() : c.all();
  const checkpoints = deal(pools, l.checkpoints).map((checkpoint): Item => ({ checkpoint }));
  const types = [...JVM_TYPES, INNER, OUTER, noiseType, event(CPU, fields)];
  const at = [0, Math.floor(events.length / 2), events.length][l.place] ?? 0;
  const items: Item[] = [...events.slice(0, at), ...checkpoints, ...events.slice(at)];
  // Earlier metadata events know less; the header points at the last one.
  for (let i = 0; i < l.metadata; i++) items.splice(i * 2, 0, { metadata: types.slice(0, 4 + i) });
  if (l.metadata > 0) items.push({ metadata: types });
  const { compressed, padding, frequency: ticksPerSecond, startTicks } = l;
  return { types, items, compressed, padding, startNanos: STARTS, ticksPerSecond, startTicks };
}

/** The reference: the fields of a sample by the specification. */
function expected(samples: Sample[], l: Layout) {
  const kernel = samples.some((s) => s.stack?.frames.some((f) => f.type === "Kernel"));
  const frameOf = ({ className, method, line = 0, type = "" }: Frame) => {
    const native = ["C++", "Native (remote)"].includes(type) || (type === "Native" && kernel);
    const code = line > 0 ? `:${line}` : "";
    if (native || type === "Kernel") {
      return `${method}${code} ${native ? "native" : "kernel"}${className === null ? "" : ` in ${className}`}`;
    }
    return `${className === null ? "" : `${className.replaceAll("/", ".")}.`}${method}${code} jvm`;
  };
  return samples.map((s) => {
    const attributes: Record<string, Scalar> = { "profile.type": "cpu" };
    const put = (key: string, value: Scalar) => {
      if (value !== null && value !== "" && value !== 0 && value !== 0n && value !== false) attributes[key] = value;
    };
    const hex = (id: bigint) => id.toString(16).padStart(16, "0");
    put("thread.name", s.thread?.javaName || s.thread?.osName || null);
    const id = s.thread === null || s.thread.javaId > 0n ? s.thread?.javaId : s.thread.osId;
    if (id !== undefined && id > 0n) put("thread.id", id);
    put("operation", s.operation);
    put("tenant", s.tenant);
    put("retries", BigInt(s.retries));
    put("ratio", s.ratio);
    put("flag", s.flag);
    put("big", s.big);
    if (s.span !== 0n && s.root === 0n) put("span.id", hex(s.span));
    if (s.span === 0n && s.root !== 0n) put("local_root_span.id", hex(s.root));
    const linked = s.span !== 0n && s.root !== 0n;
    return {
      stack: [...(s.stack?.frames.map(frameOf) ?? []), ...(s.stack?.truncated ? ["[truncated] abort-marker"] : [])],
      attributes: Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)),
      link: linked ? { traceId: `${"0".repeat(16)}${hex(s.root)}`, spanId: hex(s.span) } : null,
      value: s.weight,
      time: STARTS + floorDiv(ticksOf(s, l) * 1_000_000_000n, l.frequency),
    };
  });
}

const sorted = (rows: unknown[]) => rows.map(stable).sort();

describe("samples of a recording", () => {
  it("come out as they were put in, whatever the layout", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 12 }), layout, async (samples, l) => {
        const core = await read(chunkOf(samples, l));
        const found = observations(core).map(({ stack, attributes, link, value, time }) => ({
          stack: stack.map(frameText),
          attributes: Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)),
          link,
          value,
          time,
        }));
        expect(sorted(found)).toEqual(sorted(expected(samples, l)));
        expect(codes(core)).toEqual(l.compressed ? [] : ["jfr.integers.fixed"]);
        expect(core.files()[0]?.chunks[0]?.events).toEqual({ [CPU]: samples.length, "noise.Event": samples.length });
      }),
      { numRuns: 300 },
    );
  });

  it("of several chunks add up, each by its own clock, types and pools", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(sample, { minLength: 1, maxLength: 4 }), layout), { minLength: 2, maxLength: 4 }),
        async (chunks) => {
          const core = await read(...chunks.map(([samples, l]) => chunkOf(samples, l)));
          const found = observations(core).map(({ value, time, link }) => ({ value, time, link }));
          const wanted = chunks
            .flatMap(([samples, l]) => expected(samples, l))
            .map(({ value, time, link }) => ({ value, time, link }));
          expect(sorted(found)).toEqual(sorted(wanted));
          const stacks = observations(core).map((o) => o.stack.map(frameText));
          expect(sorted(stacks)).toEqual(
            sorted(chunks.flatMap(([samples, l]) => expected(samples, l)).map((o) => o.stack)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
