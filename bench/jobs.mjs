#!/usr/bin/env node
/**
 * node bench/jobs.mjs FILE… [--rounds N] [--jobs A,B,…]: `convert` as a process, by the number of its jobs, the
 * variants in turns. Prints medians of wall and CPU time and of the peak memory, and their ratios to the first variant.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, jobs: { type: "string", default: "1,2" } },
  allowPositionals: true,
});
const variants = values.jobs.split(",");
const once = fileURLToPath(new URL("./once.mjs", import.meta.url));
const output = join(tmpdir(), `spanflame-jobs-${process.pid}.pb`);

function run(file, jobs) {
  const start = performance.now();
  const { stdout, status } = spawnSync(process.execPath, [once, file, output, "child", "--quiet", "--jobs", jobs], {
    encoding: "utf8",
  });
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`convert of ${file} failed`);
  return { wallMs, ...JSON.parse(stdout) };
}

/** Digest of the output: it must not depend on the jobs. */
function digest(file, jobs) {
  const cli = fileURLToPath(new URL("../dist-node/cli.js", import.meta.url));
  spawnSync(process.execPath, [cli, "convert", file, "-o", output, "--quiet", "--jobs", jobs]);
  const hash = createHash("sha256").update(readFileSync(output)).digest("hex");
  rmSync(output);
  return hash;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

console.log(`${availableParallelism()} processors, load ${loadavg()[0].toFixed(1)}, ${values.rounds} rounds`);
for (const file of positionals) {
  if (new Set(variants.map((jobs) => digest(file, jobs))).size !== 1) throw new Error(`${file}: outputs differ`);
  const runs = variants.map(() => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    const order = variants.map((_, i) => (i + round) % variants.length);
    for (const i of order) runs[i].push(run(file, variants[i]));
  }
  const of = (i, key) => median(runs[i].map((each) => each[key]));
  for (const [i, jobs] of variants.entries()) {
    const columns = ["wallMs", "cpuMs", "peakMiB"].map((key) => {
      const best = Math.min(...runs[i].map((each) => each[key]));
      return `${key} ${of(i, key).toFixed(0)} (${(of(i, key) / of(0, key)).toFixed(2)}, best ${best.toFixed(0)})`;
    });
    console.log(`${basename(file)}, jobs ${jobs}: ${columns.join("  ")}`);
  }
}
console.log(`load at the end ${loadavg()[0].toFixed(1)}`);
