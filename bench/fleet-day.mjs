#!/usr/bin/env node
/**
 * node bench/fleet-day.mjs [--parts 26] [--out DIR]: what a link to a trace takes of a day of many parts of 4 million
 * observations (fleet-rows.mjs; 127 parts are 9.8 GB and take 40 minutes): requests, bytes, and the computed time over
 * a network with a round trip of 40 ms and 20 Mbit/s, without an index and with one. Makes the data set once.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { build } from "esbuild";
import { makeRows } from "./fleet-rows.mjs";
import { countedFile } from "./slow-host.mjs";
import { VirtualNetwork } from "./virtual-network.mjs";

const ROOT = join(import.meta.dirname, "..");
const NETWORK = { roundTripMs: 40, megabits: 20, connections: 6 };
const PART_ROWS = 4_000_000;
/** Of the observations of a request that fleet-rows.mjs makes: 7 of 50. */
const SHARE = 0.12;
const ASKED = 3;
const { values } = parseArgs({ options: { parts: { type: "string", default: "26" }, out: { type: "string" } } });
const folder = values.out ?? join(ROOT, ".cache", `fleet-day-${values.parts}`);
if (!existsSync(folder)) {
  const slices = Number(values.parts);
  await makeRows(folder, slices * PART_ROWS, { dates: ["2026-11-20"], slices, share: SHARE });
}

const outfile = join(ROOT, ".cache/bench/day.bundle.mjs");
const contents = `export { selectSamples } from "./src/fleet/tables/select.ts"; export * from "./src/fleet/parquet/parts.ts"; export * from "./src/fleet/parquet/part-lists.ts";`;
await build({ stdin: { contents, resolveDir: ROOT }, bundle: true, format: "esm", platform: "node", outfile });
const { pathOf, readLists, selectSamples } = await import(outfile);
let listed = 0;
/** All parts, and the bytes of their lists. */
const partsOf = () =>
  readLists(async (path) => {
    const text = readFileSync(join(folder, path), "utf8");
    listed += text.length;
    return text;
  });
const sizeOf = (parts) => parts.reduce((sum, { bytes }) => sum + bytes, 0);

const times = '"$@"; code=$?; times >&2; exit $code';
const command = [process.execPath, join(ROOT, "dist-node/cli.js"), "compact", folder, "--index", "-q"];
const { stderr } = spawnSync("sh", ["-c", times, "sh", ...command], { encoding: "utf8" });
const line = stderr.trim().split("\n").at(-1);
const cpu = [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
const { parts } = await partsOf();
const index = parts.filter(({ table }) => table === "ids");
const tables = sizeOf(parts) - sizeOf(index);

const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
const rowsOf = async (sql) => (await connection.runAndReadAll(sql)).getRowObjects();
const [{ n }] = await rowsOf(`SELECT count(*) AS n FROM read_parquet('${folder}/ids/*/*.parquet')`);
console.log(`${parts.filter(({ table }) => table === "samples").length} parts, ${(tables / 1e9).toFixed(2)} GB`);
console.log(
  `index: ${index.length} files, ${(sizeOf(index) / 1e6).toFixed(0)} MB, ${(sizeOf(index) / Number(n)).toFixed(1)} bytes a row, ${cpu.toFixed(1)} CPU s; lists of parts ${(listed / 1e3).toFixed(0)} KB`,
);

const some = parts.find(({ table }) => table === "spans");
const spans = `read_parquet('${join(folder, pathOf(some))}')`;
const traces = await rowsOf(`SELECT DISTINCT trace_id FROM ${spans} ORDER BY hash(trace_id) LIMIT ${ASKED}`);
const roots = await rowsOf(
  `SELECT span_id FROM ${spans} WHERE service <> 'gateway' ORDER BY hash(span_id) LIMIT ${ASKED}`,
);
const samples = `read_parquet('${join(folder, pathOf({ ...some, table: "samples" }))}')`;
const alone = await rowsOf(
  `SELECT DISTINCT local_root_span_id AS root FROM ${samples} WHERE root NOT IN (SELECT span_id FROM ${spans}) ORDER BY hash(root) LIMIT ${ASKED}`,
);
const questions = [
  ...traces.map(({ trace_id: { bytes } }) => ["trace over 4 services", { trace: Uint8Array.from(bytes) }]),
  ...roots.map(({ span_id: root }) => ["local root of a trace", { root }]),
  ...alone.map(({ root }) => ["local root without spans", { root }]),
];
for (const [name, isIndexed] of [
  ["without the index", false],
  ["with it", true],
]) {
  for (const [what, wanted] of questions) {
    const network = new VirtualNetwork(NETWORK);
    const taken = { requests: 1, bytes: list().length };
    await network.arrived(taken.bytes);
    const open = (part) => countedFile(join(folder, pathOf(part)), part.bytes, taken, (n) => network.arrived(n));
    const own = parts.filter(({ table }) => isIndexed || table !== "ids");
    const { samples } = await selectSamples({ parts: own, open }, wanted);
    console.log(
      `${what}, ${name}: ${samples} samples, ${taken.requests} requests, ${(taken.bytes / 1e6).toFixed(2)} MB, ${(network.ms / 1e3).toFixed(2)} s`,
    );
  }
}
