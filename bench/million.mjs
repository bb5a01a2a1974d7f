/**
 * Generator of a recording of the size that the page is built for: 1,000,000 cpu and wall samples of ten minutes, some
 * 200,000 nodes of the call tree, 200,000 spans below 50,000 local roots, 40 operations, 300 threads, written by the
 * tests' own writer of JFR. Made once, kept in .cache/bench, always identical.
 */
import { existsSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SAMPLES = 1_000_000;
const NODES = 200_000;
const CHUNKS = 40;
const ROOTS = 50_000;
const SPANS_PER_ROOT = 4;
const OPERATIONS = 40;
const THREADS = 300;
const METHODS = 6000;
const DEPTH = 60;
const NANOS = 600_000_000_000n;
const START = 1_760_000_000_000_000_000n;

/** Numbers below `n`, the same in every run (a linear congruential generator, its high bits). */
function numbers(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const PACKAGES = [
  "com.shop.cart",
  "com.shop.api",
  "org.hibernate.engine",
  "io.netty.channel",
  "java.util",
  "jdk.internal",
];

function frameOf(method) {
  const name = `${PACKAGES[method % PACKAGES.length]}.Class${method % 700}`;
  return { className: name.replaceAll(".", "/"), method: `method${method}`, line: 10 + (method % 90) };
}

/** Stacks of a random tree, leaf first, each ending in a separate node. */
function stacksOf(below) {
  const parents = [-1];
  const methods = [0];
  const depths = [0];
  const inner = new Set();
  for (let node = 1; node < NODES; node++) {
    // Mostly below one of the newest, so that the tree is deep where it is young.
    let parent = below(10) < 8 ? Math.max(0, node - 1 - below(40)) : below(node);
    while (depths[parent] >= DEPTH) parent = parents[parent];
    parents.push(parent);
    methods.push(below(METHODS));
    depths.push(depths[parent] + 1);
    inner.add(parent);
  }
  const stacks = [];
  for (let node = 1; node < NODES; node++) {
    if (inner.has(node)) continue;
    const frames = [];
    for (let at = node; at >= 0; at = parents[at]) frames.push(frameOf(methods[at]));
    stacks.push({ frames });
  }
  return stacks;
}

async function write(path) {
  const { runnerImport } = await import("vite");
  const builder = (await runnerImport("/test/kit/jfr/jfr-builder.ts")).module;
  const types = (await runnerImport("/test/kit/jfr/jfr-types.ts")).module;
  const below = numbers(7);
  const stacks = stacksOf(below);
  const operation = [types.ref("_dd.trace.operation", types.ATTRIBUTE)];
  const fields = types.cpuType(operation);
  const wall = types.cpuType(operation, types.WALL);
  const perChunk = SAMPLES / CHUNKS;
  const step = NANOS / BigInt(SAMPLES);
  const file = openSync(path, "w");
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const constants = new types.Constants();
    const items = Array.from({ length: perChunk }, (_, i) => {
      // A chunk sees a fifteenth of the stacks, some much more often than others.
      const spread = Math.floor((below(1000) / 1000) ** 3 * (stacks.length / 15));
      const stack = stacks[(chunk * 977 + spread * 15 + below(3)) % stacks.length];
      const root = 1 + Math.floor(((chunk * perChunk + i) / SAMPLES) * ROOTS * 0.98 + below(ROOTS * 0.02));
      const span = root * 8 + below(SPANS_PER_ROOT);
      const n = root % OPERATIONS;
      const thread = root % THREADS;
      const sample = types.cpuItem(constants, {
        at: BigInt(chunk * perChunk + i) * step,
        stack,
        thread: {
          javaName: `worker-${thread}`,
          javaId: BigInt(thread + 20),
          osName: `worker-${thread}`,
          osId: 4000n + BigInt(thread),
        },
        weight: 1n,
        span: BigInt(span) * 0x9e37_79b9_7f4an + 1n,
        root: BigInt(root) * 0x9e37_79b9_7f4an + 1n,
        more: { "_dd.trace.operation": constants.attribute(`GET /resource/${n}`) },
      });
      return i % 3 === 0 ? { ...sample, event: types.WALL } : sample;
    });
    const { bytes } = builder.buildChunk({
      types: [...types.JVM_TYPES, fields, wall],
      items: [...items, { checkpoint: constants.all() }],
      startNanos: START,
      durationNanos: NANOS,
      startTicks: 0n,
      ticksPerSecond: 1_000_000_000n,
    });
    writeSync(file, bytes);
  }
}

/** Its path. */
export async function millionSamples() {
  const folder = fileURLToPath(new URL("../.cache/bench", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "million.jfr");
  if (!existsSync(path)) await write(path);
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await millionSamples());
