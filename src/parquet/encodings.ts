/** Encodings of values: runs and packed bits, differences, plain values. */
import type { Sink } from "./sink.ts";

/** Bits of numbers up to this one. */
export function widthOf(most: number): number {
  return most === 0 ? 0 : 32 - Math.clz32(most);
}

/** Values that are the same, from this many on, become a run. */
const RUN = 8;

/** Parquet's mix of runs and packed groups of 8 numbers, each of `width` bits. */
export function putHybrid(out: Sink, values: Uint32Array | Uint8Array, from: number, to: number, width: number): void {
  let packed = from;
  let i = from;
  while (i < to) {
    const value = values[i]!;
    let end = i + 1;
    while (end < to && values[end] === value) end++;
    // A packed group before the run takes whole groups of 8, so it takes the first values of the run.
    const filled = i + ((RUN - ((i - packed) % RUN)) % RUN);
    if (end - filled < RUN) {
      i = end;
      continue;
    }
    if (filled > packed) putPacked(out, values, packed, filled, width);
    out.varint((end - filled) * 2);
    for (let shift = 0; shift < width; shift += 8) out.u8(value >>> shift);
    i = end;
    packed = end;
  }
  if (packed < to) putPacked(out, values, packed, to, width);
}

/** With wider numbers than this, a number and the bits left over before it do not fit 32 bits. */
const NARROW = 24;

function putPacked(out: Sink, values: Uint32Array | Uint8Array, from: number, to: number, width: number): void {
  const groups = Math.ceil((to - from) / 8);
  out.varint(groups * 2 + 1);
  const end = out.size + groups * width;
  out.reserve(groups * width + 8);
  const put = width <= NARROW ? packNarrow : packWide;
  const at = put(out.bytes, out.size, values, from, to, width);
  out.bytes.fill(0, at, end);
  out.size = end;
}

function packNarrow(
  bytes: Uint8Array,
  start: number,
  values: Uint32Array | Uint8Array,
  from: number,
  to: number,
  width: number,
): number {
  let at = start;
  let held = 0;
  let bits = 0;
  for (let i = from; i < to; i++) {
    held |= values[i]! << bits;
    bits += width;
    while (bits >= 8) {
      bytes[at++] = held;
      held >>>= 8;
      bits -= 8;
    }
  }
  if (bits > 0) bytes[at++] = held;
  return at;
}

function packWide(
  bytes: Uint8Array,
  start: number,
  values: Uint32Array | Uint8Array,
  from: number,
  to: number,
  width: number,
): number {
  let at = start;
  let held = 0;
  let bits = 0;
  for (let i = from; i < to; i++) {
    // At most 7 bits are left over, so that 39 bits fit a double exactly.
    held += values[i]! * 2 ** bits;
    bits += width;
    while (bits >= 8) {
      bytes[at++] = held;
      held = Math.floor(held / 256);
      bits -= 8;
    }
  }
  if (bits > 0) bytes[at++] = held;
  return at;
}

const BLOCK = 128;
const MINIBLOCKS = 4;
const MINI = BLOCK / MINIBLOCKS;
/** Differences are doubles: they are exact below this. */
const EXACT = 2 ** 52;
const steps = new Float64Array(BLOCK);

/**
 * DELTA_BINARY_PACKED of values of 64 bits, given by their halves, the lower one first. False, and nothing written, if
 * a difference is too large for it to pay off.
 */
export function putDeltas(out: Sink, words: Uint32Array, from: number, to: number): boolean {
  const start = out.size;
  const count = to - from;
  out.varint(BLOCK);
  out.varint(MINIBLOCKS);
  out.varint(count);
  if (count === 0) {
    out.varint(0);
    return true;
  }
  out.longZigzag((BigInt(words[2 * from + 1]! | 0) << 32n) | BigInt(words[2 * from]!));
  for (let i = from + 1; i < to; i += BLOCK) {
    const n = Math.min(BLOCK, to - i);
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < n; k++) {
      const at = 2 * (i + k);
      const step = ((words[at + 1]! | 0) - (words[at - 1]! | 0)) * 2 ** 32 + (words[at]! - words[at - 2]!);
      steps[k] = step;
      if (step < least) least = step;
      if (step > most) most = step;
    }
    if (!(least > -EXACT / 2 && most < EXACT / 2)) {
      out.size = start;
      return false;
    }
    putBlock(out, n, least);
  }
  return true;
}

function putBlock(out: Sink, n: number, least: number): void {
  out.zigzag(least);
  const widths = out.size;
  out.reserve(MINIBLOCKS + BLOCK * 8);
  out.bytes.fill(0, widths, widths + MINIBLOCKS);
  out.size += MINIBLOCKS;
  for (let mini = 0; mini * MINI < n; mini++) {
    const first = mini * MINI;
    const end = Math.min(n, first + MINI);
    let most = 0;
    for (let k = first; k < end; k++) {
      const more = steps[k]! - least;
      steps[k] = more;
      if (more > most) most = more;
    }
    const width = most < 2 ** 32 ? widthOf(most >>> 0) : 32 + widthOf(Math.floor(most / 2 ** 32));
    out.bytes[widths + mini] = width;
    steps.fill(0, end, first + MINI);
    putMiniblock(out, first, width);
  }
}

const miniblock = new Uint32Array(MINI);

function putMiniblock(out: Sink, first: number, width: number): void {
  if (width <= NARROW) {
    for (let k = 0; k < MINI; k++) miniblock[k] = steps[first + k]!;
    out.size = packNarrow(out.bytes, out.size, miniblock, 0, MINI, width);
    return;
  }
  const { bytes } = out;
  const lower = 2 ** NARROW;
  let at = out.size;
  let held = 0;
  let bits = 0;
  for (let k = first; k < first + MINI; k++) {
    // In pieces of at most 24 bits, which fit 32 bits with the 7 left over.
    let rest = steps[k]!;
    for (let left = width; left > 0; left -= NARROW) {
      const size = Math.min(left, NARROW);
      const upper = Math.floor(rest / lower);
      held |= (rest - upper * lower) << bits;
      rest = upper;
      for (bits += size; bits >= 8; bits -= 8) {
        bytes[at++] = held;
        held >>>= 8;
      }
    }
  }
  out.size = at;
}

/** Texts with their lengths. */
export function putTexts(out: Sink, texts: readonly Uint8Array[]): void {
  for (const text of texts) {
    out.u32(text.length);
    out.put(text);
  }
}
