#!/usr/bin/env node
/**
 * node bench/lake.mjs DATA_SET [ROOT...] [--hints] [--network] [--rounds N] [--checkout DIR]: what the page reads of a
 * data set for the samples of one local root (`#lake=`): bytes, requests, waves (requests that wait for those before),
 * processor time, and the computed time of the requests over a network: a round trip of 40 ms, 20 Mbit/s for all, six
 * connections (`--round-trip`, `--megabits`). ROOT is an unsigned id; without any, five roots of the data set are
 * taken, from the one with the most samples to one with few. --hints names the service and the time of each, as links
 * can.
 *
 * --network opens the built page in a browser instead, over a host that answers as such a network. The time is from the
 * start of navigation to the samples on screen; the page itself comes without a delay. --checkout is another version.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { parquetReadObjects } from "hyparquet";
import { openViewer } from "../e2e/kit/viewer.mjs";
import { countedFile, slowHost } from "./slow-host.mjs";
import { VirtualNetwork } from "./virtual-network.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    network: { type: "boolean", default: false },
    hints: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    checkout: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    "round-trip": { type: "string", default: "40" },
    megabits: { type: "string", default: "20" },
  },
});
const NETWORK = {
  roundTripMs: Number(values["round-trip"]),
  megabits: Number(values.megabits),
  connections: 6,
};
const ROOT = resolve(values.checkout);
const BUNDLE = join(ROOT, ".cache/bench/lake.bundle.mjs");
/** Places of the roots among all, by samples. */
const PLACES = [0, 0.01, 0.1, 0.5, 0.9];
const [folder, ...given] = positionals;
if (folder === undefined) throw new Error("bench/lake.mjs: the folder of a data set is missing");

await build({
  stdin: {
    contents: `export { selectSamples } from "./src/fleet/tables/select.ts"; export * from "./src/fleet/parquet/parts.ts"; export * from "./src/fleet/parquet/part-lists.ts";`,
    resolveDir: ROOT,
  },
  ...{ bundle: true, format: "esm", platform: "node", outfile: BUNDLE },
});
const { pathOf, readLists, selectSamples } = await import(BUNDLE);
/** Bytes of `parts.json` and of the lists of all dates. */
let listed = 0;
const { parts } = await readLists(async (path) => {
  const text = readFileSync(join(folder, path), "utf8");
  listed += text.length;
  return text;
});

const found = given.length > 0 && !values.hints ? new Map() : await rootsIn();
const roots = given.length > 0 ? given.map(BigInt) : someRoots();
await (values.network ? overNetwork() : withoutNetwork());

async function withoutNetwork() {
  console.log("local root            samples        bytes  requests  waves   CPU ms  network ms   bytes by table");
  for (const root of roots) {
    const wanted = { root: BigInt.asIntN(64, root), ...(values.hints && hintsOf(root)) };
    const taken = { bytes: listed, requests: 2, waves: 2, tables: new Map(), asked: [] };
    const cpu = process.cpuUsage();
    const { samples } = await selectSamples(filesBy(wavesOf(taken), taken), wanted);
    const { user, system } = process.cpuUsage(cpu);
    const network = new VirtualNetwork(NETWORK);
    await network.arrived(listed);
    await selectSamples(
      filesBy((bytes) => network.arrived(bytes)),
      wanted,
    );
    const figures = [samples, taken.bytes, taken.requests, taken.waves, (user + system) / 1000, network.ms];
    const tables = [...taken.tables].map(([table, bytes]) => `${table} ${bytes}`).join(", ");
    console.log(
      `${String(root).padEnd(20)} ${figures.map((figure, i) => figure.toFixed(0).padStart([8, 12, 9, 6, 8, 11][i])).join(" ")}   ${tables}`,
    );
  }
}

async function overNetwork() {
  const { roundTripMs, megabits } = NETWORK;
  const rounds = Number(values.rounds);
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
        times.push(await drawn(viewer, addressOf(host, root)));
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

function addressOf({ address }, root) {
  const link = { lake: address, root: `0x${root.toString(16)}`, view: "flame" };
  if (!values.hints) return new URLSearchParams(link);
  const { service, since, until } = hintsOf(root);
  return new URLSearchParams({ ...link, from: since, to: until, ...(service !== undefined && { service }) });
}

/** Milliseconds until the samples are shown, in a context without a cache. */
async function drawn({ url, browser }, hash) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(`${url}#${hash}`);
  // Asks in every frame; waitForSelector would ask every 500 ms. The question about the host is answered at once.
  const isDrawn = () => {
    document.querySelector("[data-testid=consent-yes]")?.click();
    return Number(document.querySelector("[data-testid=total-samples]")?.getAttribute("data-exact")) > 0;
  };
  await page.waitForFunction(isDrawn, null, { timeout: 60_000 });
  const time = performance.now() - began;
  await context.close();
  return time;
}

/** Files whose ranges are there after `arrived`, which gets their number of bytes. */
function filesBy(arrived, taken = { tables: new Map() }) {
  const open = (part) =>
    countedFile(join(folder, pathOf(part)), part.bytes, taken, (bytes) => {
      taken.tables.set(part.table, (taken.tables.get(part.table) ?? 0) + bytes);
      return arrived(bytes);
    });
  return { parts, open };
}

/** All that is asked before an answer is a wave. */
function wavesOf(taken) {
  return () =>
    new Promise((resolve) => {
      taken.asked.push(resolve);
      if (taken.asked.length > 1) return;
      setImmediate(() => {
        taken.waves++;
        for (const answer of taken.asked.splice(0)) answer();
      });
    });
}

/** Samples, service, first and last moment of each root. */
async function rootsIn() {
  const { gunzipSync, zstdDecompressSync } = await import("node:zlib");
  const compressors = { GZIP: (input) => gunzipSync(input), ZSTD: (input) => zstdDecompressSync(input) };
  const all = new Map();
  for (const part of parts.filter(({ table }) => table === "samples")) {
    const bytes = readFileSync(join(folder, pathOf(part)));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const columns = ["local_root_span_id", "time_unix_nano", "service"];
    for (const { local_root_span_id: id, time_unix_nano: time, service } of await parquetReadObjects({
      ...{ file, compressors, columns },
    })) {
      if (!id) continue;
      const own = all.get(id) ?? { count: 0, service, from: time, to: time };
      all.set(id, own);
      own.count++;
      if (time < own.from) own.from = time;
      if (time > own.to) own.to = time;
    }
  }
  return all;
}

function someRoots() {
  const ordered = [...found].sort(([, a], [, b]) => b.count - a.count);
  return PLACES.map((place) => BigInt.asUintN(64, ordered[Math.floor(place * (ordered.length - 1))][0]));
}

function hintsOf(root) {
  const { service, from, to } = found.get(BigInt.asIntN(64, root));
  return { ...(service != null && { service }), since: from, until: to + 1n };
}
