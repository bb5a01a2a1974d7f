/** xxHash64 with seed 0: of bytes, of the frames of stacks, and of ids in the split block bloom filters of Parquet. */

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;
const P4: u64 = 0x85ebca77c2b2ae63;
const P5: u64 = 0x27d4eb2f165667c5;

/** Words of a stripe after the first. */
const SECOND: usize = 8;
const THIRD: usize = 16;
const FOURTH: usize = 24;
const STRIPE: usize = 32;

function round(lane: u64, word: u64): u64 {
  return rotl<u64>(lane + word * P2, 31) * P1;
}

function merged(hash: u64, lane: u64): u64 {
  return (hash ^ round(0, lane)) * P1 + P4;
}

function step(hash: u64, word: u64): u64 {
  return rotl<u64>(hash ^ round(0, word), 27) * P1 + P4;
}

function finished(hash: u64): u64 {
  let h = hash ^ (hash >> 33);
  h *= P2;
  h ^= h >> 29;
  h *= P3;
  return h ^ (h >> 32);
}

function combined(a: u64, b: u64, c: u64, d: u64): u64 {
  let hash = rotl<u64>(a, 1) + rotl<u64>(b, 7) + rotl<u64>(c, 12) + rotl<u64>(d, 18);
  hash = merged(hash, a);
  hash = merged(hash, b);
  hash = merged(hash, c);
  return merged(hash, d);
}

export function hashBytes(at: usize, size: usize): u64 {
  let p = at;
  const end = at + size;
  let hash = P5;
  if (size >= STRIPE) {
    let a = P1 + P2;
    let b = P2;
    let c: u64 = 0;
    let d: u64 = 0 - P1;
    for (; p + STRIPE <= end; p += STRIPE) {
      a = round(a, load<u64>(p));
      b = round(b, load<u64>(p, SECOND));
      c = round(c, load<u64>(p, THIRD));
      d = round(d, load<u64>(p, FOURTH));
    }
    hash = combined(a, b, c, d);
  }
  hash += size;
  for (; p + 8 <= end; p += 8) hash = step(hash, load<u64>(p));
  if (p + 4 <= end) {
    hash = rotl<u64>(hash ^ (<u64>load<u32>(p) * P1), 23) * P2 + P3;
    p += 4;
  }
  for (; p < end; p++) hash = rotl<u64>(hash ^ (<u64>load<u8>(p) * P5), 11) * P1;
  return finished(hash);
}

/**
 * Hashes of `count` stacks: of the hashes of their frames, leaf first. `functions` has the function of each frame,
 * `hashes` the hash of each function; stack i has the frames [starts[i], starts[i] + sizes[i]).
 */
export function hashStacks(
  hashes: usize,
  functions: usize,
  starts: usize,
  sizes: usize,
  count: u32,
  scratch: usize,
  out: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const first = functions + ((<usize>load<u32>(starts + ((<usize>i) << 2))) << 2);
    const size = load<u32>(sizes + ((<usize>i) << 2));
    for (let k: u32 = 0; k < size; k++) {
      const fn = load<u32>(first + ((<usize>k) << 2));
      store<u64>(scratch + ((<usize>k) << 3), load<u64>(hashes + ((<usize>fn) << 3)));
    }
    store<u64>(out + ((<usize>i) << 3), hashBytes(scratch, (<usize>size) << 3));
  }
}

const BLOCK_BYTES: u64 = 32;

/** Sets the bits of `count` numbers of 64 bits in a filter of `blocks` blocks. */
export function bloom(words: usize, count: u32, bits: usize, blocks: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const hash = finished(step(P5 + 8, load<u64>(words + ((<usize>i) << 3))));
    const block = bits + <usize>((((hash >> 32) * <u64>blocks) >> 32) * BLOCK_BYTES);
    const low = <u32>hash;
    // The salts of the format's specification.
    setBit(block, low * 0x47b6137b);
    setBit(block + 4, low * 0x44974d91);
    setBit(block + 8, low * 0x8824ad5b);
    setBit(block + 12, low * 0xa2b7289d);
    setBit(block + 16, low * 0x705495c7);
    setBit(block + 20, low * 0x2df1424b);
    setBit(block + 24, low * 0x9efc4947);
    setBit(block + 28, low * 0x5c6bfb31);
  }
}

function setBit(word: usize, salted: u32): void {
  store<u32>(word, load<u32>(word) | ((<u32>1) << (salted >> 27)));
}
