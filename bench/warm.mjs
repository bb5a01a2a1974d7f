#!/usr/bin/env node
/**
 * node bench/warm.mjs IN N: converts IN to OTLP protobuf N times, from memory to memory, in one instance of the core.
 * The last line is `{"mbps", "sps"}` of the best pass after the first: 10⁶ bytes of input and samples per second.
 */
import { readFile } from "node:fs/promises";
import { newCore, read } from "./load.mjs";

const [path, passes = "5"] = process.argv.slice(2);
if (path === undefined || !(Number(passes) >= 2)) {
  console.error("usage: node bench/warm.mjs IN [N ≥ 2]");
  process.exit(2);
}

const core = await newCore();
const bytes = new Uint8Array(await readFile(path));
let best = Number.POSITIVE_INFINITY;
let samples = 0;
for (let pass = 0; pass < Number(passes); pass++) {
  const start = performance.now();
  await read(core, bytes);
  const between = performance.now();
  const written = core.write(null, {}, { format: "otlp" });
  const end = performance.now();
  samples = written.observations;
  console.log(
    `pass ${pass}: read ${(between - start).toFixed(1)} ms, write ${(end - between).toFixed(1)} ms, ${samples} samples, ` +
      `${written.bytes.length} bytes out, core ${(core.bytesHeld() / 2 ** 20).toFixed(0)} MiB`,
  );
  if (pass > 0) best = Math.min(best, end - start);
}
console.log(JSON.stringify({ mbps: bytes.length / 1e3 / best, sps: (samples * 1e3) / best }));
