/**
 * The fuzzer of inferred context (docs/fuzzing.md): damaged recordings with scopes of all forms, read with inference,
 * beside a trace file that may be damaged, too. Nothing but links may differ from reading without inference.
 */
import { readFileSync } from "node:fs";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import { type Claims, keepContexts } from "../../src/core/samples/contexts.ts";
import { openSpans, rowsOf } from "../../src/core/samples/spans.ts";
import type { ProfileSummary } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";
import { inference } from "../../src/model/context/infer.ts";
import { inferredSpans } from "../../src/model/query/inferred-spans.ts";
import { spanTraceIds } from "../../src/model/trace/id-index.ts";
import { traceTree } from "../../src/model/trace/tree.ts";
import { readTraceFile } from "../../src/traces/read.ts";
import { message } from "../kit/core/read-store.ts";
import { buildChunk, type Item, type TypeSpec, type Value } from "../kit/jfr/jfr-builder.ts";
import {
  CONTEXT,
  Constants,
  cpuType,
  DURATION,
  event,
  field,
  JVM_TYPES,
  javaStack,
  MAIN,
  ref,
  STACK,
  START,
  THREAD,
  WALL,
} from "../kit/jfr/jfr-types.ts";
import { Random } from "../kit/random.ts";
import { TRACE_WRITERS, type WrittenSpan } from "../kit/trace-writer.ts";
import { type Case, type Corpus, concat, makeCase, Sound } from "./cases.ts";
import { damageBlindly } from "./damage.ts";
import { answersOf } from "./questions.ts";
import { fuzz } from "./runner.ts";
import { faultsOf, inputOf, Watched } from "./watched.ts";

const TEXT_IDS = [field("traceId", "java.lang.String"), field("spanId", "java.lang.String")];
const SCOPES: TypeSpec[] = [
  event("datadog.Timeline", [START, DURATION, THREAD, ...CONTEXT]),
  event("io.opentelemetry.context.Scope", [START, DURATION, THREAD, ...TEXT_IDS]),
  event("io.opentelemetry.trace.Span", [START, DURATION, THREAD, ...TEXT_IDS, field("parentId", "java.lang.String")]),
  event("profiler.Span", [START, DURATION, THREAD, field("tag", "java.lang.String")]),
  event("app.Request", [START, DURATION, THREAD, { ...field("spanId", "long"), annotation: "jdk.jfr.Contextual" }]),
  event("datadog.Endpoint", [START, DURATION, THREAD, ref("endpoint", "jdk.types.Symbol"), ...CONTEXT]),
  event("datadog.QueueTime", [START, DURATION, THREAD, ...CONTEXT]),
];
const SLEEPS = ["jdk.ThreadSleep", "jdk.ThreadPark"].map((name) => event(name, [START, DURATION, THREAD, STACK]));
const SAMPLES = [cpuType(), cpuType([], WALL)];
const TYPES: TypeSpec[] = [...JVM_TYPES, ...SAMPLES, ...SCOPES, ...SLEEPS];
const THREADS = [MAIN, { ...MAIN, javaName: "other", javaId: 2n, osId: 4712n }];
const START_NANOS = 1_600_000_000_000_000_000n;
const SPANS = 6;

/** Values of a scope's own fields. */
function scopeValues(random: Random): Record<string, Value> {
  const span = BigInt(random.below(SPANS));
  const hex = (id: bigint) => (random.one(9) ? "no id" : id.toString(16).padStart(16, "0"));
  return {
    spanId: span,
    localRootSpanId: BigInt(random.below(3)),
    tag: random.pick([`op span=${span} root=1`, `00-${"0".repeat(31)}1-${hex(span)}-01`, "", "span="]),
    traceId: `00000000000000aa${hex(1n)}`,
    parentId: hex(BigInt(random.below(SPANS))),
  };
}

/** A chunk of samples, sleeps and scopes on two threads, some of which overlap. */
function built(seed: number, count: number): Uint8Array {
  const random = new Random(seed, 0);
  const constants = new Constants();
  const items = Array.from({ length: count }, (): Item => {
    const type = random.pick(random.one(3) ? SCOPES : [...SAMPLES, ...SLEEPS]);
    const values = scopeValues(random);
    const asText = type.name.startsWith("io.opentelemetry");
    const known: Record<string, Value> = {
      ...values,
      spanId: asText ? (values.spanId as bigint).toString(16).padStart(16, "0") : (values.spanId as bigint),
      startTime: BigInt(random.below(100)) * 1_000_000n,
      duration: BigInt(random.small(60)) * 1_000_000n,
      eventThread: constants.thread(random.pick(THREADS)),
      stackTrace: constants.stack(javaStack(random.pick(["a", "b"]), "run")),
      weight: 1n,
    };
    return {
      event: type.name,
      values: Object.fromEntries((type.fields ?? []).map(({ name }) => [name, known[name] ?? 0n])),
    };
  });
  return buildChunk({ types: TYPES, items: [...items, { checkpoint: constants.all() }], startNanos: START_NANOS })
    .bytes;
}

const fixture = (name: string) =>
  new Sound(name, new Uint8Array(readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url))));
const corpus: Corpus = {
  built: [
    new Sound("one chunk", built(1, 60)),
    new Sound("two chunks", concat([built(2, 40), built(3, 40)])),
    new Sound("few events", built(4, 8)),
  ],
  recorded: ["apctx-jdk17.jfr", "relay-jdk17.jfr", "relay-jdk25.jfr"].map(fixture),
  packed: [{ name: "market.upload", bytes: fixture("market.upload").bytes }],
  sentinel: built(5, 30),
};

