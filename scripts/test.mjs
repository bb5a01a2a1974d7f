#!/usr/bin/env node
/**
 * `npm test`: all checks and tests in one run. `npm test -- STEP [FILE…]` runs one step and those that it needs, with
 * the files and options for its test runner: `npm test -- unit src/core`.
 *
 * A failed step does not end a run, so that one run shows all faults; a step whose input could not be built counts as
 * failed. The names and first lines of failed tests are at the end, then the slowest files of tests and the seconds of
 * each step. The last line is `N passed, N failed`; each static check and build counts as one, in addition to the unit
 * and browser tests. scripts/long-work.mjs has what is skipped if its files did not change.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildCollector } from "./build-collector.mjs";
import { buildCore } from "./build-core.mjs";
import { makeBuild } from "./builds.mjs";
import {
  countBrowser,
  countUnit,
  failuresOfBrowser,
  failuresOfUnit,
  formatCounts,
  settle,
  slowestOfBrowser,
  slowestOfUnit,
} from "./count-results.mjs";
import { fetchSpark } from "./fetch-spark.mjs";
import { findBrowser } from "./find-browser.mjs";
import { LONG_WORK, skippedWork } from "./long-work.mjs";
import { ROOT, runTool } from "./run.mjs";

const UNIT = { report: ".cache/reports/unit.json", count: countUnit, failures: failuresOfUnit, slowest: slowestOfUnit };
const BROWSER = {
  report: ".cache/reports/browser.json",
  count: countBrowser,
  failures: failuresOfBrowser,
  slowest: slowestOfBrowser,
};

const [chosen, ...files] = process.argv.slice(2);
let skipped;

/**
 * Side by side: two processors are busy then, as each step waits now and then. `needs` names steps that must have
 * succeeded, `after` those that must have ended; `run` gives counts, or throws with the reason.
 */
const STEPS = [
  { name: "core", run: compileCore },
  // Beside the compiler of the core, which takes one processor at first.
  { name: "lint", run: () => check("lint", "biome", ["check", "--error-on-warnings", "."]) },
  { name: "core types", after: ["lint"], run: () => check("core types", "tsc", ["-p", "assembly"]) },
  { name: "types", needs: ["core"], run: () => check("types", "tsc", ["-p", "tsconfig.json"]) },
  ...["page", "command line", "library"].map((name, i, all) => {
    return { name, needs: ["core"], after: all.slice(0, i), run: () => make(name) };
  }),
  { name: "collector", run: () => getProgram("collector", buildCollector) },
  { name: "spark", run: () => getProgram("spark", fetchSpark) },
  // After the builds: some of them run the command line, which serves the page.
  { name: "unit", needs: ["core"], after: ["library", "collector", "spark"], run: runUnitTests },
  { name: "browser", needs: ["page", "command line"], after: ["library"], run: runBrowserTests },
];

const ONE_PASSED = { passed: 1, failed: 0, skipped: 0, repeated: 0 };
const ONE_FAILED = { passed: 0, failed: 1, skipped: 0, repeated: 0 };
const ONE_SKIPPED = { passed: 0, failed: 0, skipped: 1, repeated: 0 };
const failures = [];
const slow = [];

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
async function getProgram(name, get) {
  const isSkipped = skipped.names.includes(name);
  const reason = isSkipped ? skipped.reason : (await get({ log: console.log })).skipped;
  if (reason === undefined) return ONE_PASSED;
  console.log(`skipped: ${reason}`);
  return ONE_SKIPPED;
}

/** For the tests, which skip the same. */
function skipEnv() {
  return { SPANFLAME_SKIP: skipped.names.join(",") };
}

async function make(name) {
  await makeBuild(name);
  return ONE_PASSED;
}

async function check(name, tool, args) {
  const { code } = await runTool(tool, args, { said: saying(name) });
  return code === 0 ? ONE_PASSED : ONE_FAILED;
}

/**
 * Runs a test runner and reads its report; a report of an earlier run must not be used for a run that wrote no report.
 */
async function runTests(name, tool, args, { report, count, failures: failuresOf, slowest }, env) {
  rmSync(join(ROOT, report), { force: true });
  const { code } = await runTool(tool, args, { env, said: saying(name) });
  let counts = { passed: 0, failed: 0, skipped: 0, repeated: 0 };
  try {
    const results = JSON.parse(readFileSync(join(ROOT, report), "utf8"));
    counts = count(results);
    failures.push(...failuresOf(results));
    slow.push(...slowest(results));
  } catch {
    console.error(`${tool} left no report`);
    return ONE_FAILED;
  }
  return settle(counts, code === 0);
}

/** Prints lines of a step after its name. */
function saying(name) {
  return (line) => console.log(`${name} | ${line}`);
}

function runUnitTests() {
  return runTests("unit", "vitest", ["run", ...files], UNIT, skipEnv());
}

async function runBrowserTests() {
  const browser = await findBrowser({ log: console.error });
  console.log(`Browser: ${browser.executablePath} (${browser.from})`);
  const env = { ...skipEnv(), SPANFLAME_FOUND_BROWSER: JSON.stringify(browser) };
  return runTests("browser", "playwright", ["test", ...files], BROWSER, env);
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

/** The chosen step after those that it needs; all steps if none is chosen. */
function stepsOf(name) {
  if (name === undefined) return STEPS;
  const step = STEPS.find((each) => each.name === name);
  if (step === undefined) throw new Error(`npm test: the steps are ${STEPS.map((each) => each.name).join(", ")}`);
  return [...(step.needs ?? []).flatMap(stepsOf), step].filter((each, at, all) => all.indexOf(each) === at);
}

let steps;
try {
  steps = stepsOf(chosen);
  // Whoever chooses a step has reasons.
  skipped = await skippedWork(
    chosen === undefined ? process.env : { SPANFLAME_SKIP: process.env.SPANFLAME_SKIP ?? "none" },
  );
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
if (chosen === undefined) {
  for (const [name, { about }] of Object.entries(LONG_WORK)) {
    console.log(skipped.names.includes(name) ? `Skips ${about} (${skipped.reason}).` : `Includes ${about}.`);
  }
  console.log(`SPANFLAME_SKIP=${Object.keys(LONG_WORK)} skips these, SPANFLAME_SKIP=none includes all.`);
}
const done = new Map();
const running = new Map();
for (const step of steps) {
  const before = [...(step.needs ?? []), ...(step.after ?? [])].map((name) => running.get(name));
  running.set(step.name, afterAll(before, step));
}
await Promise.all(running.values());

async function afterAll(before, step) {
  await Promise.all(before);
  const started = performance.now();
  const counts = await runStep(step, done);
  if (interrupted) process.exit(130);
  done.set(step.name, { ...counts, seconds: (performance.now() - started) / 1000 });
}

if (failures.length > 0) console.log("\n== failed");
for (const { name, line } of failures) console.log(`${name.replace(`${ROOT}/`, "")}\n    ${line}`);
if (slow.length > 0) console.log("\n== files whose tests took longest, together");
for (const { name, seconds } of slow)
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${name.replace(`${ROOT}/`, "")}`);
console.log("\n== summary");
for (const { name } of steps) {
  const { note, seconds, ...counts } = done.get(name);
  console.log(`${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s  ${note ?? formatCounts(counts)}`);
}
const total = sum(done.values());
console.log(formatCounts(total));
process.exitCode = total.failed > 0 ? 1 : 0;
