/**
 * SHA-256 (FIPS 180-4), of which the first 16 bytes identify functions and stacks. Nobody can find two inputs with one
 * hash, so stacks with one hash have the same frames, whoever named them.
 */

const HASH: usize = 16;
const BLOCK: usize = 64;
/** Bytes of a state, and of the length in bits at the end of the last block. */
const STATE: usize = 32;
const LENGTH: usize = 8;
/** Hashes of functions in a block: two to this power. */
const SHIFT: u32 = 2;

const K: StaticArray<u32> = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];

/** Words of the block, the block that is filled, and its state. */
const words = memory.data(256);
const block = memory.data(64);
const last = memory.data(32);

/** Offsets of the state's words, by their names in FIPS 180-4; `a` is the first. */
const B: usize = 4;
const C: usize = 8;
const D: usize = 12;
const E: usize = 16;
const F: usize = 20;
const G: usize = 24;
const H: usize = 28;

function start(state: usize): void {
  store<u32>(state, 0x6a09e667);
  store<u32>(state, 0xbb67ae85, B);
  store<u32>(state, 0x3c6ef372, C);
  store<u32>(state, 0xa54ff53a, D);
  store<u32>(state, 0x510e527f, E);
  store<u32>(state, 0x9b05688c, F);
  store<u32>(state, 0x1f83d9ab, G);
  store<u32>(state, 0x5be0cd19, H);
}

function wordOf(i: u32): u32 {
  return load<u32>(words + ((<usize>i) << 2));
}

/** Takes the block at `from` into a state. */
function take(state: usize, from: usize): void {
  for (let i: u32 = 0; i < 16; i++) {
    const place = (<usize>i) << 2;
    store<u32>(words + place, bswap<u32>(load<u32>(from + place)));
  }
  for (let i: u32 = 16; i < 64; i++) {
    const x = wordOf(i - 15);
    const y = wordOf(i - 2);
    const low = rotr<u32>(x, 7) ^ rotr<u32>(x, 18) ^ (x >> 3);
    const high = rotr<u32>(y, 17) ^ rotr<u32>(y, 19) ^ (y >> 10);
    store<u32>(words + ((<usize>i) << 2), wordOf(i - 16) + low + wordOf(i - 7) + high);
  }
  let a = load<u32>(state);
  let b = load<u32>(state, B);
  let c = load<u32>(state, C);
  let d = load<u32>(state, D);
  let e = load<u32>(state, E);
  let f = load<u32>(state, F);
  let g = load<u32>(state, G);
  let h = load<u32>(state, H);
  for (let i: u32 = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first = h + (rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)) + choice + unchecked(K[i]) + wordOf(i);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  store<u32>(state, load<u32>(state) + a);
  store<u32>(state, load<u32>(state, B) + b, B);
  store<u32>(state, load<u32>(state, C) + c, C);
  store<u32>(state, load<u32>(state, D) + d, D);
  store<u32>(state, load<u32>(state, E) + e, E);
  store<u32>(state, load<u32>(state, F) + f, F);
  store<u32>(state, load<u32>(state, G) + g, G);
  store<u32>(state, load<u32>(state, H) + h, H);
}

/** Ends a message of `size` bytes, whose last ones are the first `rest` of the block, and writes its hash. */
function finish(state: usize, rest: usize, size: usize, out: usize): void {
  store<u8>(block + rest, 0x80);
  memory.fill(block + rest + 1, 0, BLOCK - rest - 1);
  if (rest + 1 > BLOCK - LENGTH) {
    take(state, block);
    memory.fill(block, 0, BLOCK);
  }
  store<u64>(block, bswap<u64>((<u64>size) << 3), BLOCK - LENGTH);
  take(state, block);
  for (let at: usize = 0; at < HASH; at += 4) store<u32>(out + at, bswap<u32>(load<u32>(state + at)));
}

/** The first 16 bytes of the SHA-256 of bytes. */
export function hashBytes(at: usize, size: usize, out: usize): void {
  const whole = size & ~(BLOCK - 1);
  start(last);
  for (let p = at; p < at + whole; p += BLOCK) take(last, p);
  memory.copy(block, at + whole, size - whole);
  finish(last, size - whole, size, out);
}

/** For few bytes, a multiple of eight: faster than a call of `memory.copy`. */
function copy(to: usize, from: usize, size: usize): void {
  for (let at: usize = 0; at < size; at += 8) store<u64>(to + at, load<u64>(from + at));
}

function functionAt(functions: usize, i: u32): u32 {
  return load<u32>(functions + ((<usize>i) << 2));
}

/** Copies hashes of `count` functions into the block: of those at `end - 1` and below, leaf first. */
function fill(hashes: usize, functions: usize, end: u32, count: u32): void {
  for (let k: u32 = 0; k < count; k++) {
    const from = hashes + <usize>functionAt(functions, end - 1 - k) * HASH;
    copy(block + <usize>k * HASH, from, HASH);
  }
}

/**
 * Hashes of `count` stacks: of the hashes of their functions from the root on. `functions` has the function of each
 * frame, leaf first; stack i has the frames [starts[i], starts[i] + sizes[i]). Stacks that follow each other mostly
 * share their roots, so the states after these blocks stay in `states`, which has room for one more than the blocks
 * of the longest stack.
 */
export function hashStacks(
  hashes: usize,
  functions: usize,
  starts: usize,
  sizes: usize,
  count: u32,
  states: usize,
  out: usize,
): void {
  start(states);
  let before: usize = 0;
  let sizeBefore: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const own = functions + ((<usize>load<u32>(starts + ((<usize>i) << 2))) << 2);
    const size = load<u32>(sizes + ((<usize>i) << 2));
    const most = min(size, sizeBefore);
    let shared: u32 = 0;
    while (shared < most && functionAt(own, size - 1 - shared) === functionAt(before, sizeBefore - 1 - shared))
      shared++;
    const blocks = size >> SHIFT;
    for (let k = shared >> SHIFT; k < blocks; k++) {
      const state = states + <usize>k * STATE;
      copy(state + STATE, state, STATE);
      fill(hashes, own, size - (k << SHIFT), 1 << SHIFT);
      take(state + STATE, block);
    }
    const rest = size - (blocks << SHIFT);
    copy(last, states + <usize>blocks * STATE, STATE);
    fill(hashes, own, rest, rest);
    finish(last, <usize>rest * HASH, <usize>size * HASH, out + <usize>i * HASH);
    before = own;
    sizeBefore = size;
  }
}
