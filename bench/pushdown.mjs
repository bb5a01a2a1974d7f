#!/usr/bin/env node
/**
 * node bench/pushdown.mjs FILE… [--rounds N] [--type T] [--messages] [--formats]: the whole conversion to OTLP protobuf
 * in turns with those of one local root and of one profile type, whose samples the reader lets through. Warm: from
 * memory to memory in one process. Process: from file to file, with processor time and peak memory. Ratios are to the
 * whole conversion. `--type` also takes a type with its event, such as cpu:jdk.ExecutionSample.
 *
 * `--messages`: the same of the OTLP and the pprof message that `convert` makes of each file.
 * `--formats`: instead, one local root of one type in each output format, in turns with reading everything for it.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median, newCore, readInto, readOnlyNeeded } from "./load.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    type: { type: "string" },
    messages: { type: "boolean", default: false },
    formats: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds ?? 7);
if (positionals.length === 0) {
  console.error("usage: node bench/pushdown.mjs FILE… [--rounds N] [--type T] [--messages] [--formats]");
  process.exit(2);
}

/** The root with the most samples, the one in the middle of the list, and the first type or that of the option. */
async function casesOf(core, bytes) {
  core.reset();
  await readInto(core, bytes);
  const profiles = core.profiles();
  core.select(null, {});
  const roots = core.views.rank({ kind: "local-root" }, 0, 1e9).rows;
  const type = values.type ?? profiles[0]?.type;
  const root = roots[roots.length >> 1]?.id ?? 4711n;
  return [
    { name: "whole", filter: {}, args: [] },
    { name: `root ${root}`, filter: { localRoot: root }, args: ["--local-root", String(root)] },
    { name: `type ${type}`, type, filter: {}, args: ["--type", type] },
  ];
}

async function warm(core, bytes, { type, filter }) {
  const start = performance.now();
  const before = process.cpuUsage();
  core.reset();
  if (type !== undefined || filter.localRoot !== undefined) {
    const types = type === undefined ? {} : { types: [type] };
    await readOnlyNeeded(core, { ...types, filter, stacks: true, all: false });
  }
  await readInto(core, bytes);
  const id = type === undefined ? null : (core.profiles().find((each) => each.type === type)?.id ?? null);
  const { observations } = core.write(id, filter, { format: "otlp" });
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1e3, observations };
}

/** One conversion as a process. `whole`: everything is read, and filtered afterwards. */
function cold(path, args, ending = "pb", whole = false) {
  const once = fileURLToPath(new URL("./once.mjs", import.meta.url));
  const { SPANFLAME_READ_ALL: _, ...rest } = process.env;
  const env = whole ? { ...rest, SPANFLAME_READ_ALL: "1" } : rest;
  const out = join(folder, `out.${ending}`);
  const { stdout, stderr } = spawnSync(process.execPath, [once, path, out, "-", ...args], { encoding: "utf8", env });
  try {
    return JSON.parse(stdout.trim().split("\n").at(-1));
  } catch {
    throw new Error(stderr);
  }
}

/** Outputs that `convert` chooses by their endings. */
const ENDINGS = ["pb", "json", "pprof", "collapsed", "speedscope.json", "firefox.json", "svg", "html"];
const MESSAGES = ["pb", "pprof"];

/** The files, and the messages that are made of them. */
function inputs() {
  if (!values.messages) return positionals;
  return positionals.flatMap((path) =>
    MESSAGES.map((ending) => {
      const message = join(folder, `${basename(path)}.${ending}`);
      const cli = fileURLToPath(new URL("../dist-node/cli.js", import.meta.url));
      spawnSync(process.execPath, [cli, "convert", path, "-o", message], { stdio: "inherit" });
      return message;
    }),
  );
}

async function compareSelections(path) {
  const bytes = new Uint8Array(await readFile(path));
  const core = await newCore();
  const cases = await casesOf(core, bytes);
  const found = cases.map(() => ({ ms: [], warmCpu: [], cpu: [], peak: [], observations: 0 }));
  for (let round = -1; round < rounds; round++) {
    for (const [i, each] of cases.entries()) {
      const { ms, cpuMs: warmCpu, observations } = await warm(core, bytes, each);
      const { cpuMs, peakMiB } = cold(path, each.args);
      if (round < 0) continue;
      found[i].ms.push(ms);
      found[i].warmCpu.push(warmCpu);
      found[i].cpu.push(cpuMs);
      found[i].peak.push(peakMiB);
      found[i].observations = observations;
    }
  }
  console.log(`${path}: ${(bytes.length / 1e6).toFixed(1)} MB, ${rounds} rounds, load ${loadavg()[0].toFixed(2)}`);
  const [warmWhole, whole] = [median(found[0].warmCpu), median(found[0].cpu)];
  for (const [i, { name }] of cases.entries()) {
    const { ms, warmCpu, cpu, peak, observations } = found[i];
    const [m, w, c] = [ms, warmCpu, cpu].map(median);
    console.log(
      `  ${name}: ${observations} samples; warm ${(bytes.length / 1e3 / m).toFixed(0)} MB/s, ` +
        `${w.toFixed(0)} ms of CPU (${(w / warmWhole).toFixed(2)}), ${(bytes.length / 1e3 / w).toFixed(0)} MB for each second of it; ` +
        `process ${c.toFixed(0)} ms of CPU (${(c / whole).toFixed(2)}), ${median(peak).toFixed(0)} MiB`,
    );
  }
}

/** One root in each format. A round is a process for each format and way of reading. */
async function compareFormats(path) {
  const bytes = new Uint8Array(await readFile(path));
  const [, root, type] = await casesOf(await newCore(), bytes);
  const args = [...root.args, ...type.args];
  const found = ENDINGS.map(() => ({ all: [], only: [], allPeak: [], peak: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, ending] of ENDINGS.entries()) {
      const [all, only] = [cold(path, args, ending, true), cold(path, args, ending)];
      found[i].all.push(all.cpuMs);
      found[i].only.push(only.cpuMs);
      found[i].allPeak.push(all.peakMiB);
      found[i].peak.push(only.peakMiB);
    }
  }
  console.log(`${path}: ${root.name}, ${type.name}; ${rounds} rounds, load ${loadavg()[0].toFixed(2)}`);
  for (const [i, ending] of ENDINGS.entries()) {
    const [all, only, allPeak, peak] = Object.values(found[i]).map(median);
    console.log(
      `  ${ending}: ${only.toFixed(0)} ms of CPU, ${peak.toFixed(0)} MiB; everything read ${all.toFixed(0)} ms, ` +
        `${allPeak.toFixed(0)} MiB; ${(only / all).toFixed(2)} and ${(peak / allPeak).toFixed(2)} of it`,
    );
  }
}

const folder = await mkdtemp(join(tmpdir(), "pushdown-"));
try {
  for (const path of inputs()) {
    if (values.formats) await compareFormats(path);
    else await compareSelections(path);
  }
} finally {
  await rm(folder, { recursive: true });
}
