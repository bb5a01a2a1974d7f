/** The two families of whole conversions: recordings built by the tests' own writer of JFR, from memory to memory. */
import { runnerImport } from "vite";
import { newCore, read } from "../load.mjs";

const LEAST_PASSES = 20;
const LEAST_MS = 600;
/** Methods that stacks are made of: deep stacks of real programs share most of theirs. */
const METHODS = 500;

const builder = (await runnerImport("/test/kit/jfr/jfr-builder.ts")).module;
const types = (await runnerImport("/test/kit/jfr/jfr-types.ts")).module;

function stackOf(number, depth) {
  const frames = Array.from({ length: depth }, (_, i) => {
    const method = (number * 31 + i * 7 + ((number >> (i % 8)) & 1)) % METHODS;
    return { className: `com/example/Class${method % 50}`, method: `method${method}`, line: 10 + ((number + i) % 90) };
  });
  // A unique part of each stack.
  frames[0].line = 1000 + number;
  return { frames };
}

/** A recording of cpu samples, one after the other, of so many stacks and spans. */
export function recording(events, depth, stacks, contexts) {
  const samples = Array.from({ length: events }, (_, i) => ({
    at: BigInt(i) * 1000n,
    stack: stackOf(i % stacks, depth),
    span: BigInt(1 + (i % contexts)),
    root: BigInt(1 + ((i % contexts) >> 2)),
  }));
  return builder.buildChunk(types.cpuChunk(samples)).bytes;
}

const core = await newCore();

/** Milliseconds to read the recording and write it as OTLP, the best of many passes, and how many samples it has. */
export async function convert(bytes) {
  const end = performance.now() + LEAST_MS;
  let ms = Number.POSITIVE_INFINITY;
  for (let i = 0; i < LEAST_PASSES || performance.now() < end; i++) {
    const start = performance.now();
    await read(core, bytes);
    core.write(null, {}, { format: "otlp" });
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, samples: core.samples() };
}
