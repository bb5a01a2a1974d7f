#!/usr/bin/env node
/**
 * npm run bench [-- RECORDING] [--no-peers | options of peers/run.mjs]: measures conversion and re-layout, then
 * compares other readers of JFR if a JDK and Maven are present. Figures of one run belong together; compare them only
 * with others of the same run, because the state of the machine varies.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median, newCore, read } from "./load.mjs";
import { besidePeers, OPTIONS } from "./peers/run.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PASSES = 8;
/** Where no JDK can record: fixtures one after the other, which is a legal recording. */
const STAND_IN_BYTES = 30e6;

function node(script, ...args) {
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, "bench", script), ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

function recording() {
  const folder = join(ROOT, ".cache", "bench");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "flood.jfr");
  if (existsSync(path)) return path;
  const made = spawnSync("bash", [join(ROOT, "fixtures", "bench", "generate.sh"), path], { encoding: "utf8" });
  if (made.status === 0) return path;
  console.log(`No recording could be made (${made.stderr.trim().split("\n").at(-1)}); fixtures in a row instead.`);
  const part = readFileSync(join(ROOT, "fixtures", "shop-chunks.jfr"));
  const standIn = join(folder, "row.jfr");
  writeFileSync(standIn, Buffer.concat(Array(Math.ceil(STAND_IN_BYTES / part.length)).fill(part)));
  return standIn;
}

/** The flame graph of another filter: weights over the whole tree, then the frames of one screen. */
async function relayout(bytes) {
  const core = await newCore();
  await read(core, bytes);
  const profiles = core.profiles();
  const root = core.views.rank({ kind: "local-root" }, 0, 1).rows[0];
  const filters = [{}, ...(root === undefined ? [] : [{ localRoot: root.id }])];
  const times = [];
  let nodes = 0;
  for (let i = 0; i < 40; i++) {
    const profile = profiles[i % profiles.length];
    const start = performance.now();
    core.select(profile.id, filters[(i >> 2) % filters.length]);
    nodes = Math.max(nodes, core.views.frames({ focus: 0, width: 1400 }).framesInFocus);
    // The first question of all builds the tree.
    if (i > 0) times.push(performance.now() - start);
  }
  return { nodes, median: median(times), worst: Math.max(...times) };
}

const { values, positionals } = parseArgs({
  options: { ...OPTIONS, "no-peers": { type: "boolean", default: false } },
  allowPositionals: true,
});
const path = positionals[0] ?? recording();
console.log(`${cpus()[0]?.model ?? "?"}, ${cpus().length} cores, Node ${process.version}`);
console.log(`recording: ${(statSync(path).size / 1e6).toFixed(1)} MB`);
const { mbps, sps } = node("warm.mjs", path, String(PASSES));
console.log(
  `warm, memory to memory, best of ${PASSES - 1}: ${mbps.toFixed(0)} MB/s, ${(sps / 1e6).toFixed(2)} million samples/s`,
);
const once = node("once.mjs", path, join(tmpdir(), `spanflame-bench-${process.pid}.pb`));
const empty = node("once.mjs");
console.log(
  `whole process, file to file: ${once.cpuMs.toFixed(0)} ms CPU (Node alone ${empty.cpuMs.toFixed(0)}), ` +
    `peak ${once.peakMiB.toFixed(0)} MiB (Node alone ${empty.peakMiB.toFixed(0)})`,
);
// Not earlier: a child process counts the memory that its parent has when it starts.
const bytes = new Uint8Array(readFileSync(path));
const { nodes, median: typical, worst } = await relayout(bytes);
console.log(
  `another filter over a tree of ${nodes} nodes, to frames: median ${typical.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`,
);
if (!values["no-peers"]) {
  console.log();
  await besidePeers(values, positionals.length > 0 ? positionals : undefined);
}
