/** Split block bloom filters of Parquet, of ids: xxHash64 with seed 0 of 8 bytes. */

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;
const P4: u64 = 0x85ebca77c2b2ae63;
const P5: u64 = 0x27d4eb2f165667c5;

function round(lane: u64, word: u64): u64 {
  return rotl<u64>(lane + word * P2, 31) * P1;
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
