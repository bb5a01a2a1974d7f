/**
 * Cursor over the bytes of a stream of a CDT dump.
 *
 *   long      8 bytes, big endian
 *   varint    groups of 7 bits, the lowest first, 0x80 = more follow; at most 5 bytes, of the fifth 4 bits; signed
 *   varlong   the same to the fifth byte, of which 7 bits count; if more follow, the bits from 35 on are a varint
 *   zigzag    a varint, (n >>> 1) ^ −(n & 1)
 *   string    varint n, then n UTF-16 units, big endian
 *
 * A read beyond the end gives 0 and sets `torn`: the stream may go on in bytes that are not here yet. A length that no
 * string has sets `bad`.
 */
import { Buffer, ownBuffer } from "../../memory/buffer";
import { internString, strings } from "../../store/tables";
import { appendScalar, appendUnit, REPLACEMENT } from "../utf8";

/** Units of the longest string: above it, a length is damage. */
const MOST_UNITS: u32 = 10 << 20;
/** Units of a string that a file may end in: above it, its length is damage. */
const MOST_CUT: u32 = 1 << 20;

export let at: usize = 0;
export let end: usize = 0;
export let torn: bool = false;
export let bad: bool = false;
/** The file ends where the bytes end. */
let isFinal: bool = false;

const text: Buffer = ownBuffer(4096);

/** Reads from `p` to `limit`, which is the end of the file if `final`. */
export function turnTo(p: usize, limit: usize, final: bool): void {
  at = p;
  end = limit;
  isFinal = final;
  torn = false;
  bad = false;
}

export function moveTo(p: usize): void {
  at = p;
}

export function byte(): u32 {
  if (at >= end) {
    torn = true;
    return 0;
  }
  return load<u8>(at++);
}

export function long(): i64 {
  if (end - at < 8) {
    torn = true;
    at = end;
    return 0;
  }
  const value = <i64>bswap<u64>(load<u64>(at));
  at += 8;
  return value;
}

export function varint(): i32 {
  let value: u32 = 0;
  for (let shift: u32 = 0; shift < 35; shift += 7) {
    const b = byte();
    value |= (b & 0x7f) << shift;
    if ((b & 0x80) === 0) break;
  }
  return <i32>value;
}

export function varlong(): i64 {
  let value: u64 = 0;
  for (let shift: u64 = 0; shift < 35; shift += 7) {
    const b = byte();
    value |= (<u64>(b & 0x7f)) << shift;
    if ((b & 0x80) === 0) return <i64>value;
  }
  return <i64>(value | ((<u64>(<u32>varint())) << 35));
}

export function zigzag(): i32 {
  const n = <u32>varint();
  return <i32>((n >> 1) ^ (0 - (n & 1)));
}

/** Moves past a string; its first unit is at the answer, `units` counts them. */
function stringAt(): usize {
  const n = varint();
  const left = end - at;
  if (n < 0 || <u32>n > MOST_UNITS) {
    bad = bad || !torn;
    units = 0;
    return at;
  }
  units = <u32>n;
  if ((<usize>n) << 1 > left) {
    if (isFinal && <u32>n > MOST_CUT) bad = true;
    torn = true;
    units = 0;
    at = end;
    return at;
  }
  const p = at;
  at += (<usize>n) << 1;
  return p;
}

/** UTF-16 units of the string read last. */
export let units: u32 = 0;

export function skipString(): void {
  stringAt();
}

/** Row of the next string in the string table; lone surrogates become U+FFFD. */
export function string(): u32 {
  decode();
  return text.size === 0 ? 0 : internString(text.at, text.size);
}

/** In place of the row of a string that is not in the table. */
export const NO_STRING: u32 = 0xffff_ffff;

/** Row of the next string if the table has it. */
export function knownString(): u32 {
  decode();
  if (text.size === 0) return 0;
  const row = strings.find(text.at, text.size);
  return row === 0 ? NO_STRING : row;
}

/** Reads a string into `text`, as UTF-8. */
function decode(): void {
  const p = stringAt();
  text.size = 0;
  let to = text.need(units);
  let plain: u32 = 0;
  while (plain < units) {
    const unit = <u32>load<u16>(p + ((<usize>plain) << 1));
    // Big endian: the low byte is the second, and ASCII has nothing in the first.
    if ((unit & 0x80ff) !== 0) break;
    store<u8>(to, <u8>(unit >> 8));
    to++;
    plain++;
  }
  text.size = plain;
  let waiting: u32 = 0;
  for (let i = plain; i < units; i++) {
    waiting = appendUnit(text, <u32>bswap<u16>(load<u16>(p + ((<usize>i) << 1))), waiting);
  }
  if (waiting !== 0) appendScalar(text, REPLACEMENT);
}
