#!/usr/bin/env node
/**
 * node bench/lake.mjs DATA_SET [ROOT...]: what the page reads of a data set for the samples of one local root
 * (`#lake=`): bytes, requests, processor time and time, without the network. ROOT is an unsigned id; without any, five
 * roots of the data set are taken, from the one with the most samples to one with few.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parquetReadObjects } from "hyparquet";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUNDLE = join(ROOT, ".cache/bench/lake.bundle.mjs");
/** Places of the roots among all, by samples. */
const PLACES = [0, 0.01, 0.1, 0.5, 0.9];
const [folder, ...given] = process.argv.slice(2);
if (folder === undefined) throw new Error("bench/lake.mjs: the folder of a data set is missing");

await build({
  stdin: {
    contents: `export { selectSamples } from "./src/parquet/select.ts"; export * from "./src/parquet/parts.ts";`,
    resolveDir: ROOT,
  },
  ...{ bundle: true, format: "esm", platform: "node", outfile: BUNDLE },
});
const { PARTS_FILE, parseParts, pathOf, selectSamples } = await import(BUNDLE);
const list = readFileSync(join(folder, PARTS_FILE), "utf8");
const parts = parseParts(list);

console.log("local root            samples        bytes  requests    CPU ms        ms   bytes by table");
for (const root of given.length > 0 ? given.map(BigInt) : await someRoots()) {
  const taken = { bytes: list.length, requests: 1, tables: new Map() };
  const files = { parts, open: (part) => ({ byteLength: part.bytes, slice: sliceOf(part, taken) }) };
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  const { samples } = await selectSamples(files, { root: BigInt.asIntN(64, root) });
  const { user, system } = process.cpuUsage(cpu);
  const figures = [samples, taken.bytes, taken.requests, (user + system) / 1000, performance.now() - began];
  const tables = [...taken.tables].map(([table, bytes]) => `${table} ${bytes}`).join(", ");
  console.log(
    `${String(root).padEnd(20)} ${figures.map((figure, i) => figure.toFixed(0).padStart([8, 12, 9, 9, 9][i])).join(" ")}   ${tables}`,
  );
}

function sliceOf(part, taken) {
  return async (from, to = part.bytes) => {
    taken.bytes += to - from;
    taken.requests++;
    taken.tables.set(part.table, (taken.tables.get(part.table) ?? 0) + to - from);
    const bytes = Buffer.alloc(to - from);
    const file = openSync(join(folder, pathOf(part)), "r");
    readSync(file, bytes, 0, to - from, from);
    closeSync(file);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  };
}

async function someRoots() {
  const { gunzipSync, zstdDecompressSync } = await import("node:zlib");
  const compressors = { GZIP: (input) => gunzipSync(input), ZSTD: (input) => zstdDecompressSync(input) };
  const counts = new Map();
  for (const part of parts.filter(({ table }) => table === "samples")) {
    const bytes = readFileSync(join(folder, pathOf(part)));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file, compressors, columns: ["local_root_span_id"] });
    for (const { local_root_span_id: id } of rows) if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const ordered = [...counts].sort((a, b) => b[1] - a[1]);
  return PLACES.map((place) => BigInt.asUintN(64, ordered[Math.floor(place * (ordered.length - 1))][0]));
}
