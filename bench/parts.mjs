#!/usr/bin/env node
/**
 * `npm run bench:parts [-- FAMILY…]`: the benchmarks of Datadog's draft converter with its parameters, in four
 * families: `dictionary`, `primitives` of protobuf, conversion of `stacks`, and the `whole` from end to end. Figures of
 * one run belong together.
 */
import { cpus, loadavg } from "node:os";
import { compileKernels, dictionary, PRIMITIVES, primitive } from "./parts/kernels.mjs";
import { convert, recording } from "./parts/recordings.mjs";

/** Milliseconds of the draft converter, measured on an Apple M3 Max, for 5,000 events by stack depth. */
const DRAFT_MS = new Map([
  [10, 33.7],
  [50, 123],
  [100, 257],
]);

function table(heads, rows) {
  console.log(`| ${heads.join(" | ")} |`);
  console.log(`|${heads.map(() => "---:").join("|")}|`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  console.log();
}

/** Names of families, of which one is enough to run it alone. */
const wanted = process.argv.slice(2);
const isWanted = (family) => wanted.length === 0 || wanted.includes(family);

const perMicrosecond = (ns) => (1000 / ns).toFixed(1);

console.log(
  `${cpus()[0]?.model ?? "?"}, ${cpus().length} cores, Node ${process.version}, load ${loadavg()[0].toFixed(1)}\n`,
);
const wasm = await compileKernels();

if (isWanted("dictionary")) {
  console.log("dictionary, operations per µs\n");
  const rows = [];
  for (const unique of [100, 1000, 10_000]) {
    for (const hitRate of [0, 0.5, 0.95])
      rows.push([unique, hitRate, ...dictionary(wasm, unique, hitRate).map(perMicrosecond)]);
  }
  table(["unique", "hit rate", "strings", "functions", "stacks"], rows);
}

if (isWanted("primitives")) {
  console.log("protobuf, operations per µs\n");
  table(
    ["what is written", "ops/µs"],
    PRIMITIVES.map(([name, run]) => [name, perMicrosecond(primitive(wasm, run))]),
  );
}

if (isWanted("stacks")) {
  console.log("stack conversion, 1,000 samples, thousands of samples per second\n");
  const depths = [];
  for (const depth of [5, 15, 30, 50]) {
    const row = [depth];
    for (const stacks of [1, 10, 100]) {
      const { ms, samples } = await convert(recording(1000, depth, stacks, 100));
      row.push(Math.round(samples / ms));
    }
    depths.push(row);
  }
  table(["depth", "1 stack", "10 stacks", "100 stacks"], depths);
}

if (isWanted("whole")) {
  console.log("end to end, ms for a recording (the draft converter on an M3 Max in the last column)\n");
  const whole = [];
  for (const events of [50, 500, 5000]) {
    for (const depth of [10, 50, 100]) {
      const row = [events, depth];
      for (const contexts of [100, 1000]) {
        const { ms } = await convert(recording(events, depth, contexts, contexts));
        row.push(ms.toFixed(2));
      }
      const { ms } = await convert(recording(events, depth, events, 1000));
      row.push(ms.toFixed(2), events === 5000 ? DRAFT_MS.get(depth) : "");
      whole.push(row);
    }
  }
  table(["events", "depth", "100 contexts", "1,000 contexts", "a stack each", "draft"], whole);
}

console.log(`load ${loadavg()[0].toFixed(1)} at the end`);
