/**
 * Values of attributes. Scalars become the store's own; arrays, lists of pairs and bytes are encoded again
 * (read/encoded.ts), member by member: unknown members and members of another wire type are left out.
 *
 *   AnyValue  1 string · 2 bool · 3 int · 4 double · 5 { 1 AnyValue … } · 6 { 1 KeyValue … } · 7 bytes · 8 string index
 *   KeyValue  1 key · 2 AnyValue · 3 key's string index
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as Limits from "../../abi/limits";
import * as ValueKind from "../../abi/value-kind";
import { diagnose } from "../../store/diagnostics";
import {
  affords,
  beginEncoded,
  beginKeys,
  close,
  endEncoded,
  isNewKey,
  open,
  putDouble,
  putNumber,
  putRaw,
  putText,
} from "../encoded";
import { field, from, offsetOf, takeOf, to, value } from "../protobuf";
import { textAt } from "./strings";
import { rowAt, Table } from "./tables";

const ANY_VALUE: u64 = 0x1_4442_1140;
const LIST: u64 = 0x40;
const KEY_VALUE: u64 = 0x1440;

/** The members of an AnyValue. */
enum Member {
  None,
  String,
  Bool,
  Int,
  Double,
  Array,
  Pairs,
  Bytes,
  StringIndex,
}

/** The value read last: its kind, and its string, its 64 bits or its place in `encoded`. */
export let kind: u32 = ValueKind.None;
export let bits: u64 = 0;

/** The member found last: its text, its number, or its bytes. */
let member: Member = Member.None;
let text: u32 = 0;
let scalar: u64 = 0;
let start: usize = 0;
let stop: usize = 0;

/** Reads the AnyValue at [p, end). */
export function readValue(p: usize, end: usize): void {
  findMember(p, end);
  if (member <= Member.Double) {
    // Members and kinds of scalars have the same numbers.
    kind = <u32>(<u32>member);
    bits = member === Member.String ? text : scalar;
    return;
  }
  beginEncoded();
  copyMember(0);
  kind = ValueKind.Encoded;
  bits = endEncoded();
}

/** Finds the member of the AnyValue at [p, end); of several the last one counts. */
function findMember(p: usize, end: usize): void {
  member = Member.None;
  scalar = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, ANY_VALUE);
    if (field === 0) continue;
    member = <Member>field;
    scalar = value;
    start = from;
    stop = to;
    if (member === Member.Bool) scalar = value !== 0 ? 1 : 0;
    if (member === Member.StringIndex) text = rowAt(Table.String, value, at);
    if (member === Member.String) text = textAt(from, to);
    if (member === Member.StringIndex) member = Member.String;
  }
}

/** Appends the member found last. `depth`: lists around it. */
function copyMember(depth: u32): void {
  switch (member) {
    case Member.None:
      break;
    case Member.String:
      putText(<u32>member, text);
      break;
    case Member.Bool:
    case Member.Int:
      putNumber(<u32>member, scalar);
      break;
    case Member.Double:
      putDouble(<u32>member, scalar);
      break;
    case Member.Bytes:
      putRaw(<u32>member, start, <u32>(stop - start));
      break;
    default:
      copyList(member, start, stop, depth);
  }
}

function copyList(list: Member, p: usize, end: usize, depth: u32): void {
  if (depth === Limits.MAX_DEPTH) {
    diagnose(Diagnostic.ValueDeep, offsetOf(p), depth);
    return;
  }
  const names: u32 = list === Member.Pairs ? beginKeys() : 0;
  const content = open(<u32>list);
  while (p < end) {
    p = takeOf(p, end, LIST);
    if (field === 0) continue;
    if (list === Member.Pairs) copyPair(from, to, names, depth + 1);
    else copyValue(1, from, to, depth + 1);
  }
  close(content);
}

/** Appends the AnyValue at [p, end) as field `number`. */
function copyValue(number: u32, p: usize, end: usize, depth: u32): void {
  findMember(p, end);
  if (member === Member.String && !affords(text)) {
    diagnose(Diagnostic.ValueLarge, offsetOf(p), 0);
    member = Member.None;
  }
  const content = open(number);
  copyMember(depth);
  close(content);
}

/** Appends the KeyValue at [p, end) as an element of list `names`; of several keys or values the last one counts. */
function copyPair(p: usize, end: usize, names: u32, depth: u32): void {
  const pair = p;
  let key: u32 = 0;
  let valueAt: usize = 0;
  let valueEnd: usize = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, KEY_VALUE);
    if (field === 1) key = textAt(from, to);
    else if (field === 3) key = rowAt(Table.String, value, at);
    else if (field === 2) {
      valueAt = from;
      valueEnd = to;
    }
  }
  if (!isNewKey(names, key)) {
    diagnose(Diagnostic.AttributeTwice, offsetOf(pair), 0);
  } else if (!affords(key)) {
    diagnose(Diagnostic.ValueLarge, offsetOf(pair), 0);
  } else {
    const content = open(1);
    putText(1, key);
    if (valueAt !== 0) copyValue(2, valueAt, valueEnd, depth);
    close(content);
  }
}
