/** The fuzzer of recordings (docs/fuzzing.md): damaged at random, compressed or not, each read twice. */
import { readdirSync, readFileSync } from "node:fs";
import { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import { message, observations, stable } from "../kit/core/read-store.ts";
import { buildChunk, type Item } from "../kit/jfr/jfr-builder.ts";
import { ATTRIBUTE, Constants, cpuItem, cpuType, field, JVM_TYPES, javaStack, ref } from "../kit/jfr/jfr-types.ts";
import type { Random } from "../kit/random.ts";
import { type Case, type Corpus, concat, makeCase, Sound } from "./cases.ts";
import { checkOutputs } from "./outputs.ts";
import { answersOf, chunkText, observedEvents } from "./questions.ts";
import { fuzz } from "./runner.ts";
import { faultsOf, inputOf, Watched } from "./watched.ts";

const FIXTURES = new URL("../../fixtures/", import.meta.url);
const file = (path: string) => new Uint8Array(readFileSync(new URL(path, FIXTURES)));
const named = (folder: string, end: RegExp) =>
  readdirSync(new URL(folder, FIXTURES))
    .filter((name) => end.test(name))
    .map((name) => folder + name);

const CONTEXT = [ref("operation", ATTRIBUTE), field("note", "java.lang.String"), field("ratio", "double")];

/** Keys count from 1 in every chunk, their texts do not: a constant kept over a chunk shows. */
function built(first: number, count: number, rest: object): Uint8Array {
  const c = new Constants();
  const items: Item[] = Array.from({ length: count }, (_, i) =>
    cpuItem(c, {
      at: BigInt(first + i) * 1000n,
      weight: BigInt(first + i),
      span: BigInt(1 + (i % 5)),
      root: BigInt(1 + (i % 3)),
      stack: i % 7 === 6 ? null : javaStack(`leaf${first}`, ...["a", "b", "c", "root"].slice(i % 4)),
      more: { operation: c.attribute(`op ${first + (i % 4)}`), note: ["", "näh", null][i % 3] ?? null, ratio: i / 4 },
    }),
  );
  return buildChunk({ types: [...JVM_TYPES, cpuType(CONTEXT)], items: [...items, { checkpoint: c.all() }], ...rest })
    .bytes;
}
const SENTINEL = built(7_000_000, 24, { startNanos: 1_600_000_000_000_000_000n });

const corpus: Corpus = {
  built: [
    new Sound("one chunk", built(1, 30, {})),
    new Sound("three chunks", concat([built(100, 9, {}), built(200, 9, { padding: 4 }), built(300, 1, {})])),
    new Sound("fixed-width integers", built(400, 12, { compressed: false })),
    new Sound("no events", built(500, 0, {})),
  ],
  recorded: [...named("", /\.jfr$/), ...named("recorded/", /\.jfr$/)].map((path) => new Sound(path, file(path))),
  packed: named("packed/", /\.\w+$/).map((name) => ({ name, bytes: file(name) })),
  sentinel: SENTINEL,
};

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../build/core.wasm", import.meta.url))),
);
/** Events that the catalogue does not know, and one that it does, by fields of every kind. */
const EXTRAS = [
  { event: "jdk.ClassLoad" },
  { event: "jdk.ActiveSetting", value: "id" },
  { event: "datadog.MethodSample", value: "weight" },
  { event: "jdk.Compilation", value: "codeSize" },
];
let first = await Core.instantiate(module);
let second = await Core.instantiate(module);
const EMPTY = first.bytesHeld();

/**
 * Bytes that a core may hold after all questions. `bytes` of chunks were opened; the buffer grows by 1 MiB ahead of a
 * stream.
 */
const mayHold = (bytes: number) => EMPTY + (6 << 20) + 64 * bytes;

interface Reading {
  answers: string;
  protobuf: Uint8Array;
  json: Uint8Array;
}

async function read(core: Core, { inputs }: Case, budget: number, stream: Random | null): Promise<Watched> {
  const watched = new Watched(core, budget);
  const all = inputs.map((input) => inputOf(input, stream));
  await readInputs(watched, all);
  // Thrown on the way it could be taken for a fault of the input.
  if (watched.fault !== null) throw new Error(watched.fault);
  return watched;
}

function reading(core: Core): Reading {
  return {
    answers: answersOf(core),
    protobuf: core.write(null, {}, { format: "otlp" }).bytes,
    json: core.write(null, {}, { format: "otlp-json" }).bytes,
  };
}

/** What a chunk holds when it is read alone: events, and observations of each event. */
const alone = new Map<Uint8Array, { chunk: string; observed: Record<string, number> }>();
async function knownAlone(chunk: Uint8Array) {
  let known = alone.get(chunk);
  if (known === undefined) {
    second.reset(EXTRAS);
    await readInputs(second, [inputOf({ name: "a", bytes: chunk }, null)]);
    const [summary] = second.files()[0]?.chunks ?? [];
    known = { chunk: summary === undefined ? "" : chunkText(summary), observed: observedEvents(second) };
    alone.set(chunk, known);
  }
  return known;
}

