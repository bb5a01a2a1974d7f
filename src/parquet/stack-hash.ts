/**
 * The hash of a stack: xxHash64 (seed 0) of the hashes of its frames, 8 bytes each, little-endian, leaf first. The hash
 * of a frame is xxHash64 (seed 0) of its display name in UTF-8. It depends on nothing else: not on lines, files, the
 * part or the run.
 */
import { hashBytes, hashWords, result } from "./hash64.ts";

const encoder = new TextEncoder();

/** Halves of the hash of each function, the lower one first. */
export function functionHashes(displayNames: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(2 * displayNames.length);
  for (const [i, name] of displayNames.entries()) {
    hashBytes(encoder.encode(name));
    hashes.set(result, 2 * i);
  }
  return hashes;
}

let words = new Uint32Array(1 << 10);

/** Writes the hash of the frames [from, to) of `functionOf` to row `row` of `out`. */
export function stackHash(
  hashes: Uint32Array,
  functionOf: Uint32Array,
  from: number,
  to: number,
  out: Uint32Array,
  row: number,
): void {
  const size = 2 * (to - from);
  if (size > words.length) words = new Uint32Array(2 * size);
  for (let i = from; i < to; i++) {
    words[2 * (i - from)] = hashes[2 * functionOf[i]!]!;
    words[2 * (i - from) + 1] = hashes[2 * functionOf[i]! + 1]!;
  }
  hashWords(words, size);
  out.set(result, 2 * row);
}
