#!/usr/bin/env node
/**
 * node bench/columns.mjs IN: reads IN and takes all its observations out three ways, with the library: as columns, as
 * iterated samples, and as OTLP protobuf in memory. Prints rows per second of processor time, the best of five.
 */
import { readFile } from "node:fs/promises";
import { open } from "../dist-lib/index.js";

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: node bench/columns.mjs IN");
  process.exit(2);
}
const recording = await open({ name: path, data: await readFile(path) });
const all = recording.select(null);

const WAYS = {
  columns: () => {
    let rows = 0;
    for (const page of all.columns()) rows += page.rows;
    return rows;
  },
  samples: () => {
    let rows = 0;
    for (const _ of all.samples()) rows++;
    return rows;
  },
  otlp: () => all.write("otlp").observations,
};

for (const [way, count] of Object.entries(WAYS)) {
  let best = Number.POSITIVE_INFINITY;
  let rows = 0;
  for (let pass = 0; pass < 5; pass++) {
    const before = process.cpuUsage();
    rows = count();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  console.log(`${way}: ${rows} rows, ${(best / 1000).toFixed(0)} ms, ${(rows / best).toFixed(1)} million a second`);
}
recording.close();
