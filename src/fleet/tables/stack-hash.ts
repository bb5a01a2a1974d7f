/**
 * The hash of a stack: the first 16 bytes of the SHA-256 of the hashes of its frames, 16 bytes each, from the root to
 * the leaf. The hash of a frame is the first 16 bytes of the SHA-256 of its display name in UTF-8. All have the same
 * size, so different stacks are different inputs, whatever their names contain. It depends on nothing else: not on
 * lines, files, the part or the run.
 */
import { coded, type Values } from "../parquet/column-data.ts";
import type { Kernels } from "../parquet/kernels.ts";

const BYTES = 16;
/** Functions in a block of SHA-256, and bytes of its state. */
const IN_BLOCK = 4;
const STATE = 32;
const encoder = new TextEncoder();

/** The hash of each function, one after the other. */
export function functionHashes(kernels: Kernels, displayNames: readonly string[]): Uint8Array {
  const hashes = new Uint8Array(BYTES * displayNames.length);
  for (const [i, name] of displayNames.entries()) {
    kernels.within(() => {
      const bytes = encoder.encode(name);
      const out = kernels.room(BYTES);
      kernels.wasm.hashBytes(kernels.put(bytes), bytes.length, out);
      hashes.set(kernels.bytes(out, BYTES), BYTES * i);
    });
  }
  return hashes;
}

/** Hashes of stacks whose frames are `functions` from `starts` on, by the hashes of functions. */
export function stackHashes(
  kernels: Kernels,
  hashes: Uint8Array,
  functions: Uint32Array,
  starts: Uint32Array,
  sizes: Uint32Array,
): Values {
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const all = kernels.within(() => {
    const [table, frames] = [kernels.put(hashes), kernels.put(functions)];
    const [first, count] = [kernels.put(starts), kernels.put(sizes)];
    const states = kernels.room(STATE * (1 + Math.floor(longest / IN_BLOCK)));
    const out = kernels.room(BYTES * sizes.length);
    kernels.wasm.hashStacks(table, frames, first, count, sizes.length, states, out);
    return kernels.bytes(out, BYTES * sizes.length).slice();
  });
  const values = Array.from(sizes, (_, i) => all.subarray(BYTES * i, BYTES * (i + 1)));
  return coded(
    { of: "bytes16", values },
    sizes.map((_, i) => i),
  );
}
