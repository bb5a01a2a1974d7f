/**
 * xxHash64 with seed 0, on halves of 32 bits: numbers of 64 bits are too slow in JavaScript for each id and frame. The
 * result of each function is in `result`.
 */

/**
 * Halves of the last hash, the lower one first. In an array, because V8 allocates memory for a number of more than 31
 * bits that is assigned to a variable of a module.
 */
export const result = new Uint32Array(2);

// The primes of xxHash64.
const P1H = 0x9e3779b1;
const P1L = 0x85ebca87;
const P2H = 0xc2b2ae3d;
const P2L = 0x27d4eb4f;
const P3H = 0x165667b1;
const P3L = 0x9e3779f9;
const P4H = 0x85ebca77;
const P4L = 0xc2b2ae63;
const P5H = 0x27d4eb2f;
const P5L = 0x165667c5;

/** Multiplies the result by (h, l). */
function multiply(h: number, l: number): void {
  const a0 = result[0]! & 0xffff;
  const a1 = result[0]! >>> 16;
  const b0 = l & 0xffff;
  const b1 = l >>> 16;
  const p00 = a0 * b0;
  const p01 = a0 * b1;
  const p10 = a1 * b0;
  const middle = (p00 >>> 16) + (p01 & 0xffff) + (p10 & 0xffff);
  result[1] =
    (a1 * b1 + (p01 >>> 16) + (p10 >>> 16) + (middle >>> 16) + Math.imul(result[0]!, h) + Math.imul(result[1]!, l)) >>>
    0;
  result[0] = ((middle << 16) | (p00 & 0xffff)) >>> 0;
}

function add(h: number, l: number): void {
  const sum = result[0]! + l;
  result[1] = (result[1]! + h + (sum > 0xffffffff ? 1 : 0)) >>> 0;
  result[0] = sum >>> 0;
}

/** Rotates to the left by less than 32 bits. */
function rotate(bits: number): void {
  const h = result[1]!;
  result[1] = ((h << bits) | (result[0]! >>> (32 - bits))) >>> 0;
  result[0] = ((result[0]! << bits) | (h >>> (32 - bits))) >>> 0;
}

function xor(h: number, l: number): void {
  result[1] = (result[1]! ^ h) >>> 0;
  result[0] = (result[0]! ^ l) >>> 0;
}

function finish(): void {
  xor(0, result[1]! >>> 1);
  multiply(P2H, P2L);
  xor(result[1]! >>> 29, ((result[1]! << 3) | (result[0]! >>> 29)) >>> 0);
  multiply(P3H, P3L);
  xor(0, result[1]!);
}

/** Continues the hash (h, l) by a word of 8 bytes. */
function step(h: number, l: number, wordHigh: number, wordLow: number): void {
  result[1] = wordHigh;
  result[0] = wordLow;
  multiply(P2H, P2L);
  rotate(31);
  multiply(P1H, P1L);
  xor(h, l);
  rotate(27);
  multiply(P1H, P1L);
  add(P4H, P4L);
}

/** The hash of 8 bytes, little-endian. */
export function hashWord(wordHigh: number, wordLow: number): void {
  step(P5H, (P5L + 8) >>> 0, wordHigh, wordLow);
  finish();
}

/** The four accumulators of long inputs, the upper half of each first. */
const lanes = new Uint32Array(8);

function round(lane: number, wordHigh: number, wordLow: number): void {
  result[1] = wordHigh;
  result[0] = wordLow;
  multiply(P2H, P2L);
  add(lanes[lane]!, lanes[lane + 1]!);
  rotate(31);
  multiply(P1H, P1L);
  lanes[lane] = result[1]!;
  lanes[lane + 1] = result[0]!;
}

function merge(lane: number): void {
  const h = result[1]!;
  const l = result[0]!;
  result[1] = lanes[lane]!;
  result[0] = lanes[lane + 1]!;
  multiply(P2H, P2L);
  rotate(31);
  multiply(P1H, P1L);
  xor(h, l);
  multiply(P1H, P1L);
  add(P4H, P4L);
}

function rotatedLane(lane: number, bits: number): void {
  result[1] = lanes[lane]!;
  result[0] = lanes[lane + 1]!;
  rotate(bits);
}

/** The state after all whole stripes of 32 bytes; `words` has halves, the lower one first. Returns the words taken. */
function stripes(words: Uint32Array, count: number): number {
  result[1] = P1H;
  result[0] = P1L;
  add(P2H, P2L);
  lanes.set([result[1]!, result[0]!, P2H, P2L, 0, 0, ~P1H, -P1L]);
  let at = 0;
  for (; at + 8 <= count; at += 8) {
    for (let lane = 0; lane < 8; lane += 2) round(lane, words[at + lane + 1]!, words[at + lane]!);
  }
  let sumHigh = 0;
  let sumLow = 0;
  for (let i = 0; i < 4; i++) {
    rotatedLane(2 * i, LANE_BITS[i]!);
    add(sumHigh, sumLow);
    sumHigh = result[1]!;
    sumLow = result[0]!;
  }
  for (let i = 0; i < 4; i++) merge(2 * i);
  return at;
}

const LANE_BITS = [1, 7, 12, 18];

/** The hash of the first `count` halves of numbers of 64 bits, the lower one first: of their bytes, little-endian. */
export function hashWords(words: Uint32Array, count: number): void {
  let at = 0;
  if (count >= 8) at = stripes(words, count);
  else {
    result[1] = P5H;
    result[0] = P5L;
  }
  add(0, 4 * count);
  for (; at < count; at += 2) step(result[1]!, result[0]!, words[at + 1]!, words[at]!);
  finish();
}

/** The hash of bytes. */
export function hashBytes(bytes: Uint8Array): void {
  const word = (at: number) =>
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  let at = 0;
  if (bytes.length >= 32)
    at = 4 * stripes(new Uint32Array(bytes.slice(0, bytes.length & ~31).buffer), (bytes.length & ~31) / 4);
  else {
    result[1] = P5H;
    result[0] = P5L;
  }
  add(0, bytes.length);
  for (; at + 8 <= bytes.length; at += 8) step(result[1]!, result[0]!, word(at + 4), word(at));
  if (at + 4 <= bytes.length) {
    const h = result[1]!;
    const l = result[0]!;
    result[1] = 0;
    result[0] = word(at);
    multiply(P1H, P1L);
    xor(h, l);
    rotate(23);
    multiply(P2H, P2L);
    add(P3H, P3L);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    const h = result[1]!;
    const l = result[0]!;
    result[1] = 0;
    result[0] = bytes[at]!;
    multiply(P5H, P5L);
    xor(h, l);
    rotate(11);
    multiply(P1H, P1L);
  }
  finish();
}
