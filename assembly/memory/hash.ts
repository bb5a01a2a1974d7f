/** Hashing and comparing of byte runs, eight bytes at a time. Both may read up to 7 bytes behind the run (arena's tail). */

const K1: u64 = 0x9e3779b97f4a7c15;
const K2: u64 = 0xd6e8feb86659fd93;

/** 32 bits that depend on all of `n` bytes at `p`. Two lanes, for a multiplication takes as long as two words to load. */
export function hashBytes(p: usize, n: u32): u32 {
  let h: u64 = (<u64>n + 1) * K2;
  let g: u64 = K1;
  while (n >= 16) {
    h = (h ^ load<u64>(p)) * K1;
    g = (g ^ load<u64>(p, 8)) * K2;
    h ^= h >> 29;
    g ^= g >> 31;
    p += 16;
    n -= 16;
  }
  if (n >= 8) {
    h = (h ^ load<u64>(p)) * K1;
    h ^= h >> 29;
    p += 8;
    n -= 8;
  }
  if (n !== 0) g = (g ^ (load<u64>(p) & (((<u64>1) << (n << 3)) - 1))) * K2;
  h = (h ^ g ^ (g >> 32)) * K1;
  h ^= h >> 29;
  return <u32>((h * K2) >> 32);
}

/** Mixes one more word into a running 64-bit hash; `finish` turns it into 32 bits. */
export function mix(h: u64, word: u64): u64 {
  h = (h ^ word) * K1;
  return h ^ (h >> 29);
}

export function finish(h: u64): u32 {
  return <u32>((h * K2) >> 32);
}

/** Whether two runs of `n` bytes are equal. */
export function equalBytes(a: usize, b: usize, n: u32): bool {
  while (n >= 16) {
    if (((load<u64>(a) ^ load<u64>(b)) | (load<u64>(a, 8) ^ load<u64>(b, 8))) !== 0) return false;
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
