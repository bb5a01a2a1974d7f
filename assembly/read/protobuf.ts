/**
 * Reader of protobuf fields from untrusted bytes: one field after the other, up to a limit. It keeps no state between
 * two calls, so a reader can descend into a message and return.
 *
 *   field := tag varint (number << 3 | wire type) · varint | 8 bytes | length varint, bytes | fields, end | 4 bytes
 *
 * A length that goes beyond the message around it is cut there; a field that cannot be read costs the rest of its
 * message.
 *
 * A reader states the wire types of its message as one number: hex digit n has a bit for each wire type that field n
 * may have (`takeOf`). The reader gets only fields of a stated type, so it never takes a length for a number.
 *
 *   digit   1 varint · 2 fixed64 · 4 bytes with a length · 5 varints, packed or not · 6 fixed64, packed or not
 */
import { diagnose } from "../store/diagnostics";

export const VARINT: u32 = 0;
export const FIXED64: u32 = 1;
export const DELIMITED: u32 = 2;
const GROUP: u32 = 3;
const GROUP_END: u32 = 4;
const FIXED32: u32 = 5;

/** The field taken last: its number (0 where it could not be read) and wire type. */
export let field: u32 = 0;
export let wire: u32 = 0;
/** Its number, of a varint or a fixed value. */
export let value: u64 = 0;
/** Its bytes, where it has a length. */
export let from: usize = 0;
export let to: usize = 0;

let base: usize = 0;
let brokenCode: u32 = 0;
let cutCode: u32 = 0;
let typeCode: u32 = 0;

/**
 * The message to read starts at `start`. Diagnostics get these codes: `broken` and `cut` with the number of bytes that
 * are lost, `mistyped` with the number of a field that has a wire type that it must not have.
 */
export function beginWire(start: usize, broken: u32, cut: u32, mistyped: u32): void {
  base = start;
  brokenCode = broken;
  cutCode = cut;
  typeCode = mistyped;
}

/** Offset of `p` in the message. */
export function offsetOf(p: usize): u64 {
  return <u64>(p - base);
}

/** Takes the field at `p` < `end` and returns where the next one starts, `end` if no field is left. */
export function take(p: usize, end: usize): usize {
  const start = p;
  p = takeVarint(p, end);
  if (p === 0) return broken(start, end);
  const tag = value;
  field = <u32>(tag >> 3);
  wire = <u32>tag & 7;
  if (field === 0 || tag >> 32 !== 0) return broken(start, end);
  switch (wire) {
    case VARINT:
      p = takeVarint(p, end);
      return p === 0 ? broken(start, end) : p;
    case FIXED64:
      if (end - p < 8) return broken(start, end);
      value = load<u64>(p);
      return p + 8;
    case FIXED32:
      if (end - p < 4) return broken(start, end);
      value = load<u32>(p);
      return p + 4;
    case DELIMITED: {
      p = takeVarint(p, end);
      if (p === 0) return broken(start, end);
      const left = <u64>(end - p);
      if (value > left) {
        diagnose(cutCode, offsetOf(start), <i64>(value - left));
        value = left;
      }
      from = p;
      to = p + <usize>value;
      return to;
    }
    case GROUP:
      p = afterGroup(p, end, tag >> 3);
      value = 0;
      return p === 0 ? broken(start, end) : p;
    default:
      return broken(start, end);
  }
}

/** Where the group of this number, whose fields are at `p`, ends; 0 if it does not. No known message has groups. */
function afterGroup(p: usize, end: usize, number: u64): usize {
  for (let depth: u32 = 1; p < end; ) {
    p = takeVarint(p, end);
    if (p === 0) return 0;
    const tag = value;
    const kind = <u32>tag & 7;
    if (kind === VARINT || kind === DELIMITED) {
      p = takeVarint(p, end);
      if (p === 0) return 0;
      if (kind === DELIMITED) {
        if (value > <u64>(end - p)) return 0;
        p += <usize>value;
      }
    } else if (kind === FIXED64) p += 8;
    else if (kind === FIXED32) p += 4;
    else if (kind === GROUP) depth++;
    else if (kind !== GROUP_END) return 0;
    else if (--depth === 0) return tag >> 3 === number ? p : 0;
  }
  return 0;
}

/**
 * Takes the field at `p` < `end` of a message whose fields have the wire types `types`, one hex digit for each of the
 * fields 1 to 15. `field` is 0 for a field that the message does not have or that has another type, which is reported.
 */
export function takeOf(p: usize, end: usize, types: u64): usize {
  const start = p;
  p = take(p, end);
  const allowed: u32 = field < 16 ? <u32>(types >> ((<u64>field) << 2)) & 15 : 0;
  if (((allowed >> wire) & 1) === 0) {
    if (allowed !== 0) diagnose(typeCode, offsetOf(start), field);
    field = 0;
  }
  return p;
}

function broken(start: usize, end: usize): usize {
  diagnose(brokenCode, offsetOf(start), <i64>(end - start));
  field = 0;
  return end;
}

/** Takes the varint at `p` into `value`; returns where it ends, 0 where it does not (ten bytes at most). */
export function takeVarint(p: usize, end: usize): usize {
  if (p >= end) return 0;
  let b: u64 = load<u8>(p);
  p++;
  if (b < 0x80) {
    value = b;
    return p;
  }
  let v = b & 0x7f;
  for (let shift: u64 = 7; shift < 70; shift += 7) {
    if (p >= end) return 0;
    b = load<u8>(p);
    p++;
    v |= (b & 0x7f) << shift;
    if (b < 0x80) {
      value = v;
      return p;
    }
  }
  return 0;
}

/** Whether the message says nothing but defaults: an element 0 as it should be. */
export function isZero(p: usize, end: usize): bool {
  while (p < end) {
    p = take(p, end);
    if (wire !== DELIMITED) {
      if (field === 0 || value !== 0) return false;
      continue;
    }
    for (let q = from; q < to; q++) if (load<u8>(q) !== 0) return false;
  }
  return true;
}

/**
 * The numbers of a repeated field, packed or one by one: `beginNumbers` after `take`, then `nextNumber` until it is
 * false.
 */
export let number: u64 = 0;
let cursor: usize = 0;
let cursorEnd: usize = 0;
let single: bool = false;

export function beginNumbers(): void {
  single = wire !== DELIMITED;
  number = value;
  cursor = from;
  cursorEnd = single ? from : to;
}

export function nextNumber(): bool {
  if (single) {
    single = false;
    return true;
  }
  if (cursor >= cursorEnd) return false;
  const start = cursor;
  cursor = takeVarint(cursor, cursorEnd);
  if (cursor === 0) {
    broken(start, cursorEnd);
    cursor = cursorEnd;
    return false;
  }
  number = value;
  return true;
}
