#!/usr/bin/env node
/**
 * node bench/dump.mjs [MB …] [--gz] [--core]: cost of Cloud Profiler dumps of these sizes (250 and 1,000), which are
 * generated once (dump-files.mjs). `--gz`: of packed files. `--core`: only the speed of the core.
 *
 * The core: MB of decompressed stream per second of processor time, from memory, warm, the best of some passes: the
 * records of calls; the trace, which becomes calls; and the trace again for the frames of all calls.
 *
 * Processes: wall time, processor time and peak memory of the command line, up to the list of calls, to the frames of
 * the slowest call, and to the top functions of all calls.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { STREAMS } from "../dist-lib/core/dump-streams.js";
import { dumpOf } from "./dump-files.mjs";
import { newCore } from "./load.mjs";

const CLI = fileURLToPath(new URL("../dist-node/cli.js", import.meta.url));
const CORE_MB = 60;
const PASSES = 5;
const SLICE = 1 << 20;

const args = process.argv.slice(2);
const isPacked = args.includes("--gz");
const sizes = args.map(Number).filter((size) => size > 0);

const seconds = ({ user, system }) => (user + system) / 1e6;
const mb = (bytes) => bytes / 1e6;

/** Files of the only run of a folder, by stream. */
function filesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => ({
    stream: STREAMS[entry.parentPath.split("/").at(-1)],
    index: Number.parseInt(entry.name, 10),
    bytes: new Uint8Array(readFileSync(join(entry.parentPath, entry.name))),
  }));
}

function feed(dumps, { stream, index, bytes }) {
  dumps.beginFile(stream, index);
  for (let at = 0; at < bytes.length; ) {
    const slice = bytes.subarray(at, at + SLICE);
    dumps.buffer(slice.length).set(slice);
    const used = dumps.push(slice.length, at + slice.length === bytes.length);
    if (used === 0 || dumps.fault() !== null) throw new Error(`stream ${stream} at ${at}`);
    at += used;
  }
}

async function core() {
  const files = filesOf(dumpOf(CORE_MB, false).folder);
  const all = (stream) => files.filter((file) => file.stream === stream).sort((a, b) => a.index - b.index);
  const size = (of) => of.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const core = await newCore();
  const best = { calls: 0, trace: 0, frames: 0 };
  const timed = (what, bytes, run) => {
    const before = process.cpuUsage();
    run();
    best[what] = Math.max(best[what], mb(bytes) / seconds(process.cpuUsage(before)));
  };
  for (let pass = 0; pass < PASSES; pass++) {
    core.reset();
    const dumps = await core.dumps();
    const number = dumps.beginRun({
      label: "shop",
      container: "directory",
      server: "shop",
      service: "",
      namespace: "",
      pod: "",
    });
    const feedAll = (stream) => {
      for (const file of all(stream)) feed(dumps, file);
    };
    feedAll(STREAMS.dictionary);
    dumps.endDictionary(false);
    feedAll(STREAMS.suspend);
    dumps.endPauses();
    timed("calls", size(all(STREAMS.calls)), () => feedAll(STREAMS.calls));
    dumps.beginTraces();
    timed("trace", size(all(STREAMS.trace)), () => feedAll(STREAMS.trace));
    dumps.endTrace();
    feedAll(STREAMS.sql);
    dumps.endRun();
    dumps.beginFrames(number, () => true, "samples");
    timed("frames", size(all(STREAMS.trace)), () => feedAll(STREAMS.trace));
    dumps.endFrames("samples");
  }
  console.log(
    `core, MB per second of processor time: records of calls ${best.calls.toFixed(0)}, calls of the trace ${best.trace.toFixed(0)}, frames of all calls ${best.frames.toFixed(0)}`,
  );
}

/** Has a process report its memory and processor time on file descriptor 3. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => { const u = process.resourceUsage(); writeSync(3, JSON.stringify(u)); });',
)}`;

function command(...line) {
  const begun = performance.now();
  const { stdout, stderr, status, output } = spawnSync(process.execPath, ["--import", REPORT, CLI, ...line], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${line.join(" ")} ended with ${status}: ${stderr}`);
  const usage = JSON.parse(output[3]);
  return {
    answer: JSON.parse(stdout),
    wall: (performance.now() - begun) / 1e3,
    cpu: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    peak: usage.maxRSS / 1024,
  };
}

function processes(megabytes) {
  const { folder, done } = dumpOf(megabytes, isPacked);
  const { bytes, calls, frames } = JSON.parse(readFileSync(done, "utf8"));
  console.log(`${mb(bytes).toFixed(0)} MB decompressed, ${calls} calls, ${frames} frames${isPacked ? ", packed" : ""}`);
  const line = (what, { wall, cpu, peak }) =>
    console.log(
      `  ${what}: ${wall.toFixed(2)} s, processor ${cpu.toFixed(2)} s, ${(mb(bytes) / cpu).toFixed(0)} MB/s, peak ${peak.toFixed(0)} MiB`,
    );
  const list = command("calls", folder, "--limit", "1", "--json");
  line("list of calls", list);
  line(
    "frames of the slowest call",
    command("top", folder, "--json", "--type", "wall", "--call", list.answer.rows[0].id),
  );
  line("top functions of all calls", command("top", folder, "--json", "--type", "wall"));
}

await core();
if (!args.includes("--core")) for (const size of sizes.length > 0 ? sizes : [250, 1000]) processes(size);
console.log(`load average ${loadavg()[0].toFixed(1)}, Node ${process.version}`);
