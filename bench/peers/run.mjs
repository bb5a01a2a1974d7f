#!/usr/bin/env node
/**
 * node bench/peers/run.mjs [--all | --only NAME,..] [--corpora FOLDER] [--readers NAME,..] [--rounds N] [--seconds S]:
 * compares Spanflame with other readers of JFR on the same recordings, in turns, and prints a table. `--readers` names
 * the others. bench/README.md explains it.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CACHE, fetchPeers, findJdk, Missing } from "./fetch.mjs";
import { readersFor, runOnce, startWarm } from "./readers.mjs";
import { bestPasses, bestRates, head, rows } from "./table.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** record.sh knows how each is made. The first four are a matter of minutes. */
const CORPORA = ["small", "medium", "alloc", "ddprof", "large", "single"];
const QUICK = CORPORA.slice(0, 4);
/** A JIT compiler needs seconds, and more than one long pass; the first passes of all readers are discarded. */
const WARM_UP = { seconds: 4, passes: 3 };

const CPU_EVENTS = ["jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.CPUTimeSample"];
const ALLOCATION_EVENTS = [
  "jdk.ObjectAllocationInNewTLAB",
  "jdk.ObjectAllocationOutsideTLAB",
  "jdk.ObjectAllocationSample",
];

export const OPTIONS = {
  all: { type: "boolean", default: false },
  only: { type: "string" },
  corpora: { type: "string" },
  readers: { type: "string" },
  rounds: { type: "string", default: "3" },
  seconds: { type: "string", default: "1.5" },
};

/** Prints the table, or one line with the missing tool. `files`: these recordings instead of corpora. */
export async function besidePeers(options, files) {
  try {
    const jdk = findJdk();
    const { classPath, versions } = fetchPeers(jdk);
    const recordings = files ?? corpora(options);
    const java = join(jdk, "bin", "java");
    const { stderr } = spawnSync(java, ["-version"], { encoding: "utf8" });
    console.log(`beside peers: ${versions}, ${stderr.split("\n")[0]}, Node ${process.version}`);
    console.log(`${cpus().length} cores (${cpus()[0]?.model ?? "?"}), load ${loadavg()[0].toFixed(1)} at the start`);
    console.log(`${options.rounds} rounds, ${options.seconds} s warm for each reader in each; medians\n\n${head()}`);
    const all = [];
    for (const path of recordings) {
      const recording = { name: basename(path, ".jfr"), bytes: statSync(path).size };
      const results = await compare(path, { java, classPath }, options);
      all.push({ recording, results });
      console.log(`${rows(recording, results).join("\n")}\n${bestPasses(results).join("\n")}`);
    }
    console.log(`\n${bestRates(all).join("\n")}\nload ${loadavg()[0].toFixed(1)} at the end`);
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    console.log(`beside peers: skipped: ${error.message}`);
  }
}

/** Paths of the recordings to compare; our recordings are generated at first use. */
function corpora({ all, only, corpora: folder }) {
  const wanted = only?.split(",") ?? (all || folder !== undefined ? undefined : QUICK);
  if (folder !== undefined) {
    const names = readdirSync(folder).filter((name) => name.endsWith(".jfr"));
    const bySize = (a, b) => statSync(a).size - statSync(b).size;
    const chosen = names.filter((name) => wanted?.includes(basename(name, ".jfr")) ?? true);
    return chosen.map((name) => join(folder, name)).sort(bySize);
  }
  const names = wanted ?? CORPORA;
  const own = join(CACHE, "recordings");
  const script = join(ROOT, "bench", "peers", "record.sh");
  const { status, stderr } = spawnSync("bash", [script, own, ...names], { stdio: ["ignore", "inherit", "pipe"] });
  if (status !== 0) throw new Error(`record.sh: ${stderr}`);
  return names.map((name) => join(own, `${name}.jfr`));
}

async function compare(path, jvm, { rounds, seconds, readers: named }) {
  const out = join(tmpdir(), `spanflame-peers-${process.pid}.pb`);
  const isWanted = ({ name }) =>
    name.startsWith("Spanflame") || named === undefined || named.split(",").some((each) => name.startsWith(each));
  const chosen = readersFor(path, jvm, allocationsPrevail(path)).filter(isWanted);
  const readers = chosen.map((reader) => ({
    reader,
    warm: startWarm(reader),
    result: { name: reader.name, does: reader.does, failed: null, samples: 0, bestMs: [], cpuMs: [], once: [] },
  }));
  /** A reader that fails on a recording gets that as its result; the others continue. */
  const attempt = async (each, act) => {
    if (each.result.failed !== null) return;
    try {
      await act(each);
    } catch (error) {
      each.result.failed = error.message;
    }
  };
  const warmUp = async ({ warm }) => {
    for (let passes = 0; passes < WARM_UP.passes; ) passes += (await warm.turn(WARM_UP.seconds)).ms.length;
  };
  const takeTurn = async ({ reader, warm, result }) => {
    const { samples, ms, cpuMs } = await warm.turn(Number(seconds));
    result.samples = samples;
    result.bestMs.push(Math.min(...ms));
    result.cpuMs.push(cpuMs);
    result.once.push(runOnce(reader, out));
  };
  try {
    for (const each of readers) await attempt(each, warmUp);
    for (let round = 0; round < Number(rounds); round++) {
      // Another begins each time, so that a drift of the machine meets all.
      const first = round % readers.length;
      for (const each of [...readers.slice(first), ...readers.slice(0, first)]) await attempt(each, takeTurn);
    }
  } finally {
    for (const { warm } of readers) warm.stop();
    await rm(out, { force: true });
  }
  return readers.map(({ result }) => result);
}

/** async-profiler's converter takes one kind of event at a time: the kind that the recording has more of. */
function allocationsPrevail(path) {
  const cli = join(ROOT, "dist-node", "cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "info", path, "--json"], {
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`info: ${stderr}`);
  const chunks = JSON.parse(stdout).files.flatMap((file) => file.chunks);
  const count = (kinds) => chunks.reduce((n, { events }) => kinds.reduce((m, kind) => m + (events[kind] ?? 0), n), 0);
  return count(ALLOCATION_EVENTS) > count(CPU_EVENTS);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: OPTIONS });
  await besidePeers(values);
}
