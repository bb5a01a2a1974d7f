#!/usr/bin/env node
/**
 * node bench/fleet-figures.mjs [FILE…] [--count 500] [--quick]: all measurements of docs/notes/data-sets.md, one after
 * the other. FILEs are recordings with spans, without them the sample recording. --quick: small sizes, to see that all
 * run.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string" }, quick: { type: "boolean", default: false } },
});
const sample = join(import.meta.dirname, "../public/sample.jfr");
const files = positionals.length > 0 ? positionals.map((path) => resolve(path)) : [sample];
const folder = mkdtempSync(join(tmpdir(), "spanflame-figures-"));
const size = (whole, quick) => String(values.quick ? quick : whole);
const set = join(folder, "set-1");
const fleet = join(folder, "paper");

/** Scripts of this folder with their arguments. */
const RUNS = [
  ["fleet-parquet.mjs", ...files, "--count", values.count ?? size(500, 4), "--out", folder],
  ["fleet-query.mjs", "--rows", size(10_000_000, 1_000_000), "--rounds", size(9, 1)],
  ["lake.mjs", set, "--network", "--rounds", size(5, 1)],
  ["lake.mjs", set, "--hints"],
  ["fleet-day.mjs", "--parts", size(26, 1)],
  ["fleet-paper.mjs", ...files, "--processes", size(20, 2), "--minutes", size(10, 2), "--out", fleet],
  ["fleet-watch.mjs", ...files, "--count", size(10_080, 4), "--steps", size(14, 2)],
];
let failed = 0;
try {
  for (const [script, ...args] of RUNS) {
    console.log(`\nnode bench/${script} ${args.join(" ")}`);
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], { stdio: "inherit" });
    if (status !== 0) failed++;
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed;
