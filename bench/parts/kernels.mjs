/** The two families of small steps: interning into the dictionary, and the primitives of protobuf. */
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ROUNDS = 15;
const OPS = 200_000;
/** As in assembly/testing/bench.ts. */
const ENTRY = 64;

/** assembly/testing/bench.ts, compiled as the product is. */
export async function compileKernels() {
  let binary;
  const flags = ["--config", "none", "--runtime", "stub", "--bindings", "raw", "-O3", "--noAssert", "--enable", "simd"];
  const { error, stderr } = await asc.main(
    [`${ROOT}assembly/testing/bench.ts`, ...flags, "--uncheckedBehavior", "always", "--outFile", "bench.wasm"],
    {
      writeFile: (name, contents) => {
        if (name === "bench.wasm") binary = contents;
      },
    },
  );
  if (error) throw new Error(`asc: ${error.message}\n${stderr}`);
  return new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(binary)), {}).exports;
}

/** Nanoseconds per operation, the best of some rounds. */
function best(operations, prepare, run) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    prepare();
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return (least * 1e6) / operations;
}

/** Numbers that are the same in every run. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Entries by number: new ones in turn, and between them earlier ones, as many as the hit rate says. */
function accesses(unique, hitRate) {
  const next = random(unique);
  const order = [];
  for (let i = 0, owed = 0; i < unique; i++) {
    order.push(i);
    for (owed += hitRate / (1 - hitRate); owed >= 1 - 1e-9; owed--) order.push(next(i + 1));
  }
  return Uint32Array.from(order);
}

/** ns for strings, functions and stacks of `unique` entries. */
export function dictionary(wasm, unique, hitRate) {
  const order = accesses(unique, hitRate);
  const next = random(7);
  const entries = new Uint8Array(unique * ENTRY);
  for (let i = 0; i < unique; i++) {
    // A class and a method, in the form of usual names.
    const name = `com.example.shop.package${next(100)}.Class${i}.method${next(1000)}`;
    const { written } = new TextEncoder().encodeInto(name, entries.subarray(i * ENTRY + 4, (i + 1) * ENTRY));
    entries[i * ENTRY] = written;
  }
  let at = 0;
  const prepare = () => {
    at = wasm.begin(entries.length + order.byteLength);
    new Uint8Array(wasm.memory.buffer).set(entries, at);
    new Uint32Array(wasm.memory.buffer, at + entries.length).set(order);
  };
  return ["internStrings", "internFunctions", "internStacks"].map((step) =>
    best(order.length, prepare, () => wasm[step](at, at + entries.length, order.length)),
  );
}

export const PRIMITIVES = [
  ["varint of 1 byte", (wasm) => wasm.varints(OPS, 1)],
  ["varint of 5 bytes", (wasm) => wasm.varints(OPS, 5)],
  ["varint of 10 bytes", (wasm) => wasm.varints(OPS, 10)],
  ["fixed64 field", (wasm) => wasm.fixed64s(OPS)],
  ["string field, 10 bytes", (wasm) => wasm.texts(OPS, 10)],
  ["string field, 100 bytes", (wasm) => wasm.texts(OPS, 100)],
  ["message in a message, 4 fields", (wasm) => wasm.messages(OPS)],
  ["packed field, 10 indices", (wasm) => wasm.packed(OPS)],
];

export function primitive(wasm, run) {
  return best(
    OPS,
    () => {},
    () => run(wasm),
  );
}
