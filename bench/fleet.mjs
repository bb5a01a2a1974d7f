#!/usr/bin/env node
/**
 * node bench/fleet.mjs FILE… [--count N] [--rounds N] [--jobs N]: converts a folder of N recordings (500 by default),
 * links to FILEs in turns, with `convert --out-dir` and with the library in a loop, one core for all. Each is a process
 * from its start to its end, and they take turns. Prints the medians of their wall times, and of the
 * ratios of each round.
 *
 * node bench/fleet.mjs --loop IN OUT: the loop.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median, newCore, read } from "./load.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    loop: { type: "boolean" },
    count: { type: "string", default: "500" },
    rounds: { type: "string", default: "3" },
    jobs: { type: "string", default: "1" },
  },
});

async function loop(input, output) {
  const core = await newCore();
  for (const name of readdirSync(input).sort()) {
    await read(core, new Uint8Array(readFileSync(join(input, name))));
    writeFileSync(join(output, `${name}.pb`), core.write(null, {}, { format: "otlp" }).bytes);
  }
}

/** Wall seconds of a process. */
function timed(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const wall = (performance.now() - start) / 1e3;
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return wall;
}

function compare(files) {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-fleet-"));
  const input = join(folder, "in");
  mkdirSync(input);
  for (let i = 0; i < Number(values.count); i++) {
    symlinkSync(resolve(files[i % files.length]), join(input, `${String(i).padStart(6, "0")}.jfr`));
  }
  const cli = fileURLToPath(new URL("../dist-node/cli.js", import.meta.url));
  const self = fileURLToPath(import.meta.url);
  const ways = {
    "library in a loop": (output) => [self, "--loop", input, output],
    "convert --out-dir": (output) => [cli, "convert", input, "--out-dir", output, "--jobs", values.jobs, "-q"],
  };
  const seconds = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [name, args] of Object.entries(ways)) {
        const output = join(folder, "out");
        mkdirSync(output);
        seconds[name].push(timed(args(output)));
        rmSync(output, { recursive: true });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const [base] = Object.values(seconds);
  for (const [name, times] of Object.entries(seconds)) {
    const ratios = times.map((time, i) => time / base[i]);
    console.log(`${name}: ${median(times).toFixed(2)} s, ${median(ratios).toFixed(2)} of the loop`);
  }
}

if (values.loop) await loop(...positionals);
else if (positionals.length > 0) compare(positionals);
else {
  console.error("usage: node bench/fleet.mjs FILE… [--count N] [--rounds N] [--jobs N]");
  process.exit(2);
}
