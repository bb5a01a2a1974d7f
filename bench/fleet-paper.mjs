#!/usr/bin/env node
/**
 * node bench/fleet-paper.mjs FILE… [--processes 20] [--minutes 20] [--of 5000] [--cores 64] [--out DIR]: a small fleet,
 * each process with one recording a minute, is exported, merged and asked; the figures are multiplied to `--of`
 * processes and a day. A question about everything reads all rows of the day; the others read the rows of their time,
 * as parts have one, and the time of the answer is that of the small fleet. FILEs are recordings of a minute.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { makeFleet } from "./fleet-recordings.mjs";
import { countedFile } from "./slow-host.mjs";
import { VirtualNetwork } from "./virtual-network.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: "string", default: "20" },
    minutes: { type: "string", default: "20" },
    of: { type: "string", default: "5000" },
    cores: { type: "string", default: "64" },
    out: { type: "string" },
  },
});
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CLI = join(ROOT, "dist-node/cli.js");
const NETWORK = { roundTripMs: 40, megabits: 20, connections: 6 };
const MINUTE = 60_000_000_000n;
const MINUTES_OF_DAY = 1440;
const TRACES = 5;

const [processes, minutes, of, cores] = ["processes", "minutes", "of", "cores"].map((name) => Number(values[name]));
const folder = values.out ?? mkdtempSync(join(tmpdir(), "spanflame-paper-"));
const [input, set] = [join(folder, "in"), join(folder, "set")];

/** JSON answer and processor seconds of a command. */
function run(...args) {
  const times = '"$@"; code=$?; times >&2; exit $code';
  const command = ["-c", times, "sh", process.execPath, CLI, ...args, "--json", "-q"];
  const { status, stdout, stderr } = spawnSync("sh", command, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  const line = stderr.trim().split("\n").at(-1);
  const cpu = [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
  return { answer: JSON.parse(stdout), cpu };
}

const rowsOf = (sql) => run("query", set, sql).answer.rows;

/** Requests, bytes and the computed time of traces by links with service and time. */
async function traces() {
  const outfile = join(ROOT, ".cache/bench/paper.bundle.mjs");
  const contents = `export { selectSamples } from "./src/fleet/tables/select.ts"; export * from "./src/fleet/parquet/parts.ts"; export * from "./src/fleet/parquet/part-lists.ts";`;
  await build({ stdin: { contents, resolveDir: ROOT }, bundle: true, format: "esm", platform: "node", outfile });
  const { readLists, pathOf, selectSamples } = await import(outfile);
  const { parts } = await readLists(async (path) => readFileSync(join(set, path), "utf8"));
  const roots = rowsOf(
    `SELECT local_root_span_id::VARCHAR AS root, min(time_unix_nano)::VARCHAR AS since, max(time_unix_nano)::VARCHAR AS until
     FROM samples WHERE local_root_span_id <> 0 GROUP BY 1 HAVING count(*) BETWEEN 5 AND 50 ORDER BY hash(1, 1) LIMIT ${TRACES}`,
  );
  const found = [];
  for (const { root, since, until } of roots) {
    const network = new VirtualNetwork(NETWORK);
    const taken = { requests: 0, bytes: 0 };
    const open = (part) => countedFile(join(set, pathOf(part)), part.bytes, taken, (n) => network.arrived(n));
    const wanted = { root: BigInt(root), since: BigInt(since), until: BigInt(until) + 1n };
    const { samples } = await selectSamples({ parts, open }, wanted);
    found.push({ samples, ...taken, ms: network.ms });
  }
  return found;
}

try {
  mkdirSync(input, { recursive: true });
  await makeFleet(positionals, processes * minutes, input, { dates: 1, step: MINUTE / BigInt(processes) });
  const exported = run("export", input, "--parquet", set, "--jobs", "1");
  const { samples } = exported.answer;
  const merged = run("compact", set);
  const { dates } = JSON.parse(readFileSync(join(set, "parts.json"), "utf8"));
  const lists = dates.map(({ list }) => readFileSync(join(set, "parts", list), "utf8"));
  const parts = lists.flatMap((text) => JSON.parse(text).parts);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const scale = (of / processes) * (MINUTES_OF_DAY / minutes);
  const day = samples * scale;
  const secondsOfDay = MINUTES_OF_DAY * 60;
  console.log(`${processes * minutes} recordings, ${samples} observations, load ${loadavg()[0].toFixed(1)}`);
  const figure = (name, text) => console.log(`| ${name} | ${text} |`);
  figure("observations a day", `${(day / 1e9).toFixed(1)} × 10⁹`);
  const busy = (cpu) => ((cpu * scale) / secondsOfDay).toFixed(1);
  figure(
    "cores for `export`",
    `${busy(exported.cpu)} (${Math.round(samples / exported.cpu)} observations per CPU second)`,
  );
  figure("cores for `compact`", `${busy(merged.cpu)} (${Math.round(samples / merged.cpu)})`);
  figure(
    "bytes a day",
    `${((bytes * scale) / 1e9).toFixed(0)} GB (${(bytes / samples).toFixed(1)} for an observation)`,
  );
  const files = (day / 2 ** 21) * 4;
  const listed = (lists.join("").length / parts.length) * files;
  figure("files a day", `${Math.round(files)}, ${(listed / 1e6).toFixed(1)} MB of lists of parts`);

  const idle = run("query", set, "SELECT 1").cpu;
  const [{ endpoint, last, root }] = rowsOf(
    `SELECT endpoint, max(time)::VARCHAR AS last, any_value(local_root_span_id)::VARCHAR AS root FROM samples
     WHERE endpoint IS NOT NULL AND local_root_span_id <> 0 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
  );
  const named = `'${endpoint.replaceAll("'", "''")}'`;
  for (const [name, sql, isAll] of [
    ["functions of everything, a day", "FROM top('cpu') LIMIT 25", true],
    ["endpoints, a day", "FROM operations('cpu')", true],
    [
      "functions of an endpoint, some minutes",
      `FROM top('cpu', endpoint := ${named}, until := '${last}') LIMIT 25`,
      false,
    ],
    ["slowest requests of an endpoint, some minutes", `FROM traces('wall', endpoint := ${named}) LIMIT 5`, false],
    ["flame graph of a request", `FROM flame('wall', root := ${root})`, false],
  ]) {
    const own = Math.max(0, run("query", set, sql).cpu - idle);
    const all = own * scale;
    const words = isAll
      ? `${Math.round(all)} CPU s, ${(all / cores).toFixed(1)} s on ${cores} cores`
      : `${own.toFixed(2)} CPU s`;
    figure(name, words);
  }
  for (const { samples: count, requests, bytes: taken, ms } of await traces())
    figure(
      `a link with a time, ${count} samples`,
      `${requests} requests, ${Math.round(taken / 1000)} KB, ${Math.round(ms)} ms at 20 Mbit/s`,
    );
} finally {
  if (values.out === undefined) rmSync(folder, { recursive: true });
}
