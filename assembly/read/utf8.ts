/**
 * Conversion of bytes that should be UTF-8 to valid UTF-8, because the string table takes nothing else: broken
 * sequences and lone surrogates become U+FFFD, and the surrogate pairs and C0 80 of Java's modified UTF-8 become the
 * characters that they encode.
 */
import { Buffer } from "../memory/buffer";

export function isAscii(p: usize, n: u32): bool {
  while (n >= 8) {
    if ((load<u64>(p) & 0x8080808080808080) !== 0) return false;
    p += 8;
    n -= 8;
  }
  return n === 0 || (load<u64>(p) & 0x8080808080808080 & (((<u64>1) << (n << 3)) - 1)) === 0;
}

/** Appends the code point `c`, which is no surrogate. */
export function appendScalar(to: Buffer, c: u32): void {
  const p = to.need(4);
  if (c < 0x80) {
    store<u8>(p, <u8>c);
    to.size += 1;
  } else if (c < 0x800) {
    store<u8>(p, <u8>(0xc0 | (c >> 6)));
    store<u8>(p, <u8>(0x80 | (c & 63)), 1);
    to.size += 2;
  } else if (c < 0x10000) {
    store<u8>(p, <u8>(0xe0 | (c >> 12)));
    store<u8>(p, <u8>(0x80 | ((c >> 6) & 63)), 1);
    store<u8>(p, <u8>(0x80 | (c & 63)), 2);
    to.size += 3;
  } else {
    store<u8>(p, <u8>(0xf0 | (c >> 18)));
    store<u8>(p, <u8>(0x80 | ((c >> 12) & 63)), 1);
    store<u8>(p, <u8>(0x80 | ((c >> 6) & 63)), 2);
    store<u8>(p, <u8>(0x80 | (c & 63)), 3);
    to.size += 4;
  }
}

export const REPLACEMENT: u32 = 0xfffd;

/** Appends UTF-16 units one by one: a high surrogate waits for its low one. Returns the waiting unit, or 0. */
export function appendUnit(to: Buffer, unit: u32, waiting: u32): u32 {
  const low = (unit & 0xfc00) === 0xdc00;
  if (waiting !== 0) {
    if (low) {
      appendScalar(to, 0x10000 + ((waiting & 0x3ff) << 10) + (unit & 0x3ff));
      return 0;
    }
    appendScalar(to, REPLACEMENT);
  }
  if ((unit & 0xfc00) === 0xd800) return unit;
  appendScalar(to, low ? REPLACEMENT : unit);
  return 0;
}

/** The smallest code point that needs `following` continuation bytes; a longer spelling of a smaller one is broken. */
function shortest(following: u32): u32 {
  if (following === 3) return 0x10000;
  return following === 2 ? 0x800 : 0x80;
}

/** Appends `n` bytes that should be UTF-8, as valid UTF-8. */
export function appendUtf8(to: Buffer, p: usize, n: u32): void {
  const end = p + n;
  let waiting: u32 = 0;
  while (p < end) {
    const b: u32 = load<u8>(p);
    let c: u32 = REPLACEMENT;
    let used: usize = 1;
    if (b < 0x80) {
      c = b;
    } else {
      const wanted: u32 = 1 + (b >= 0xe0 ? 1 : 0) + (b >= 0xf0 ? 1 : 0);
      let value: u32 = b & (0x3f >> wanted);
      let i: u32 = 0;
      while (i < wanted && p + 1 + i < end && (load<u8>(p + 1 + i) & 0xc0) === 0x80) {
        value = (value << 6) | (load<u8>(p + 1 + i) & 63);
        i++;
      }
      const whole = b >= 0xc0 && b < 0xf8 && i === wanted;
      // C0 80 is how modified UTF-8 spells U+0000.
      if (whole && value <= 0x10ffff && (value >= shortest(wanted) || (value === 0 && wanted === 1))) c = value;
      used = whole || b >= 0xc0 ? 1 + i : 1;
    }
    if (waiting !== 0 || (c & 0xfffff800) === 0xd800) waiting = appendMaybeUnit(to, c, waiting);
    else appendScalar(to, c);
    p += used;
  }
  if (waiting !== 0) appendScalar(to, REPLACEMENT);
}

function appendMaybeUnit(to: Buffer, c: u32, waiting: u32): u32 {
  if (c < 0x10000) return appendUnit(to, c, waiting);
  appendScalar(to, REPLACEMENT);
  appendScalar(to, c);
  return 0;
}
