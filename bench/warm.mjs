#!/usr/bin/env node
/**
 * node bench/warm.mjs IN N: converts IN to OTLP protobuf N times, from memory to memory, in one instance of the core.
 * The last line is `{"mbps", "sps"}` of the best pass after the first: 10⁶ bytes of input and samples per second.
 *
 * node bench/warm.mjs IN asked: each line on stdin is a number of seconds and asks for passes of that length; the
 * answer is one line, `{"samples", "ms": [..], "cpuMs"}`, `cpuMs` is the average of a pass. So several processes can
 * take turns. Profile types after it are the only ones that are read and written.
 */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { newCore, readInto, readOnlyNeeded } from "./load.mjs";

const [path, passes = "5", ...types] = process.argv.slice(2);
const asked = passes === "asked";
if (path === undefined || !(asked || Number(passes) >= 2)) {
  console.error("usage: node bench/warm.mjs IN [N ≥ 2 | asked] [TYPE…]");
  process.exit(2);
}

const core = await newCore();
const bytes = new Uint8Array(await readFile(path));

async function convert() {
  const start = performance.now();
  core.reset();
  if (types.length > 0) await readOnlyNeeded(core, { types, filter: {}, stacks: true, all: false });
  await readInto(core, bytes);
  const between = performance.now();
  const written = core.write(null, {}, { format: "otlp" });
  const end = performance.now();
  return { read: between - start, write: end - between, all: end - start, written };
}

async function count(passes) {
  let best = Number.POSITIVE_INFINITY;
  let samples = 0;
  for (let pass = 0; pass < passes; pass++) {
    const { read, write, all, written } = await convert();
    samples = written.observations;
    console.log(
      `pass ${pass}: read ${read.toFixed(1)} ms, write ${write.toFixed(1)} ms, ${samples} samples, ` +
        `${written.bytes.length} bytes out, core ${(core.bytesHeld() / 2 ** 20).toFixed(0)} MiB`,
    );
    if (pass > 0) best = Math.min(best, all);
  }
  console.log(JSON.stringify({ mbps: bytes.length / 1e3 / best, sps: (samples * 1e3) / best }));
}

async function takeTurns() {
  for await (const seconds of createInterface({ input: process.stdin })) {
    const end = performance.now() + Number(seconds) * 1e3;
    const ms = [];
    const before = process.cpuUsage();
    let samples = 0;
    do {
      const { all, written } = await convert();
      ms.push(all);
      samples = written.observations;
    } while (performance.now() < end);
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ samples, ms, cpuMs: (user + system) / 1e3 / ms.length }));
  }
}

await (asked ? takeTurns() : count(Number(passes)));
