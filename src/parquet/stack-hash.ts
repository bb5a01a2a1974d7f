/**
 * The hash of a stack: xxHash64 (seed 0) of the hashes of its frames, 8 bytes each, little-endian, leaf first. The hash
 * of a frame is xxHash64 (seed 0) of its display name in UTF-8. It depends on nothing else: not on lines, files, the
 * part or the run.
 */
import type { Kernels } from "./kernels.ts";

const encoder = new TextEncoder();
const MASK = 0xffff_ffffn;

/** Halves of the hash of each function, the lower one first. */
export function functionHashes(kernels: Kernels, displayNames: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(2 * displayNames.length);
  for (const [i, name] of displayNames.entries()) {
    const hash = kernels.within(() => {
      const bytes = encoder.encode(name);
      return kernels.wasm.hashBytes(kernels.put(bytes), bytes.length);
    });
    hashes[2 * i] = Number(hash & MASK);
    hashes[2 * i + 1] = Number((hash >> 32n) & MASK);
  }
  return hashes;
}

/** Hashes of stacks whose frames are `functions` from `starts` on, by the hashes of functions. */
export function stackHashes(
  kernels: Kernels,
  hashes: Uint32Array,
  functions: Uint32Array,
  starts: Uint32Array,
  sizes: Uint32Array,
): Uint32Array {
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0);
  return kernels.within(() => {
    const [table, frames] = [kernels.put(hashes), kernels.put(functions)];
    const [first, count] = [kernels.put(starts), kernels.put(sizes)];
    const [scratch, out] = [kernels.room(8 * longest), kernels.room(8 * sizes.length)];
    kernels.wasm.hashStacks(table, frames, first, count, sizes.length, scratch, out);
    return kernels.words(out, 2 * sizes.length).slice();
  });
}
