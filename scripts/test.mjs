#!/usr/bin/env node
/**
 * `npm test`: all checks and tests in one run. A failed step does not end it, so that one run shows all faults; a step
 * whose input could not be built counts as failed. The last line is `N passed, N failed`; each static check and build
 * counts as one, in addition to the unit and browser tests.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildCollector } from "./build-collector.mjs";
import { buildCore } from "./build-core.mjs";
import { makeBuild } from "./builds.mjs";
import { countBrowser, countUnit, formatCounts, settle } from "./count-results.mjs";
import { fetchSpark } from "./fetch-spark.mjs";
import { findBrowser } from "./find-browser.mjs";
import { ROOT, runTool } from "./run.mjs";

const REPORTS = { unit: ".cache/reports/unit.json", browser: ".cache/reports/browser.json" };

/** In order. `needs` names steps that must have succeeded; `run` gives counts, or throws with the reason. */
const STEPS = [
  { name: "core", run: compileCore },
  { name: "types", needs: ["core"], run: () => check("tsc", ["-p", "tsconfig.json"]) },
  { name: "types of the core", run: () => check("tsc", ["-p", "assembly"]) },
  { name: "lint and format", run: () => check("biome", ["check", "--error-on-warnings", "."]) },
  ...["page", "command line", "library"].map((name) => ({ name, needs: ["core"], run: () => make(name) })),
  { name: "collector", run: () => getProgram(buildCollector) },
  { name: "spark", run: () => getProgram(fetchSpark) },
  // After the builds: some of them run the command line, which serves the page.
  { name: "unit tests", needs: ["core"], run: () => runTests("vitest", ["run"], REPORTS.unit, countUnit) },
  { name: "browser tests", needs: ["page", "command line"], run: runBrowserTests },
];

const ONE_PASSED = { passed: 1, failed: 0, skipped: 0, repeated: 0 };
const ONE_FAILED = { passed: 0, failed: 1, skipped: 0, repeated: 0 };
const ONE_SKIPPED = { passed: 0, failed: 0, skipped: 1, repeated: 0 };

let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    interrupted = true;
  });
}

async function compileCore() {
  await buildCore();
  return ONE_PASSED;
}

/** Here and not in the tests, which would have to wait minutes for it. */
async function getProgram(get) {
  const { skipped } = await get({ log: console.log });
  if (skipped === undefined) return ONE_PASSED;
  console.log(`skipped: ${skipped}`);
  return ONE_SKIPPED;
}

async function make(name) {
  await makeBuild(name);
  return ONE_PASSED;
}

async function check(tool, args) {
  const { code } = await runTool(tool, args);
  return code === 0 ? ONE_PASSED : ONE_FAILED;
}

/**
 * Runs a test runner and reads its report; a report of an earlier run must not be used for a run that wrote no report.
 */
async function runTests(tool, args, report, count, env) {
  rmSync(join(ROOT, report), { force: true });
  const { code } = await runTool(tool, args, { env });
  let counts = { passed: 0, failed: 0, skipped: 0, repeated: 0 };
  try {
    counts = count(JSON.parse(readFileSync(join(ROOT, report), "utf8")));
  } catch {
    console.error(`${tool} left no report`);
    return ONE_FAILED;
  }
  return settle(counts, code === 0);
}

async function runBrowserTests() {
  const browser = await findBrowser({ log: console.error });
  console.log(`Browser: ${browser.executablePath} (${browser.from})`);
  const env = { SPANFLAME_FOUND_BROWSER: JSON.stringify(browser) };
  return runTests("playwright", ["test"], REPORTS.browser, countBrowser, env);
}

async function runStep({ name, needs = [], run }, done) {
  const missing = needs.filter((need) => done.get(need)?.failed !== 0);
  if (missing.length > 0) return { ...ONE_FAILED, note: `not run: needs ${missing.join(", ")}` };
  console.log(`\n== ${name}`);
  try {
    return await run();
  } catch (error) {
    console.error(error.message);
    return ONE_FAILED;
  }
}

function sum(all) {
  const total = { passed: 0, failed: 0, skipped: 0, repeated: 0 };
  for (const counts of all) for (const key of Object.keys(total)) total[key] += counts[key];
  return total;
}

const done = new Map();
for (const step of STEPS) {
  const started = performance.now();
  const counts = await runStep(step, done);
  if (interrupted) process.exit(130);
  done.set(step.name, { ...counts, seconds: (performance.now() - started) / 1000 });
}

console.log("\n== summary");
for (const [name, { note, seconds, ...counts }] of done) {
  console.log(`${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s  ${note ?? formatCounts(counts)}`);
}
const total = sum(done.values());
console.log(formatCounts(total));
process.exitCode = total.failed > 0 ? 1 : 0;
