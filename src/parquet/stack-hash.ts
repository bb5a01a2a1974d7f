/**
 * The hash of a stack: the first 16 bytes of SHA-256 of the hashes of its frames, leaf first. The hash of a frame is the
 * first 16 bytes of SHA-256 of its display name in UTF-8. It depends on nothing else: not on lines, files, the part or
 * the run. Hashes of frames have one length, so names cannot be cut at other places into the same bytes.
 */
import type { Kernels } from "./kernels.ts";

const encoder = new TextEncoder();
export const HASH_BYTES = 16;

/** Hashes of functions, one after the other. */
export function functionHashes(kernels: Kernels, displayNames: readonly string[]): Uint8Array {
  const hashes = new Uint8Array(HASH_BYTES * displayNames.length);
  for (const [i, name] of displayNames.entries()) {
    kernels.within(() => {
      const bytes = encoder.encode(name);
      const [at, out] = [kernels.put(bytes), kernels.room(HASH_BYTES)];
      kernels.wasm.hashBytes(at, bytes.length, out);
      hashes.set(kernels.bytes(out, HASH_BYTES), HASH_BYTES * i);
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
): Uint8Array[] {
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const found = kernels.within(() => {
    const [table, frames] = [kernels.put(hashes), kernels.put(functions)];
    const [first, count] = [kernels.put(starts), kernels.put(sizes)];
    const [scratch, out] = [kernels.room(HASH_BYTES * longest), kernels.room(HASH_BYTES * sizes.length)];
    kernels.wasm.hashStacks(table, frames, first, count, sizes.length, scratch, out);
    return kernels.taken(out, out + HASH_BYTES * sizes.length);
  });
  return Array.from(sizes, (_, i) => found.subarray(HASH_BYTES * i, HASH_BYTES * (i + 1)));
}
