#!/usr/bin/env node
/**
 * node bench/lake.mjs DATA_SET [ROOT...] [--network] [--rounds N] [--checkout DIR]: what the page reads of a data set
 * for the samples of one local root (`#lake=`): bytes, requests, waves (requests that wait for those before), processor
 * time and time, without the network. ROOT is an unsigned id; without any, five roots of the data set are taken, from
 * the one with the most samples to one with few.
 *
 * --network opens the built page in a browser instead, over a host that answers after a round trip of 40 ms with 20
 * Mbit/s for all (`--round-trip`, `--megabits`). The browser has six connections to it. The time is from the start of
 * navigation to the drawn graph; the page itself comes without a delay. --checkout is another version.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { parquetReadObjects } from "hyparquet";
import { openViewer } from "../e2e/viewer.mjs";
import { rangeOf, slowHost } from "./slow-host.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    network: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    checkout: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    "round-trip": { type: "string", default: "40" },
    megabits: { type: "string", default: "20" },
  },
});
const ROOT = resolve(values.checkout);
const BUNDLE = join(ROOT, ".cache/bench/lake.bundle.mjs");
/** Places of the roots among all, by samples. */
const PLACES = [0, 0.01, 0.1, 0.5, 0.9];
const [folder, ...given] = positionals;
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

const roots = given.length > 0 ? given.map(BigInt) : await someRoots();
await (values.network ? overNetwork() : withoutNetwork());

async function withoutNetwork() {
  console.log("local root            samples        bytes  requests  waves   CPU ms        ms   bytes by table");
  for (const root of roots) {
    const taken = { bytes: list.length, requests: 1, waves: 1, tables: new Map(), asked: [] };
    const files = { parts, open: (part) => ({ byteLength: part.bytes, slice: sliceOf(part, taken) }) };
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    const { samples } = await selectSamples(files, { root: BigInt.asIntN(64, root) });
    const { user, system } = process.cpuUsage(cpu);
    const { bytes, requests, waves } = taken;
    const figures = [samples, bytes, requests, waves, (user + system) / 1000, performance.now() - began];
    const tables = [...taken.tables].map(([table, bytes]) => `${table} ${bytes}`).join(", ");
    console.log(
      `${String(root).padEnd(20)} ${figures.map((figure, i) => figure.toFixed(0).padStart([8, 12, 9, 6, 8, 9][i])).join(" ")}   ${tables}`,
    );
  }
}

async function overNetwork() {
  const [roundTripMs, megabits, rounds] = [values["round-trip"], values.megabits, values.rounds].map(Number);
  const host = await slowHost(folder, { roundTripMs, megabits });
  const viewer = await openViewer([], ROOT);
  try {
    console.log(`round trip ${roundTripMs} ms, ${megabits} Mbit/s, ${rounds} rounds, load ${loadavg()[0].toFixed(1)}`);
    console.log("local root                  bytes  requests   median ms      min ms      max ms");
    for (const root of roots) {
      const times = [];
      let taken = { bytes: 0, requests: 0 };
      for (let round = 0; round < rounds; round++) {
        Object.assign(host.taken, { bytes: 0, requests: 0 });
        times.push(await drawn(viewer, `lake=${encodeURIComponent(host.address)}&root=0x${root.toString(16)}`));
        taken = { ...host.taken };
      }
      times.sort((a, b) => a - b);
      const figures = [taken.bytes, taken.requests, times[rounds >> 1], times[0], times.at(-1)];
      console.log(
        `${String(root).padEnd(20)} ${figures.map((figure, i) => figure.toFixed(0).padStart([12, 9, 11, 11, 11][i])).join(" ")}`,
      );
    }
  } finally {
    await viewer.close();
    host.close();
  }
}

/** Milliseconds until the graph is drawn, in a context without a cache. */
async function drawn({ url, browser }, hash) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(`${url}#${hash}`);
  await page.waitForSelector("[data-testid=flame] g.frame", { timeout: 60_000 });
  const time = performance.now() - began;
  await context.close();
  return time;
}

/** All that is asked before an answer is a wave. */
function sliceOf(part, taken) {
  return (from, to = part.bytes) => {
    taken.bytes += to - from;
    taken.requests++;
    taken.tables.set(part.table, (taken.tables.get(part.table) ?? 0) + to - from);
    return new Promise((resolve) => {
      taken.asked.push(() => {
        const { buffer, byteOffset, length } = rangeOf(join(folder, pathOf(part)), from, to);
        resolve(buffer.slice(byteOffset, byteOffset + length));
      });
      if (taken.asked.length === 1)
        setImmediate(() => {
          taken.waves++;
          for (const answer of taken.asked.splice(0)) answer();
        });
    });
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