/** The order of a sample's attributes follows that in which the store met them first. */
const observationText = (core: Core) =>
  observations(core).map(({ attributes, ...rest }) => stable([Object.entries(attributes).sort(), rest]));
second.reset();
await readInputs(second, [inputOf({ name: "a", bytes: SENTINEL }, null)]);
const SENTINEL_TEXTS = observationText(second);

/** Chunks, events and samples of the undamaged chunks are all there. */
async function checkWhole(core: Core, whole: Uint8Array[]): Promise<void> {
  const there = core.files().flatMap(({ chunks }) => chunks.map(chunkText));
  const least: Record<string, number> = {};
  // Equal ones count once.
  const distinct = new Map(whole.map((chunk) => [Buffer.from(chunk).toString("latin1"), chunk]));
  for (const chunk of distinct.values()) {
    const known = await knownAlone(chunk);
    const at = there.indexOf(known.chunk);
    if (at < 0) throw new Error(`an undamaged chunk of ${chunk.length} bytes is not there whole`);
    there.splice(at, 1);
    for (const [event, n] of Object.entries(known.observed)) least[event] = (least[event] ?? 0) + n;
  }
  const observed = observedEvents(core);
  for (const [event, n] of Object.entries(least)) {
    if ((observed[event] ?? 0) < n) throw new Error(`${observed[event]} samples of ${event}, ${n} are undamaged`);
  }
  if (!whole.includes(SENTINEL)) return;
  const texts = new Set(observationText(core));
  const lost = SENTINEL_TEXTS.filter((text) => !texts.has(text));
  if (lost.length > 0) throw new Error(`${lost.length} undamaged samples are not in the message: ${lost[0]}`);
}

/**
 * Whether a chunk does not count where it is cut off, and its input has more of it, which may come later: a stream is
 * read once.
 */
function isCutBeforeWhole({ inputs }: Case): boolean {
  return inputs.some(({ name }) => {
    const files = first.files().filter((each) => each.name === name || each.name.startsWith(`${name}/`));
    const chunks = files.flatMap((each) => each.chunks);
    const times = chunks.map(({ startUnixNano }) => startUnixNano);
    return chunks.some(
      ({ copy, headerBytes, startUnixNano: at }, i) => copy && headerBytes && times.includes(at, i + 1),
    );
  });
}

const OUTPUTS_ONE_IN = 4;

/** The largest share of what may be held that a case held. */
let fullest = 0;
async function check(one: Case): Promise<void> {
  first.reset(EXTRAS);
  const { bytes } = await read(first, one, 0, null);
  const names = one.inputs.map(({ name }) => name);
  for (const fault of faultsOf(first.diagnostics(), names)) throw new Error(fault);
  const once = reading(first);
  // Damage may make a wrapper look like pprof: messages.test.ts has profiles without names and samples without times.
  if (first.files().some(({ format }) => format === "pprof")) return;
  // Decodes, has a sound dictionary, and JSON says the same.
  message(first);
  const held = first.bytesHeld();
  fullest = Math.max(fullest, held / mayHold(bytes));
  if (held > mayHold(bytes)) throw new Error(`${held} bytes held of ${bytes} bytes of chunks`);
  await checkWhole(first, one.whole);
  // Every format takes as long as reading: some cases are enough.
  if (one.random.one(OUTPUTS_ONE_IN)) await checkOutputs(first, second, bytes);

  // Again, in small steps, from a stream, with other bytes where the chunks will be and after them.
  second.reset(EXTRAS);
  const room = one.inputs.reduce((most, input) => Math.max(most, input.bytes.length), 0) + 4096;
  second.reserve(room);
  second.input(room).fill(one.random.pick([0, 1, 0x80, 0xff]));
  await read(second, one, 1 + one.random.below(5000), isCutBeforeWhole(one) ? null : one.random);
  const again = reading(second);
  if (again.answers !== once.answers) throw new Error("answers depend on how the bytes came");
  if (Buffer.compare(again.protobuf, once.protobuf) !== 0) throw new Error("the message depends on how the bytes came");
  if (Buffer.compare(again.json, once.json) !== 0) throw new Error("the JSON depends on how the bytes came");
}

fuzz({
  of: "recordings",
  cases: 200,
  fresh: 100,
  make: (seed, index) => makeCase(corpus, seed, index),
  check,
  async renew() {
    first = await Core.instantiate(module);
    second = await Core.instantiate(module);
  },
  summary: () => `at most ${(100 * fullest).toFixed(0)} % of the memory`,
});
