/**
 * Values of attributes. Scalars become the store's own; arrays, lists of pairs and bytes are kept as an AnyValue, written
 * anew without what refers to the message's strings:
 *
 *   AnyValue  1 string · 2 bool · 3 int · 4 double · 5 { 1 AnyValue … } · 6 { 1 KeyValue … } · 7 bytes · 8 string index
 *   KeyValue  1 key · 2 AnyValue · 3 key's string index
 */
import { Buffer, newBuffer } from "../../memory/buffer";
import { diagnose } from "../../store/diagnostics";
import { encoded, strings, ValueKind } from "../../store/tables";
import { DELIMITED, field, from, offsetOf, take, to, value, wire } from "../protobuf";
import { Finding } from "./codes";
import { textAt } from "./strings";
import { rowAt, Table } from "./tables";

/** Arrays in arrays: nobody's attributes go as deep. */
const MAX_DEPTH: u32 = 16;

/** The value read last: its kind, and its string, its 64 bits or its place in `encoded`. */
export let kind: ValueKind = ValueKind.None;
export let bits: u64 = 0;

let out: Buffer = changetype<Buffer>(0);

export function resetValues(): void {
  out = newBuffer(1 << 10);
}

/** Reads the AnyValue at [p, end); of several members the last one counts. */
export function readValue(p: usize, end: usize): void {
  kind = ValueKind.None;
  bits = 0;
  while (p < end) {
    const start = p;
    p = take(p, end);
    switch (field) {
      case 1:
        if (wire !== DELIMITED) break;
        kind = ValueKind.String;
        bits = textAt(from, to);
        break;
      case 2:
        kind = ValueKind.Bool;
        bits = value !== 0 ? 1 : 0;
        break;
      case 3:
        kind = ValueKind.Int;
        bits = value;
        break;
      case 4:
        kind = ValueKind.Double;
        bits = value;
        break;
      case 5:
      case 6:
      case 7:
        if (wire !== DELIMITED) break;
        out.size = 0;
        copyMember(field, from, to, 0);
        kind = ValueKind.Encoded;
        bits = encoded.intern(out.at, out.size);
        break;
      case 8:
        kind = ValueKind.String;
        bits = rowAt(Table.String, value, start);
        break;
      default:
    }
  }
}

/** Appends the AnyValue at [p, end), without its tag and length. */
function copyValue(p: usize, end: usize, depth: u32): void {
  if (depth === MAX_DEPTH) {
    diagnose(Finding.ValueDeep, offsetOf(p), depth);
    return;
  }
  while (p < end) {
    const start = p;
    p = take(p, end);
    if (field === 8) {
      const text = rowAt(Table.String, value, start);
      putText(1, strings.pointer(text), strings.size(text));
    } else if (wire === DELIMITED) {
      copyMember(field, from, to, depth);
    } else if (field !== 0) {
      out.bytes(start, <u32>(p - start));
    }
  }
}

/** Appends the member `number` whose content is [p, end). */
function copyMember(number: u32, p: usize, end: usize, depth: u32): void {
  if (number !== 5 && number !== 6) {
    if (number === 1) {
      const text = textAt(p, end);
      putText(1, strings.pointer(text), strings.size(text));
    } else if (number === 7) {
      putText(7, p, <u32>(end - p));
    }
    return;
  }
  const content = open(number);
  while (p < end) {
    p = take(p, end);
    if (field !== 1 || wire !== DELIMITED) continue;
    const behind = to;
    const element = open(1);
    if (number === 5) copyValue(from, behind, depth + 1);
    else copyPair(from, behind, depth + 1);
    close(element);
  }
  close(content);
}

function copyPair(p: usize, end: usize, depth: u32): void {
  while (p < end) {
    const start = p;
    p = take(p, end);
    if (field === 3) {
      const text = rowAt(Table.String, value, start);
      putText(1, strings.pointer(text), strings.size(text));
    } else if (field === 1 && wire === DELIMITED) {
      const text = textAt(from, to);
      putText(1, strings.pointer(text), strings.size(text));
    } else if (field === 2 && wire === DELIMITED) {
      const behind = to;
      const content = open(2);
      copyValue(from, behind, depth);
      close(content);
    }
  }
}

function putVarint(v: u32): void {
  let p = out.need(5);
  while (v >= 0x80) {
    store<u8>(p, <u8>v | 0x80);
    v >>= 7;
    p++;
  }
  store<u8>(p, <u8>v);
  out.size = <u32>(p + 1 - out.at);
}

function putText(number: u32, p: usize, n: u32): void {
  putVarint((number << 3) | DELIMITED);
  putVarint(n);
  out.bytes(p, n);
}

/** Begins a field with a length; returns where its content starts. */
function open(number: u32): u32 {
  putVarint((number << 3) | DELIMITED);
  return out.size;
}

/** Puts the length in front of the content, which makes room for it. */
function close(start: u32): void {
  const n = out.size - start;
  putVarint(n);
  const length = out.size - start - n;
  out.need(length);
  // The length stands behind the content now: it goes in front by way of the room behind it.
  memory.copy(out.at + out.size, out.at + start + n, length);
  memory.copy(out.at + start + length, out.at + start, n);
  memory.copy(out.at + start, out.at + out.size, length);
}
