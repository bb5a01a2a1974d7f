/**
 * Digits: numbers as ASCII. Every function writes at `p`, may touch the 8 bytes after its result, and returns the byte
 * after it.
 */
import { dtoa_buffered } from "util/number";
import { putHex } from "../memory/ascii";

const ZEROS: u64 = 0x3030303030303030;

/**
 * The eight decimal digits of `v` < 10⁸, one per byte, first digit lowest: halves, then pairs, then digits side by
 * side.
 */
function spread8(v: u32): u64 {
  const high = v / 10000;
  let w = ((<u64>(v - high * 10000)) << 32) | <u64>high;
  const hundreds = ((w * 10486) >> 20) & 0x7f_0000_007f;
  w = hundreds | ((w - hundreds * 100) << 16);
  const tens = ((w * 103) >> 10) & 0x000f_000f_000f_000f;
  return tens | ((w - tens * 10) << 8);
}

function put8(p: usize, v: u32): usize {
  store<u64>(p, spread8(v) | ZEROS);
  return p + 8;
}

/** `v` < 10⁸ without leading zeros. */
function putShort(p: usize, v: u32): usize {
  const digits = spread8(v);
  // The bit at 56 keeps the last digit of zero.
  const skip = <u32>ctz<u64>(digits | ((<u64>1) << 56)) & 0x38;
  store<u64>(p, (digits | ZEROS) >> skip);
  return p + 8 - (skip >> 3);
}

export function putDecimal(p: usize, v: u64): usize {
  if (v < 10) {
    store<u8>(p, <u8>v + 0x30);
    return p + 1;
  }
  if (v < 100_000_000) return putShort(p, <u32>v);
  const high = v / 100_000_000;
  const low = <u32>(v - high * 100_000_000);
  if (high < 100_000_000) return put8(putShort(p, <u32>high), low);
  const top = high / 100_000_000;
  return put8(put8(putShort(p, <u32>top), <u32>(high - top * 100_000_000)), low);
}

export function putSigned(p: usize, v: i64): usize {
  if (v >= 0) return putDecimal(p, v);
  store<u8>(p, 0x2d);
  return putDecimal(p + 1, 0 - <u64>v);
}

const MILLION: u64 = 1_000_000;

/** Nanoseconds as milliseconds: `1.5` of 1,500,000, exact, without zeros at the end. */
export function putMillis(p: usize, v: i64): usize {
  const size = v < 0 ? 0 - <u64>v : <u64>v;
  if (v < 0) {
    store<u8>(p, 0x2d);
    p += 1;
  }
  p = putDecimal(p, size / MILLION);
  let rest = <u32>(size % MILLION);
  if (rest === 0) return p;
  let digits: u32 = 6;
  while (rest % 10 === 0) {
    rest /= 10;
    digits--;
  }
  store<u8>(p, 0x2e);
  p += 1;
  for (let i = digits; i > 0; i--) {
    store<u8>(p + i - 1, <u8>(0x30 + (rest % 10)));
    rest /= 10;
  }
  return p + digits;
}

/** Sixteen hex digits, lower case. */
export function putHex64(p: usize, v: u64): usize {
  return putHex(p, v, 16);
}

/** A finite double, in decimals that read back as the same double. At most 28 characters. */
export function putDouble(p: usize, v: f64): usize {
  if (v === 0) {
    // The library writes no sign of zero.
    if (reinterpret<u64>(v) === 0) {
      store<u8>(p, 0x30);
      return p + 1;
    }
    store<u32>(p, 0x302e302d);
    return p + 4;
  }
  const text = memory.data(128);
  const n = dtoa_buffered<f64>(text, v);
  for (let i: u32 = 0; i < n; i++) store<u8>(p + i, <u8>load<u16>(text + ((<usize>i) << 1)));
  return p + n;
}
