#!/usr/bin/env node
/**
 * node bench/fleet-watch.mjs FILE… [--count 10080] [--steps 14]: memory of `export --watch` over a week in time-lapse.
 * COUNT recordings, one for each minute of the week, come into an inbox in steps; it is measured when all of a step are
 * taken. Linux only.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeFleet } from "./fleet-recordings.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "10080" }, steps: { type: "string", default: "14" } },
});
const [count, steps] = [Number(values.count), Number(values.steps)];
const folder = mkdtempSync(join(tmpdir(), "spanflame-watch-"));
const [made, inbox, set] = ["made", "inbox", "set"].map((name) => join(folder, name));
for (const path of [made, inbox]) mkdirSync(path);
const status = join(folder, "status.json");
const cli = join(import.meta.dirname, "../dist-node/cli.js");
const names = await makeFleet(positionals, count, made, { dates: 7 });
const args = [cli, "export", inbox, "--parquet", set, "--watch", "--jobs", "1", "--status", status, "-q"];
const watcher = spawn(process.execPath, args, { stdio: "ignore" });
try {
  for (let step = 0; step < steps; step++) {
    const [from, to] = [step, step + 1].map((n) => Math.round((n * count) / steps));
    for (const name of names.slice(from, to)) renameSync(join(made, name), join(inbox, name));
    const isTaken = () => existsSync(status) && JSON.parse(readFileSync(status, "utf8")).written >= to;
    while (!isTaken()) await wait(200);
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${watcher.pid}/status`, "utf8"));
    console.log(`${to} recordings: ${(kilobytes / 1024).toFixed(0)} MB`);
  }
} finally {
  watcher.kill("SIGTERM");
  rmSync(folder, { recursive: true, maxRetries: 9 });
}