interface ContextCase extends Case {
  /** A trace file beside the recordings; null without one. */
  trace: Uint8Array | null;
}

function traceOf(random: Random): Uint8Array {
  const spans = Array.from({ length: 1 + random.small(12) }, (_, i): WrittenSpan => {
    const start = START_NANOS + BigInt(random.below(90)) * 1_000_000n;
    const duration = BigInt(random.small(60)) * 1_000_000n;
    const thread = random.pick(THREADS).javaName ?? "";
    const parent = BigInt(random.below(i + 1));
    return { trace: 1n, id: BigInt(i + 1), parent, name: `op ${i % 3}`, start, duration, thread, kind: "server" };
  });
  const [, write] = random.pick(Object.entries(TRACE_WRITERS));
  const bytes = write(spans);
  return random.one(3) ? damageBlindly(bytes, random, bytes)[1] : bytes;
}

function make(seed: number, index: number): ContextCase {
  const one = makeCase(corpus, seed, index);
  const trace = one.random.one(2) ? traceOf(one.random) : null;
  return { ...one, said: [...one.said, trace === null ? "no trace" : "a trace"], trace };
}

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../build/core.wasm", import.meta.url))),
);
let first = await Core.instantiate(module);
let second = await Core.instantiate(module);

/** Reads a case with inference, into a core that is reset before. */
async function inferred(core: Core, { inputs, trace }: ContextCase, stream: Random | null): Promise<void> {
  core.reset();
  const table = await openSpans(core);
  let tree: ReturnType<typeof traceTree> | null = null;
  let infer = inference();
  if (trace !== null) {
    await readTraceFile("t", bytesSource(trace), table, 1);
    const columns = table.columns();
    const entries = new Set([table.text("server"), table.text("consumer")]);
    tree = traceTree(columns, rowsOf(columns, "files"), entries);
    infer = inference({ tree, columns, entries, text: (index) => table.string(index) });
  }
  await keepContexts(core, (facts) => checkClaims(infer(facts), facts.events.count));
  const watched = new Watched(core, stream === null ? 0 : 1 + stream.below(5000));
  const all = inputs.map((input) => inputOf(input, stream));
  await readInputs(watched, all);
  if (watched.fault !== null) throw new Error(watched.fault);
  const columns = table.columns();
  const ids = spanTraceIds(tree, columns, rowsOf(columns, "recordings"));
  if (ids.id.length > 0) table.nameTraces(ids);
}

/** Each event has a claim at most, with a root or a span. */
function checkClaims(claims: Claims, events: number): Claims {
  const seen = new Set(claims.event.subarray(0, claims.count));
  if (seen.size !== claims.count) throw new Error("an event with two claims");
  for (let i = 0; i < claims.count; i++) {
    if ((claims.event[i] ?? 0) >= events) throw new Error("a claim for no event");
    if ((claims.span[i] ?? 0n) === 0n && (claims.root[i] ?? 0n) === 0n) throw new Error("a claim of nothing");
  }
  return claims;
}

const figures = ({ type, samples, value, samplesWithSpan, samplesWithRoot, events }: ProfileSummary) =>
  JSON.stringify([type, samples, String(value), samplesWithSpan, samplesWithRoot, Object.entries(events).sort()]);

/** Counts of inferred context are those of the samples with its mark. */
function checkCounts(core: Core): void {
  for (const profile of core.profiles()) {
    const { id, type, samples, samplesWithSpan, inferredSpan = 0, inferredRoot = 0, inferredBy } = profile;
    const sum = (inferredBy?.scope ?? 0) + (inferredBy?.trace ?? 0) + (inferredBy?.neighbours ?? 0);
    const counts = `${type}: ${samples} samples, ${samplesWithSpan} and ${inferredSpan} with a span, ${sum} inferred`;
    if (samplesWithSpan + inferredSpan > samples || inferredSpan > sum || inferredRoot > sum) throw new Error(counts);
    const marked = core.select(id, { attributes: inferredSpans() }).samples;
    if (marked !== sum) throw new Error(`${counts}, ${marked} marked`);
  }
}

let claimed = 0;
fuzz<ContextCase>({
  of: "contexts",
  cases: 100,
  fresh: 30,
  make,
  async check(one) {
    second.reset();
    await readInputs(
      second,
      one.inputs.map((input) => inputOf(input, null)),
    );
    const plain = second.profiles().map(figures);
    await inferred(first, one, null);
    if (first.profiles().map(figures).join("\n") !== plain.join("\n")) throw new Error("inference changed the samples");
    const names = [...one.inputs.map(({ name }) => name), "t"];
    for (const fault of faultsOf(first.diagnostics(), names)) throw new Error(fault);
    claimed += first.profiles().reduce((sum, { inferredRoot = 0 }) => sum + inferredRoot, 0);
    // Counts select, and answers depend on the selection before.
    const answers = answersOf(first);
    checkCounts(first);
    // Decodes, and has a sound dictionary.
    message(first);
    const { bytes } = first.write(null, {}, { format: "otlp" });

    await inferred(second, one, one.random);
    if (answersOf(second) !== answers) throw new Error("answers depend on how the bytes came");
    if (Buffer.compare(second.write(null, {}, { format: "otlp" }).bytes, bytes) !== 0)
      throw new Error("the message depends on how the bytes came");
  },
  async renew() {
    first = await Core.instantiate(module);
    second = await Core.instantiate(module);
  },
  summary: () => `${claimed} inferred roots`,
});
