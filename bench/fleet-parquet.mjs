#!/usr/bin/env node
/**
 * node bench/fleet-parquet.mjs FILE… [--count N] [--jobs 1,2] [--out DIR]: exports N recordings (500 by default) into
 * a data set, with each number of threads, and merges its parts. They are copies of FILEs in turns, with their own
 * ids. Prints bytes and CPU time for each observation.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeFleet } from "./fleet-recordings.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "500" },
    jobs: { type: "string", default: "1" },
    out: { type: "string" },
  },
});

const CLI = fileURLToPath(new URL("../dist-node/cli.js", import.meta.url));

/** Answer, wall and CPU seconds of a command. */
function run(...args) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", '"$@"; code=$?; times >&2; exit $code', "sh", process.execPath, CLI, ...args, "--json", "-q"],
    {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  const wall = (performance.now() - start) / 1e3;
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  const line = stderr.trim().split("\n").at(-1);
  const cpu = [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
  return { answer: JSON.parse(stdout), wall, cpu };
}

function bytesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = new Map();
  for (const file of files.filter((entry) => entry.name.endsWith(".parquet"))) {
    const path = join(file.parentPath, file.name);
    const table = path.slice(folder.length + 1).split("/")[0];
    sizes.set(table, (sizes.get(table) ?? 0) + statSync(path).size);
  }
  return sizes;
}

const folder = values.out ?? mkdtempSync(join(tmpdir(), "spanflame-fleet-"));
const input = join(folder, "in");
mkdirSync(input, { recursive: true });
try {
  const names = await makeFleet(positionals, Number(values.count), input);
  const read = names.reduce((sum, name) => sum + statSync(join(input, name)).size, 0);
  console.log(`${names.length} recordings, ${(read / 1e9).toFixed(2)} GB`);
  for (const jobs of values.jobs.split(",")) {
    const set = join(folder, `set-${jobs}`);
    rmSync(set, { recursive: true, force: true });
    for (const [name, args] of [
      ["export", ["export", input, "--parquet", set, "--jobs", jobs]],
      ["compact", ["compact", set]],
    ]) {
      const { answer, wall, cpu } = run(...args);
      const samples = name === "export" ? answer.samples : 0;
      if (samples > 0) run.samples = samples;
      const sizes = bytesOf(set);
      const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      const tables = [...sizes].map(([table, size]) => `${table} ${(size / run.samples).toFixed(2)}`).join(", ");
      console.log(
        `${name} --jobs ${jobs}: ${run.samples} observations, ${(all / run.samples).toFixed(2)} bytes each (${tables}); ` +
          `${wall.toFixed(1)} s, ${cpu.toFixed(1)} CPU s, ${Math.round(run.samples / cpu)} observations per CPU s; ` +
          `load ${loadavg()[0].toFixed(1)}`,
      );
    }
  }
} finally {
  if (values.out === undefined) rmSync(folder, { recursive: true });
}
