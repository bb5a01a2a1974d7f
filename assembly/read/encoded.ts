/**
 * The writer of the store's `encoded` values: attribute values that are not scalars, as an AnyValue in protobuf. Every
 * such value of every reader is made here, so the writers always copy and decode this form:
 *
 *   AnyValue    nothing, or one member:
 *               1 string · 2 bool · 3 int · 4 double (fixed64) · 5 { 1 AnyValue … } · 6 { 1 KeyValue … } · 7 bytes
 *   KeyValue    1 key · 2 AnyValue
 *
 *   - No other field and no other wire type. Lengths are exact; varints are as short as possible.
 *   - Texts are valid UTF-8. They are in the value itself, which contains no index of a message.
 *   - Every pair has a key, and keys are unique within their list.
 *   - Lists are nested at most MAX_DEPTH deep.
 *
 * With indices, a message of few bytes can refer to a long text many times. So the texts of one message share a budget.
 */
import { Buffer, ownBuffer } from "../memory/buffer";
import { KeyTable, ownKeyTable } from "../memory/key-table";
import { encoded, strings } from "../store/tables";
import { DELIMITED, FIXED64, VARINT } from "./protobuf";

/** Bytes of texts for each byte of the message, and for any message. */
const TEXT_RATIO: u64 = 8;
const TEXT_LEAST: u64 = 1 << 16;

const out: Buffer = ownBuffer(1 << 10);
let textLeft: i64 = 0;
/** Keys of all lists of the message, by | list u32 | string u32 |. */
const keys: KeyTable = ownKeyTable(64);
let lists: u32 = 0;

/** The values to come are of a message of `bytes` bytes. */
export function beginEncodings(bytes: u32): void {
  textLeft = <i64>(<u64>bytes * TEXT_RATIO + TEXT_LEAST);
  lists = 0;
}

/** The message is read. */
export function endEncodings(): void {
  if (keys.used === 0) return;
  keys.free();
  keys.create(64);
}

/** Begins a value. */
export function beginEncoded(): void {
  out.size = 0;
}

/** The row of the value in `encoded`. */
export function endEncoded(): u32 {
  return encoded.intern(out.at, out.size);
}

/** Whether there is room for text `index`, which takes from the budget. */
export function affords(index: u32): bool {
  textLeft -= strings.size(index);
  return textLeft >= 0;
}

export function putText(number: u32, index: u32): void {
  putRaw(number, strings.pointer(index), strings.size(index));
}

/** A member with a length: the `n` bytes at `p`. */
export function putRaw(number: u32, p: usize, n: u32): void {
  out.varint((number << 3) | DELIMITED);
  out.varint(n);
  out.bytes(p, n);
}

export function putNumber(number: u32, v: u64): void {
  out.varint((number << 3) | VARINT);
  out.varint(v);
}

/** The 64 bits of a double. */
export function putDouble(number: u32, bits: u64): void {
  out.varint((number << 3) | FIXED64);
  out.u64(bits);
}

/** Begins a member with a length; returns where its content starts. */
export function open(number: u32): u32 {
  out.varint((number << 3) | DELIMITED);
  return out.size;
}

/** Ends the member whose content starts at `start`: its length goes in front, which moves the content. */
export function close(start: u32): void {
  const n = out.size - start;
  out.varint(n);
  const length = out.size - start - n;
  out.need(length);
  // At this point the length is after the content. It is moved to the front through the room after it.
  memory.copy(out.at + out.size, out.at + start + n, length);
  memory.copy(out.at + start + length, out.at + start, n);
  memory.copy(out.at + start, out.at + out.size, length);
}

/** A list of keys and values begins; returns its number for `isNewKey`. */
export function beginKeys(): u32 {
  return ++lists;
}

/** Whether the key is the first of its name in the list. */
export function isNewKey(list: u32, key: u32): bool {
  const both = ((<u64>list) << 32) | <u64>key;
  if (keys.find(both) !== 0) return false;
  keys.add(both, 1);
  return true;
}
