/**
 * Strings, attributes and encoded values that one message adds to those of the store: names that the caller gives, keys
 * and values that a writer makes of columns. Rows of the store keep their index; added rows are numbered after them, in
 * the order of adding. The tables are empty at the start of every message and are freed at its end, so messages do not
 * depend on each other.
 *
 *   index   0 … the store's rows … | 1st added | 2nd added | …
 */

import * as Slice from "../abi/slice";
import * as ValueKind from "../abi/value-kind";
import { isText } from "../memory/ascii";
import { BytesTable } from "../memory/bytes-table";
import { RowTable } from "../memory/row-table";
import { sliceAt, sliceSize } from "../memory/slice";
import * as AttributeRow from "../store/rows/attribute-row";
import { attributes, encoded, strings } from "../store/tables";

const addedStrings: BytesTable = changetype<BytesTable>(memory.data(64, 8));
const addedEncoded: BytesTable = changetype<BytesTable>(memory.data(64, 8));
const addedAttributes: RowTable = changetype<RowTable>(memory.data(64, 8));

/** Starts a message: nothing is added yet. */
export function beginAdded(): void {
  addedStrings.create(64);
  addedEncoded.create(64);
  addedAttributes.create(attributes.words, 64);
}

/** Drops the additions of a message. */
export function dropAdded(): void {
  addedStrings.drop();
  addedEncoded.drop();
  addedAttributes.drop();
}

/** Strings of the store and of the message; row 0 is of both. */
export function stringCount(): u32 {
  return strings.count + addedStrings.count - 1;
}

/** Slice of string `i`. */
function entryOf(i: u32): usize {
  return i < strings.count
    ? strings.entries + <usize>i * Slice.BYTES
    : addedStrings.entries + <usize>(i - strings.count + 1) * Slice.BYTES;
}

export function stringPointer(i: u32): usize {
  return sliceAt(entryOf(i));
}

export function stringSize(i: u32): u32 {
  return sliceSize(entryOf(i));
}

/** Whether string `i` is this compile-time ASCII text. */
export function stringIs(i: u32, text: string): bool {
  return isText(stringPointer(i), stringSize(i), text);
}

/** Index of the `n` bytes at `p`. */
export function addString(p: usize, n: u32): u32 {
  const known = strings.find(p, n);
  return known !== 0 || n === 0 ? known : strings.count - 1 + addedStrings.intern(p, n);
}

/** Index of a compile-time ASCII text. */
export function addText(text: string): u32 {
  const n = <u32>text.length;
  const p = memory.data(256);
  for (let i: u32 = 0; i < n; i++) store<u8>(p + i, <u8>text.charCodeAt(i));
  return addString(p, n);
}

export function encodedPointer(i: u32): usize {
  return i < encoded.count ? encoded.pointer(i) : addedEncoded.pointer(i - encoded.count + 1);
}

export function encodedSize(i: u32): u32 {
  return i < encoded.count ? encoded.size(i) : addedEncoded.size(i - encoded.count + 1);
}

/** Index of the AnyValue of `n` bytes at `p`. */
export function addEncoded(p: usize, n: u32): u32 {
  const known = encoded.find(p, n);
  return known !== 0 || n === 0 ? known : encoded.count - 1 + addedEncoded.intern(p, n);
}

export function attributeCount(): u32 {
  return attributes.count + addedAttributes.count - 1;
}

/** Word `w` of attribute `i`. */
export function attributeWord(i: u32, w: u32): u32 {
  return i < attributes.count ? attributes.get(i, w) : addedAttributes.get(i - attributes.count + 1, w);
}

/** String index or number of an attribute, as 64 bits. */
export function attributeValue(i: u32): u64 {
  return i < attributes.count
    ? attributes.get64(i, AttributeRow.VALUE)
    : addedAttributes.get64(i - attributes.count + 1, AttributeRow.VALUE);
}

/** Text value of attribute `i`; 0 if its value is not a text. */
export function attributeText(i: u32): u32 {
  return attributeWord(i, AttributeRow.TYPE) === <u32>ValueKind.Text ? <u32>attributeValue(i) : 0;
}

/** Index of an attribute without unit; `value` is a string index for ValueKind.Text, else the 64 bits of the number. */
export function addAttribute(key: u32, kind: u32, value: u64): u32 {
  const added = addedAttributes;
  added.put(AttributeRow.KEY, key);
  added.put(AttributeRow.TYPE, kind);
  added.put64(AttributeRow.VALUE, value);
  added.put(AttributeRow.UNIT, 0);
  const hash = added.hashDraft();
  const known = attributes.rowOf(added.draft, hash);
  if (known !== 0) return known;
  const row = added.internHashed(hash);
  return row === 0 ? 0 : attributes.count - 1 + row;
}
