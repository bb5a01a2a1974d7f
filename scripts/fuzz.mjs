#!/usr/bin/env node
/**
 * `npm run fuzz`: reads damaged inputs for a given time (docs/fuzzing.md).
 *
 *   npm run fuzz -- [--seconds N] [--seed N]     default: 60 seconds, and a new seed every time
 *   npm run fuzz -- --seed N --case M            one case again
 *   npm run fuzz -- --of messages …              OTLP messages and pprof profiles instead
 *   npm run fuzz -- --of dumps …                 Cloud Profiler dumps instead
 *   npm run fuzz -- --of symbols …               libraries and debug files instead
 *   npm run fuzz -- --of traces …                trace files instead
 *   npm run fuzz -- --of contexts …              recordings with inferred context instead
 *   npm run fuzz -- --of uploads …               uploads of profilers instead
 *   npm run fuzz -- --of receive …               requests to spanflame receive instead
 *   npm run fuzz -- --of data-sets …             writers, commits and manifests of data sets instead
 *   npm run fuzz -- --of copies …                copies of a data set that is written instead
 *   npm run fuzz -- --of parquet …               data sets of Parquet instead
 *   npm run fuzz -- --of chunks …                recordings in pieces that are exported instead
 *   npm run fuzz -- --of registration …          a data set whose parts Iceberg takes instead
 *   npm run fuzz -- --of recorder …              programs that record themselves instead
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, runTool } from "./run.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    seed: { type: "string" },
    case: { type: "string" },
    of: { type: "string", default: "recordings" },
  },
});

function number(name, otherwise) {
  const text = values[name];
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) {
    console.error(`fuzz: --${name} takes a number, not ${text}`);
    process.exit(2);
  }
  return Number(text);
}

const TESTS = {
  recordings: "test/fuzz/recordings.test.ts",
  messages: "test/fuzz/messages.test.ts",
  dumps: "test/fuzz/dumps.test.ts",
  symbols: "test/fuzz/symbols.test.ts",
  traces: "test/fuzz/traces.test.ts",
  contexts: "test/fuzz/contexts.test.ts",
  "data-sets": "test/fuzz/data-sets.test.ts",
  copies: "test/fuzz/copies.test.ts",
  uploads: "test/fuzz/uploads.test.ts",
  receive: "test/fuzz/receive.test.ts",
  parquet: "test/fuzz/parquet.test.ts",
  chunks: "test/fuzz/chunks.test.ts",
  registration: "test/fuzz/registration.test.ts",
  recorder: "test/fuzz/recorder.test.ts",
};
const test = TESTS[values.of];
if (test === undefined) {
  console.error(`fuzz: --of takes ${Object.keys(TESTS).join(" or ")}, not ${values.of}`);
  process.exit(2);
}

const seed = number("seed", randomInt(1_000_000_000));
const single = number("case");
if (single !== undefined && values.seed === undefined) {
  console.error("fuzz: --case is a case of a seed: name --seed too");
  process.exit(2);
}
const env = { FUZZ_SEED: String(seed) };
if (single !== undefined) env.FUZZ_CASE = String(single);
else env.FUZZ_SECONDS = String(number("seconds", 60));
console.log(`fuzz: seed ${seed}${single === undefined ? `, ${env.FUZZ_SECONDS} seconds` : `, case ${single}`}`);
// A separate report, because the unit tests' report is counted.
const report = join(ROOT, ".cache", "reports", "fuzz.json");
const args = ["run", test, "--disable-console-intercept", `--outputFile.json=${report}`];
const { code } = await runTool("vitest", args, { env });
process.exitCode = code ?? 1;
