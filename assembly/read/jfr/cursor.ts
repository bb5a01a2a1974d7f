/**
 * The reading position inside one chunk: module globals, because a cursor in an object costs up to 2.5 times as much. A
 * read beyond the limit sets `overrun`, gives 0 and stays at the limit; nothing traps.
 *
 * Integers of a chunk are either "compressed" or big-endian fixed-width (bit 0 of the header's flags). Compressed:
 * little-endian base 128, at most nine bytes, of which the ninth carries eight bits:
 *
 *   1ggggggg 1ggggggg … 0ggggggg            up to 8 groups of 7 bits
 *   1ggggggg × 8        bbbbbbbb            bits 56 to 63 as they are
 */

let at: usize = 0;
let limit: usize = 0;

/** Some read since the last `seek` went beyond the limit. */
export let overrun: bool = false;
/** Whether integers are varints. */
export let compressed: bool = true;

export function setCompressed(on: bool): void {
  compressed = on;
}

export function seek(p: usize, end: usize): void {
  at = p;
  limit = end;
  overrun = p > end;
}

export function position(): usize {
  return at;
}

export function end(): usize {
  return limit;
}

/** Bytes left before the limit. */
export function left(): u32 {
  return at < limit ? <u32>(limit - at) : 0;
}

function fail(): u64 {
  overrun = true;
  at = limit;
  return 0;
}

/** Unsigned 64-bit varint. The loads may reach beyond the limit (the input has slack), the result may not. */
export function varLong(): u64 {
  const p = at;
  let w = load<u64>(p);
  if ((w & 0x80) === 0) {
    if (p >= limit) return fail();
    at = p + 1;
    return w & 0x7f;
  }
  const stop = ~w & 0x8080808080808080;
  const n: usize = stop === 0 ? 9 : <usize>(ctz<u64>(stop) >> 3) + 1;
  if (p + n > limit) return fail();
  at = p + n;
  if (n < 8) w &= ((<u64>1) << ((<u64>n) << 3)) - 1;
  w &= 0x7f7f7f7f7f7f7f7f;
  w = (w & 0x007f007f007f007f) | ((w & 0x7f007f007f007f00) >> 1);
  w = (w & 0x00003fff00003fff) | ((w & 0x3fff00003fff0000) >> 2);
  w = (w & 0x000000000fffffff) | ((w & 0x0fffffff00000000) >> 4);
  return n === 9 ? w | ((<u64>load<u8>(p, 8)) << 56) : w;
}

/** `n` raw bytes, big-endian, n = 1, 2, 4 or 8. */
export function fixed(n: u32): u64 {
  if (left() < n) return fail();
  const p = at;
  at = p + n;
  if (n === 8) return bswap<u64>(load<u64>(p));
  if (n === 4) return bswap<u32>(load<u32>(p));
  if (n === 2) return bswap<u16>(load<u16>(p));
  return load<u8>(p);
}

/** A long, a reference into a pool, a tick count or a type id. */
export function readLong(): u64 {
  return compressed ? varLong() : fixed(8);
}

/** An int, a size or a count: the low 32 bits, whatever way the writer extended the sign. */
export function readInt(): u32 {
  return compressed ? <u32>varLong() : <u32>fixed(4);
}

export function readByte(): u32 {
  const p = at;
  if (p >= limit) return <u32>fail();
  at = p + 1;
  return load<u8>(p);
}

export function skipBytes(n: u32): void {
  if (left() < n) fail();
  else at += n;
}

/**
 * Bit mask over the 64 bytes at `p`: a bit is set if its byte does not end a varint, provided that no varint has nine
 * bytes. May load beyond the limit: the input has slack.
 */
function moreAt(p: usize): u64 {
  const a = <u64>(<u32>i8x16.bitmask(v128.load(p)));
  const b = <u64>(<u32>i8x16.bitmask(v128.load(p, 16)));
  const c = <u64>(<u32>i8x16.bitmask(v128.load(p, 32)));
  const d = <u64>(<u32>i8x16.bitmask(v128.load(p, 48)));
  return a | (b << 16) | (c << 32) | (d << 48);
}

/** Skips a few varints, 8 bytes at a time. */
export function skipFew(n: u32): void {
  let p = at;
  while (n !== 0 && p < limit) {
    let stops = ~load<u64>(p) & 0x8080808080808080;
    const there = <u32>popcnt<u64>(stops);
    if (there >= n) {
      while (--n !== 0) stops &= stops - 1;
      p += <usize>(ctz<u64>(stops) >> 3) + 1;
      break;
    }
    // Without an end among 8 bytes, the ninth is the last one.
    p += there === 0 ? 9 : 8 - <usize>(clz<u64>(stops) >> 3);
    n -= max<u32>(there, 1);
  }
  if (n !== 0 || p > limit) fail();
  else at = p;
}

/** Place of the `n`-th lowest bit of a word that has so many. */
function placeOf(word: u64, n: u32): usize {
  let place: usize = 0;
  for (let half: u32 = 32; half > 4; half >>= 1) {
    const below = <u32>popcnt<u64>(word & (((<u64>1) << (<u64>half)) - 1));
    const above = n > below;
    n -= select<u32>(below, 0, above);
    place += select<usize>(<usize>half, 0, above);
    word >>= select<u64>(<u64>half, 0, above);
  }
  while (n > 1) {
    word &= word - 1;
    n--;
  }
  return place + <usize>ctz<u64>(word);
}

/**
 * Skips `n` varints by counting the bytes that end one, 64 bytes at a time. A ninth byte ends its varint whatever it
 * holds, so eight continuation bytes in a row (which counting would misread) send the rest to the byte loop.
 */
export function skipVarints(n: u32): void {
  let p = at;
  // Continuation bytes just before `p`.
  let run: u64 = 0;
  while (n !== 0 && p < limit) {
    const more = moreAt(p);
    let eight = more & (more >> 1);
    eight &= eight >> 2;
    eight &= eight >> 4;
    if (eight !== 0 || run + ctz<u64>(~more) > 7) {
      skipSlowly(p, n, <u32>run);
      return;
    }
    const count = <u32>popcnt<u64>(~more);
    if (count < n) {
      n -= count;
      run = clz<u64>(~more);
      p += 64;
    } else {
      p += placeOf(~more, n) + 1;
      n = 0;
    }
  }
  if (n !== 0 || p > limit) fail();
  else at = p;
}

/** Byte by byte from `p`, where `run` continuation bytes of the first varint were passed already. */
function skipSlowly(p: usize, n: u32, run: u32): void {
  while (n !== 0) {
    if (p >= limit) {
      fail();
      return;
    }
    if (load<u8>(p) < 0x80) {
      n--;
      run = 0;
    } else if (++run === 8) {
      p++;
      n--;
      run = 0;
    }
    p++;
  }
  if (p > limit) fail();
  else at = p;
}
