#!/usr/bin/env node
/**
 * node bench/large.mjs FILE [GB …]: commands on a recording that is the chunks of FILE repeated up to so many GB (1,
 * 2.5, 5 and 10 without them), from a file and from standard input. Prints processor time, also for each GB, and peak
 * memory of each process. Needs as much room on the disk of the temporary folder; BENCH_TMP names another folder.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { newCore, readInto } from "./load.mjs";

const [first, ...rest] = process.argv.slice(2);
if (first === "child") await child(rest);
else if (first === undefined || rest.some((size) => !(Number(size) > 0))) {
  console.error("usage: node bench/large.mjs FILE [GB …]");
  process.exitCode = 2;
} else await measure(first, rest.length === 0 ? [1, 2.5, 5, 10] : rest.map(Number));

/** Runs the command line, and reports the process that it ran in. */
async function child(args) {
  process.argv = [process.argv[0], "cli.js", ...args];
  await import("../dist-node/cli.js");
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(`\n${JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: await peakMiB() })}\n`);
}

/** The kernel's usual figure begins with the size of the parent, which holds a recording; this one does not. */
async function peakMiB() {
  const status = await readFile("/proc/self/status", "utf8");
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

async function measure(path, sizes) {
  const bytes = await readFile(path);
  const root = await rootIn(new Uint8Array(bytes));
  const folder = process.env.BENCH_TMP ?? tmpdir();
  const [large, message] = [join(folder, `large-${process.pid}.jfr`), join(folder, `large-${process.pid}.pb`)];
  const commands = [
    ["info", []],
    ["top --type cpu", ["--limit", "5"]],
    [`convert --local-root ${root}`, ["-o", message]],
  ];
  try {
    for (const size of sizes) {
      const times = Math.max(1, Math.round((size * 1e9) / bytes.length));
      await write(large, bytes, times);
      const { size: total } = await stat(large);
      console.log(`${(total / 1e9).toFixed(2)} GB, ${times} times ${path}, load ${loadavg()[0].toFixed(1)}`);
      for (const [command, options] of commands) {
        const args = [...command.split(" "), ...options];
        print(`${command} FILE`, total, await run([...args, large]));
        print(`${command} < FILE`, total, await run([...args, "-"], bytes, times));
      }
    }
  } finally {
    await Promise.all([large, message].map((each) => rm(each, { force: true })));
  }
}

/** A local root in the middle of the list. */
async function rootIn(bytes) {
  const core = await newCore();
  await readInto(core, bytes);
  core.select(null, {});
  const roots = core.views.rank({ kind: "local-root" }, 0, 1e9).rows;
  return roots[roots.length >> 1]?.id ?? 4711n;
}

async function write(path, bytes, times) {
  const file = await open(path, "w");
  try {
    for (let i = 0; i < times; i++) await file.write(bytes);
  } finally {
    await file.close();
  }
}

async function run(args, bytes, times = 0) {
  const own = fileURLToPath(import.meta.url);
  const process_ = spawn(process.execPath, [own, "child", ...args], { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  process_.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const copies = function* () {
    for (let i = 0; i < times; i++) yield bytes;
  };
  await Promise.all([pipeline(copies, process_.stdin), once(process_, "close")]);
  const lines = said.trim().split("\n");
  return { ...JSON.parse(lines.at(-1)), said: lines.slice(0, -1).filter((line) => line !== "") };
}

function print(what, bytes, { cpu, peak, said }) {
  const each = (cpu / (bytes / 1e9)).toFixed(2);
  console.log(`  ${what}: ${cpu.toFixed(1)} s of processor time (${each} for each GB), ${peak.toFixed(0)} MiB`);
  for (const line of said.slice(0, 3)) console.log(`    ${line}`);
}
