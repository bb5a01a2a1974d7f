/**
 * Keyed hashes of words and byte runs, and comparing of byte runs, eight bytes at a time. Byte runs may be read up to
 * 7 bytes after their end (arena's tail).
 *
 * All tables are keyed by contents of files, so the keys are secret: the host gives each instance a random seed. The
 * author of a file does not know the seed and cannot choose inputs that share a slot.
 *
 *   product(i, w)   (key 2i + lower half of w) · (key 2i+1 + upper half of w)
 *   row hash        finish(sum of the products of its words, each with two separate keys)
 *   run hash        per word: h = (h ^ h >> 32) · multiplier + product(0, w)
 *
 * The upper half of such a sum is strongly universal (Dietzfelbinger; Thorup, "pair-multiply-shift"). A difference
 * between two words reaches the product multiplied by a key, never unchanged, so a second difference cannot cancel it.
 * `finish` spreads the upper half over the bits that a table's mask takes.
 */

/** Bytes of a word: the second of a pair is so many bytes after the first. */
const WORD: usize = 8;
/** Words of a row that have separate keys. */
export const HASHED_WORDS: u32 = 8;

/** u64 each: two keys per word. Entries and tests without a host use these. */
const keys: usize = memory.data<u64>([
  0x9e3779b97f4a7c15, 0xd6e8feb86659fd93, 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3,
  0x589965cc75374cc3, 0x1d8e4e27c47d124f, 0xeb44accab455d165, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9,
  0x27d4eb2f165667c5, 0x85ebca77c2b2ae63, 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53, 0xbf58476d1ce4e5b9,
  0x94d049bb133111eb,
]);
/** Odd, so that multiplying loses nothing. */
let multiplier: u64 = 0x9fb21c651e98df25;
/** A number that is not 0 and that the author of a file cannot know. */
export let secret: u64 = 0x94d049bb133111eb;

/**
 * Derives all keys from `seed`. To be called while all tables are empty, because existing entries were placed by the
 * earlier keys.
 */
export function seedHashes(seed: u64): void {
  for (let i: usize = 0; i < <usize>HASHED_WORDS * 2; i++) {
    seed += 0x9e3779b97f4a7c15;
    store<u64>(keys + (i << 3), scrambled(seed));
  }
  multiplier = scrambled(seed + 0x9e3779b97f4a7c15) | 1;
  secret = scrambled(seed + 0x3c6ef372fe94f82a) | 1;
}

/** splitmix64's output function. */
function scrambled(z: u64): u64 {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/** Word `i` (below HASHED_WORDS) of a row as a summand of its hash. */
export function product(i: usize, word: u64): u64 {
  const at = keys + (i << 4);
  return (load<u64>(at) + (word & 0xffff_ffff)) * (load<u64>(at, WORD) + (word >> 32));
}

/** 32 bits of a sum of products, or of what `mix` gave last. */
export function finish(h: u64): u32 {
  return <u32>(((h ^ (h >> 32)) * multiplier) >> 32);
}

/** 32 bits that depend on all of a word. */
export function hashWord(word: u64): u32 {
  return finish(product(0, word));
}

/** Takes one more word of a run of any length into its hash. */
export function mix(h: u64, word: u64): u64 {
  return (h ^ (h >> 32)) * multiplier + product(0, word);
}

/** 32 bits that depend on all of `n` bytes at `p`, and on `n`. */
export function hashBytes(p: usize, n: u32): u32 {
  return finish(contentHash(p, n));
}

/** 64 such bits: the identity of a chunk or a message. Two words a step, with different keys. */
export function contentHash(p: usize, n: u32): u64 {
  let h: u64 = n;
  while (n >= 16) {
    h = (h ^ (h >> 32)) * multiplier + product(0, load<u64>(p)) + product(1, load<u64>(p, WORD));
    p += 16;
    n -= 16;
  }
  if (n >= 8) {
    h = mix(h, load<u64>(p));
    p += 8;
    n -= 8;
  }
  if (n !== 0) h = (h ^ (h >> 32)) * multiplier + product(1, load<u64>(p) & (((<u64>1) << (n << 3)) - 1));
  return h;
}

/** Whether two runs of `n` bytes are equal. */
export function equalBytes(a: usize, b: usize, n: u32): bool {
  while (n >= 16) {
    if (((load<u64>(a) ^ load<u64>(b)) | (load<u64>(a, WORD) ^ load<u64>(b, WORD))) !== 0) return false;
    a += 16;
    b += 16;
    n -= 16;
  }
  if (n >= 8) {
    if (load<u64>(a) !== load<u64>(b)) return false;
    a += 8;
    b += 8;
    n -= 8;
  }
  if (n === 0) return true;
  return ((load<u64>(a) ^ load<u64>(b)) & (((<u64>1) << (n << 3)) - 1)) === 0;
}
