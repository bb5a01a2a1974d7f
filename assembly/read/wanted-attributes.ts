/**
 * Conditions on attributes in the filter of a reading (wanted.ts), for samples whose set and thread are known:
 *
 *   u32 n · predicate^n      predicate   := u32 flags · u32 m · alternative^m
 *                            alternative := u32 is number · i64 number · u32 truth · text key · text value
 *   flags  1: excludes samples   2: the local root may add the attribute later
 *   truth  0: neither   1: false   2: true                        text := u32 size · bytes
 *
 * A predicate has a bit. The bits of a set and of a thread are kept beside their rows, | known 1 | bits 31 |.
 */

import * as ValueKind from "../abi/value-kind";
import { Buffer, newBuffer } from "../memory/buffer";
import { equalBytes } from "../memory/hash";
import * as AttributeRow from "../store/rows/attribute-row";
import * as ThreadRow from "../store/rows/thread-row";
import { attributes, sets, strings, threads } from "../store/tables";

const EXCLUDES: u32 = 1;
const MAY_COME_LATER: u32 = 2;
const KNOWN: u32 = 1 << 31;
const MOST: u32 = 31;

const FLAGS: usize = 0;
const COUNT: usize = 4;
const HEAD: usize = 8;
const IS_NUMBER: usize = 0;
const NUMBER: usize = 4;
const TRUTH: usize = 12;
const TEXTS: usize = 16;
const SIZE_BYTES: usize = 4;

/** Some attribute decides. */
export let byAttributes: bool = false;
let count: u32 = 0;
let first: usize = 0;
/** Bits of the predicates that a sample must have, of those that it must not have, and that roots may add. */
let required: u32 = 0;
let excluded: u32 = 0;
let later: u32 = 0;
let setBits: Buffer = changetype<Buffer>(0);
let threadBits: Buffer = changetype<Buffer>(0);

export function resetWantedAttributes(): void {
  setBits = newBuffer(64);
  threadBits = newBuffer(64);
  byAttributes = false;
  count = 0;
}

/** Takes the predicates at `p`, which stay there; returns the place after them. */
export function setWantedAttributes(p: usize): usize {
  resetWantedAttributes();
  count = min<u32>(load<u32>(p), MOST);
  first = p + SIZE_BYTES;
  byAttributes = count !== 0;
  required = 0;
  excluded = 0;
  later = 0;
  let at = first;
  for (let i: u32 = 0; i < load<u32>(p); i++) {
    if (i >= count) {
      at = endOf(at);
      continue;
    }
    const flags = load<u32>(at, FLAGS);
    const bit: u32 = 1 << i;
    if ((flags & EXCLUDES) !== 0) excluded |= bit;
    else required |= bit;
    if ((flags & MAY_COME_LATER) !== 0) later |= bit;
    at = endOf(at);
  }
  return at;
}

/** Whether a sample of this set, thread and local root may be wanted. */
export function wantsAttributes(set: u32, thread: u32, root: u64): bool {
  const bits = bitsOf(setBits, set, false) | bitsOf(threadBits, thread, true);
  if ((bits & excluded) !== 0) return false;
  const missing = required & ~bits;
  return missing === 0 || (root !== 0 && (missing & ~later) === 0);
}

function bitsOf(column: Buffer, row: u32, isThread: bool): u32 {
  const at = row << 2;
  if (at >= column.size) {
    const more = at + 4 - column.size;
    memory.fill(column.need(more), 0, more);
    column.size += more;
  }
  const known = load<u32>(column.at + <usize>at);
  if (known !== 0) return known & ~KNOWN;
  let bits: u32 = 0;
  if (isThread) {
    bits = bitsOfAttribute(threads.get(row, ThreadRow.NAME)) | bitsOfAttribute(threads.get(row, ThreadRow.ID));
  } else {
    const p = sets.pointer(row);
    for (let o: u32 = 0; o < sets.size(row); o += 4) bits |= bitsOfAttribute(load<u32>(p + o));
  }
  store<u32>(column.at + <usize>at, bits | KNOWN);
  return bits;
}

function bitsOfAttribute(attribute: u32): u32 {
  if (attribute === 0) return 0;
  let bits: u32 = 0;
  let p = first;
  for (let i: u32 = 0; i < count; i++) {
    const end = endOf(p);
    for (let q = p + HEAD; q < end; q = afterTexts(q)) if (isOf(q, attribute)) bits |= 1 << i;
    p = end;
  }
  return bits;
}

/** Whether an attribute has the key of an alternative, and a value that reads as its text. */
function isOf(alternative: usize, attribute: u32): bool {
  const key = alternative + TEXTS;
  const value = key + SIZE_BYTES + <usize>load<u32>(key);
  if (!isText(key, attributes.get(attribute, AttributeRow.KEY))) return false;
  const own = attributes.get64(attribute, AttributeRow.VALUE);
  const isNumber = load<u32>(alternative, IS_NUMBER) !== 0;
  const number = load<i64>(alternative, NUMBER);
  const truth = load<u32>(alternative, TRUTH);
  switch (attributes.get(attribute, AttributeRow.TYPE)) {
    case ValueKind.Text:
      return isText(value, <u32>own);
    case ValueKind.Int:
      return isNumber && <i64>own === number;
    case ValueKind.Bool:
      return truth !== 0 && (own !== 0) === (truth === 2);
    case ValueKind.Double:
      return isNumber && reinterpret<f64>(own) === <f64>number;
    default:
      return false;
  }
}

function isText(text: usize, string: u32): bool {
  const n = load<u32>(text);
  return strings.size(string) === n && equalBytes(strings.pointer(string), text + SIZE_BYTES, n);
}

function afterTexts(alternative: usize): usize {
  const value = alternative + TEXTS + SIZE_BYTES + <usize>load<u32>(alternative, TEXTS);
  return value + SIZE_BYTES + <usize>load<u32>(value);
}

/** End of the predicate at `p`. */
function endOf(p: usize): usize {
  let q = p + HEAD;
  for (let i: u32 = 0; i < load<u32>(p, COUNT); i++) q = afterTexts(q);
  return q;
}
