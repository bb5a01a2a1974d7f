#!/usr/bin/env node
/**
 * node bench/context.mjs [FILE]: precision and recall of each rule of inferred context on the recordings of
 * fixtures/traces, whose program knew which span was on which thread; of FILE the milliseconds of reading with and
 * without inference, the best of five.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** As deep in the repository as test/kit, which finds fixtures by relative paths. */
const BUNDLE = `${ROOT}.cache/context/bundle.mjs`;

await build({
  stdin: {
    contents: `
      export { fixtureScore } from "./test/kit/context-truth.ts";
      export { emptyCore } from "./test/kit/read-store.ts";
      export { keepContexts } from "./src/core/contexts.ts";
      export { inference } from "./src/model/context/infer.ts";
      export { readInputs } from "./src/input/open.ts";
      export { bytesSource } from "./src/bytes/byte-source.ts";`,
    resolveDir: ROOT,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: BUNDLE,
  external: ["vitest", "ajv", "protobufjs"],
});
const { bytesSource, emptyCore, fixtureScore, inference, keepContexts, readInputs } = await import(BUNDLE);

const CASES = [
  ["apctx-jdk17"],
  ["jdkscope-jdk25"],
  ["ddctx-jdk17"],
  ["ddctx-jdk17", "ddctx-jdk17.captured.datadog.json.gz"],
  ["relay-jdk17", "relay-jdk17.whole.otlp.json.gz"],
  ["relay-jdk25"],
  ["relay-virtual25", "relay-virtual25.whole.otlp.json.gz"],
  ["relay-dd17"],
  ["relay-dd17", "relay-dd17.whole.otlp.json.gz"],
  ["relay-ap17"],
];
const percent = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);
const rows = [];
for (const [name, trace] of CASES) {
  const { certain, found, rules } = await fixtureScore(name, trace);
  let label = name + (trace === undefined ? "" : ", with a trace");
  for (const [rule, { spans, rightSpans, roots, rightRoots, found }] of Object.entries(rules)) {
    if (roots === 0) continue;
    const right = [`${percent(rightSpans, spans)} of ${spans}`, `${percent(rightRoots, roots)} of ${roots}`];
    rows.push([label, rule, ...right, percent(found, certain)]);
    label = "";
  }
  rows.push([label, "all", "", "", `${percent(found, certain)} of ${certain}`]);
}
console.log("| recording | rule | spans right | roots right | spans found |\n|---|---|---:|---:|---:|");
for (const row of rows) console.log(`| ${row.join(" | ")} |`);

const [path] = process.argv.slice(2);
if (path !== undefined) {
  const bytes = new Uint8Array(await readFile(path));
  for (const isInferred of [false, true]) {
    let best = Number.POSITIVE_INFINITY;
    for (let pass = 0; pass < 5; pass++) {
      const core = await emptyCore();
      if (isInferred) await keepContexts(core, inference());
      const start = performance.now();
      await readInputs(core, [{ name: path, source: bytesSource(bytes) }]);
      core.endFile();
      best = Math.min(best, performance.now() - start);
    }
    console.log(`${isInferred ? "with" : "without"} inference: ${best.toFixed(0)} ms`);
  }
}
