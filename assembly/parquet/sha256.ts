/** SHA-256 (FIPS 180-4), of which stack hashes keep the first 16 bytes: of display names, and of the frames of stacks. */

const BLOCK: usize = 64;
/** Bytes of a message's length, which end its last block. */
const LENGTH: usize = 8;
/** Bytes of a hash that are kept. */
const KEPT: usize = 16;

const CONSTANTS = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
/** The words of a block, to which `block` adds the others. */
const WORDS = memory.data(256);
const STATE = memory.data(32);
/** The last bytes of a message with their padding. */
const TAIL = memory.data(128);

function first(e: u32, f: u32, g: u32, h: u32, t: usize): u32 {
  const mixed = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25);
  return h + mixed + (g ^ (e & (f ^ g))) + load<u32>(CONSTANTS + t) + load<u32>(WORDS + t);
}

function second(a: u32, b: u32, c: u32): u32 {
  return (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + ((a & b) | (c & (a | b)));
}

function block(at: usize): void {
  for (let i: usize = 0; i < BLOCK; i += 4) store<u32>(WORDS + i, bswap<u32>(load<u32>(at + i)));
  for (let i = WORDS; i < WORDS + 192; i += 4) {
    const near = load<u32>(i, 4);
    const far = load<u32>(i, 56);
    const low = rotr<u32>(near, 7) ^ rotr<u32>(near, 18) ^ (near >> 3);
    const high = rotr<u32>(far, 17) ^ rotr<u32>(far, 19) ^ (far >> 10);
    store<u32>(i, load<u32>(i) + low + load<u32>(i, 36) + high, 64);
  }
  let a = load<u32>(STATE);
  let b = load<u32>(STATE, 4);
  let c = load<u32>(STATE, 8);
  let d = load<u32>(STATE, 12);
  let e = load<u32>(STATE, 16);
  let f = load<u32>(STATE, 20);
  let g = load<u32>(STATE, 24);
  let h = load<u32>(STATE, 28);
  let x: u32 = 0;
  // Eight rounds, after which each variable is in its place again.
  for (let t: usize = 0; t < 256; t += 32) {
    x = first(e, f, g, h, t);
    d += x;
    h = x + second(a, b, c);
    x = first(d, e, f, g, t + 4);
    c += x;
    g = x + second(h, a, b);
    x = first(c, d, e, f, t + 8);
    b += x;
    f = x + second(g, h, a);
    x = first(b, c, d, e, t + 12);
    a += x;
    e = x + second(f, g, h);
    x = first(a, b, c, d, t + 16);
    h += x;
    d = x + second(e, f, g);
    x = first(h, a, b, c, t + 20);
    g += x;
    c = x + second(d, e, f);
    x = first(g, h, a, b, t + 24);
    f += x;
    b = x + second(c, d, e);
    x = first(f, g, h, a, t + 28);
    e += x;
    a = x + second(b, c, d);
  }
  store<u32>(STATE, load<u32>(STATE) + a);
  store<u32>(STATE, load<u32>(STATE, 4) + b, 4);
  store<u32>(STATE, load<u32>(STATE, 8) + c, 8);
  store<u32>(STATE, load<u32>(STATE, 12) + d, 12);
  store<u32>(STATE, load<u32>(STATE, 16) + e, 16);
  store<u32>(STATE, load<u32>(STATE, 20) + f, 20);
  store<u32>(STATE, load<u32>(STATE, 24) + g, 24);
  store<u32>(STATE, load<u32>(STATE, 28) + h, 28);
}

/** Writes the first 16 bytes of the hash of `size` bytes to `out`. */
export function hashBytes(at: usize, size: usize, out: usize): void {
  store<u32>(STATE, 0x6a09e667);
  store<u32>(STATE, 0xbb67ae85, 4);
  store<u32>(STATE, 0x3c6ef372, 8);
  store<u32>(STATE, 0xa54ff53a, 12);
  store<u32>(STATE, 0x510e527f, 16);
  store<u32>(STATE, 0x9b05688c, 20);
  store<u32>(STATE, 0x1f83d9ab, 24);
  store<u32>(STATE, 0x5be0cd19, 28);
  let p = at;
  for (const whole = at + (size & ~(BLOCK - 1)); p < whole; p += BLOCK) block(p);
  const left = at + size - p;
  const padded: usize = left + 1 + LENGTH > BLOCK ? 2 * BLOCK : BLOCK;
  memory.copy(TAIL, p, left);
  memory.fill(TAIL + left, 0, padded - left);
  store<u8>(TAIL + left, 0x80);
  store<u64>(TAIL + padded - LENGTH, bswap<u64>((<u64>size) << 3));
  for (let i: usize = 0; i < padded; i += BLOCK) block(TAIL + i);
  for (let i: usize = 0; i < KEPT; i += 4) store<u32>(out + i, bswap<u32>(load<u32>(STATE + i)));
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
    const from = functions + ((<usize>load<u32>(starts + ((<usize>i) << 2))) << 2);
    const size = load<u32>(sizes + ((<usize>i) << 2));
    for (let k: u32 = 0; k < size; k++) {
      const hash = hashes + ((<usize>load<u32>(from + ((<usize>k) << 2))) << 4);
      const place = scratch + ((<usize>k) << 4);
      store<u64>(place, load<u64>(hash));
      store<u64>(place, load<u64>(hash, 8), 8);
    }
    hashBytes(scratch, (<usize>size) << 4, out + ((<usize>i) << 4));
  }
}
