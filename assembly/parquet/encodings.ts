/**
 * Encodings of Parquet: runs mixed with packed bits, and differences. Every function writes to `out`, which has room
 * for the longest result, and returns the end of what it wrote.
 */

/** As many equal values become a run. */
const RUN: u32 = 8;

function varint(out: usize, value: u64): usize {
  let p = out;
  let rest = value;
  for (; rest >= 0x80; rest >>= 7) store<u8>(p++, <u8>rest | 0x80);
  store<u8>(p++, <u8>rest);
  return p;
}

/** Numbers of 32 bits with `width` bits each. */
export function hybrid(values: usize, count: u32, width: u32, out: usize): usize {
  return mixed<u32>(values, count, width, out);
}

/** Numbers of 8 bits: levels. */
export function hybridBytes(values: usize, count: u32, width: u32, out: usize): usize {
  return mixed<u8>(values, count, width, out);
}

function at<T>(values: usize, i: u32): u32 {
  return <u32>load<T>(values + <usize>i * sizeof<T>());
}

/** The end of the run of equal values that begins at `i`. It compares 8 bytes at a time. */
export function runEnd<T>(values: usize, i: u32, count: u32): u32 {
  const value = at<T>(values, i);
  const wide = <u32>(8 / sizeof<T>());
  const all: u64 = sizeof<T>() === 1 ? <u64>value * 0x0101_0101_0101_0101 : ((<u64>value) << 32) | <u64>value;
  let end = i + 1;
  while (end + wide <= count && load<u64>(values + <usize>end * sizeof<T>()) === all) end += wide;
  while (end < count && at<T>(values, end) === value) end++;
  return end;
}

function mixed<T>(values: usize, count: u32, width: u32, out: usize): usize {
  let p = out;
  let packed: u32 = 0;
  let i: u32 = 0;
  while (i < count) {
    const value = at<T>(values, i);
    let end = i + 1;
    if (end < count && at<T>(values, end) === value) end = runEnd<T>(values, i, count);
    // A packed group before the run takes whole groups of 8, so it takes the first values of the run.
    const filled = i + ((RUN - ((i - packed) & (RUN - 1))) & (RUN - 1));
    if (end < filled + RUN) {
      i = end;
      continue;
    }
    if (filled > packed) p = groups<T>(values, packed, filled, width, p);
    p = varint(p, (<u64>(end - filled)) << 1);
    for (let shift: u32 = 0; shift < width; shift += 8) store<u8>(p++, <u8>(value >> shift));
    i = end;
    packed = end;
  }
  return packed < count ? groups<T>(values, packed, count, width, p) : p;
}

/** Packed groups of 8 values; the last one is filled with zeros. */
function groups<T>(values: usize, from: u32, to: u32, width: u32, out: usize): usize {
  const count = (to - from + 7) >> 3;
  let p = varint(out, ((<u64>count) << 1) | 1);
  const end = p + <usize>count * <usize>width;
  let held: u64 = 0;
  let bits: u32 = 0;
  for (let i = from; i < to; i++) {
    held |= (<u64>at<T>(values, i)) << bits;
    bits += width;
    if (bits >= 32) {
      store<u32>(p, <u32>held);
      p += 4;
      held >>= 32;
      bits -= 32;
    }
  }
  for (; bits > 0; bits = bits > 8 ? bits - 8 : 0) {
    store<u8>(p++, <u8>held);
    held >>= 8;
  }
  memory.fill(p, 0, end - p);
  return end;
}

const BLOCK: u32 = 128;
const MINIBLOCKS: u32 = 4;
const MINI: u32 = BLOCK / MINIBLOCKS;
/** Larger differences do not pay off. */
const WIDEST: i64 = 1 << 51;

const steps: usize = memory.data(128 * 8, 8);

function zigzag(value: i64): u64 {
  return <u64>((value << 1) ^ (value >> 63));
}

/** DELTA_BINARY_PACKED of numbers of 64 bits; 0 if a difference is too large. */
export function deltas(values: usize, count: u32, out: usize): usize {
  return differences<i64>(values, count, out);
}

/** DELTA_BINARY_PACKED of numbers of 32 bits; 0 if a difference is too large. */
export function intDeltas(values: usize, count: u32, out: usize): usize {
  return differences<i32>(values, count, out);
}

function differences<T>(values: usize, count: u32, out: usize): usize {
  let p = varint(varint(varint(out, BLOCK), MINIBLOCKS), count);
  if (count === 0) return varint(p, 0);
  p = varint(p, zigzag(<i64>load<T>(values)));
  for (let i: u32 = 1; i < count; i += BLOCK) {
    const n = min(BLOCK, count - i);
    let least = i64.MAX_VALUE;
    let most = i64.MIN_VALUE;
    for (let k: u32 = 0; k < n; k++) {
      const place = values + <usize>(i + k) * sizeof<T>();
      const step = <i64>load<T>(place) - <i64>load<T>(place - sizeof<T>());
      store<i64>(steps + ((<usize>k) << 3), step);
      least = min(least, step);
      most = max(most, step);
    }
    if (least <= -WIDEST || most >= WIDEST) return 0;
    p = block(p, n, least);
  }
  return p;
}

function block(out: usize, count: u32, least: i64): usize {
  const widths = varint(out, zigzag(least));
  let p = widths + MINIBLOCKS;
  store<u32>(widths, 0);
  for (let mini: u32 = 0; mini * MINI < count; mini++) {
    const first = mini * MINI;
    const n = min(MINI, count - first);
    let most: u64 = 0;
    for (let k: u32 = 0; k < n; k++) {
      const place = steps + ((<usize>(first + k)) << 3);
      const more = <u64>(load<i64>(place) - least);
      store<u64>(place, more);
      most = max(most, more);
    }
    if (n < MINI) memory.fill(steps + ((<usize>(first + n)) << 3), 0, (<usize>(MINI - n)) << 3);
    const width = 64 - <u32>clz<u64>(most);
    store<u8>(widths + mini, <u8>width);
    p = miniblock(p, first, width);
  }
  return p;
}

function miniblock(out: usize, first: u32, width: u32): usize {
  let p = out;
  let held: u64 = 0;
  let bits: u32 = 0;
  for (let k: u32 = 0; k < MINI; k++) {
    let value = load<u64>(steps + ((<usize>(first + k)) << 3));
    let left = width;
    if (left > 32) {
      // At most 31 bits are left over before it.
      held |= (value & 0xffffffff) << bits;
      store<u32>(p, <u32>held);
      p += 4;
      held >>= 32;
      value >>= 32;
      left -= 32;
    }
    held |= value << bits;
    bits += left;
    if (bits >= 32) {
      store<u32>(p, <u32>held);
      p += 4;
      held >>= 32;
      bits -= 32;
    }
  }
  // 32 values take whole words.
  return p;
}
