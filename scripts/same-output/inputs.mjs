/** Inputs of the comparison of outputs: fixtures, messages and recordings that the tests build, shared files. */
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runnerImport } from "vite";
import { ROOT } from "../run.mjs";

const SHARED = join(ROOT, "..", "shared");
/** Other files that a test or a person reads beside a recording. */
const NOT_INPUT = /\.(md|txt|expected\.json|truth\.json|symbols\.json|tsv|sh|ya?ml|cpp|java|jfc|awk)$|LICENSE$/;
/** Of shared files the quick mode takes the first ones that are no larger. */
const QUICK_BYTES = 120_000;
const QUICK_RECORDINGS = 5;
const QUICK_MESSAGES = 12;

function filesBelow(directory, from = directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return filesBelow(path, from);
      return NOT_INPUT.test(entry.name) ? [] : [{ name: relative(from, path), paths: [path] }];
    });
}

const small = ({ paths }) => statSync(paths[0]).size <= QUICK_BYTES;

/** Takes every n-th item as a sample of all. */
function some(files, count) {
  const step = Math.max(1, Math.floor(files.length / count));
  return files.filter((_, i) => i % step === 0).slice(0, count);
}

async function built(temporary) {
  const load = async (path) => (await runnerImport(join(ROOT, path))).module;
  const { buildChunk } = await load("test/kit/jfr/jfr-builder.ts");
  const { cpuChunk, javaStack, MAIN } = await load("test/kit/jfr/jfr-types.ts");
  const { MESSAGE, PPROF } = await load("test/kit/otlp/messages.ts");
  const { jsonOf } = await load("test/kit/otlp/otlp-encode.ts");
  const { sound } = await load("test/kit/otlp/sound-message.ts");
  const samples = Array.from({ length: 40 }, (_, i) => ({
    at: BigInt(i) * 1_000_000n,
    stack: javaStack("a", "b", ...(i % 3 === 0 ? ["c", "b"] : []), `leaf${i % 7}`),
    thread: MAIN,
    span: BigInt(1 + (i % 5)),
    root: BigInt(1 + (i % 2)),
  }));
  const bytes = {
    "built-message.pb": MESSAGE,
    "built-profile.pprof": PPROF,
    "built-sound.json": jsonOf(sound()),
    "built-cpu.jfr": buildChunk(cpuChunk(samples)).bytes,
  };
  return Object.entries(bytes).map(([name, content]) => {
    const path = join(temporary, name);
    writeFileSync(path, content);
    return { name, paths: [path] };
  });
}

/** A fixture as messages: what BASE writes of it. */
async function written(temporary, write, path, formats) {
  const inputs = [];
  for (const { format, options, ending } of formats) {
    const name = `written-${relative(join(ROOT, "fixtures"), path).replaceAll("/", "-")}.${ending}`;
    const to = join(temporary, name);
    writeFileSync(to, await write({ write: [path], format, options }));
    inputs.push({ name, paths: [to] });
  }
  return inputs;
}

const ROUND_TRIPS = [
  { format: "otlp", options: {}, ending: "pb" },
  { format: "otlp", options: { preset: "otel" }, ending: "otel.pb" },
  { format: "otlp-json", options: { preset: "aggregated" }, ending: "json" },
  { format: "pprof", options: {}, ending: "pprof" },
];

/** `cli`: also through the command line, which takes a process for each answer. */
export async function inputsOf({ quick, temporary, write }) {
  const fixtures = filesBelow(join(ROOT, "fixtures")).map(({ name, ...input }) => ({
    name: `fixtures/${name}`,
    ...input,
  }));
  const sample = { name: "public/sample.jfr", paths: [join(ROOT, "public", "sample.jfr")] };
  const shared = (directory) =>
    filesBelow(join(SHARED, directory)).map(({ name, paths }) => ({ name: `${directory}/${name}`, paths }));
  const recordings = shared("recordings");
  const cases = shared("otlp-cases");
  const shop = join(ROOT, "fixtures", "shop.jfr");
  const chunks = join(ROOT, "fixtures", "shop-chunks.jfr");
  const datadog = join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr");
  const together = [
    { name: "two recordings", paths: [shop, datadog] },
    { name: "a recording twice and a message", paths: [chunks, chunks, join(temporary, "built-message.pb")] },
  ];
  const messages = await built(temporary);
  const trips = await written(temporary, write, datadog, ROUND_TRIPS);
  if (!quick) trips.push(...(await written(temporary, write, shop, ROUND_TRIPS)));
  const own = [sample, ...fixtures, ...messages, ...trips, ...together].map((input) => ({ ...input, cli: !quick }));
  for (const input of own) if (/^fixtures\/(shop|recorded\/ap46)/.test(input.name)) input.cli = true;
  if (!quick) return [...own, ...recordings.map((input) => ({ ...input, cli: /\.jfr$/.test(input.name) })), ...cases];
  return [
    ...own,
    ...some(
      recordings.filter((input) => /\.jfr$/.test(input.name) && small(input)),
      QUICK_RECORDINGS,
    ),
    ...some(cases, QUICK_MESSAGES),
  ];
}
