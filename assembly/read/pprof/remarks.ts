/**
 * What a pprof file says of itself beside its samples, as attributes of its profiles under the names of semantic conventions.
 * Of its comments an array, for there may be many.
 */
import { Buffer, newBuffer } from "../../memory/buffer";
import { encoded, internAttribute, internText, strings, ValueKind } from "../../store/tables";
import { beginNumbers, field, nextNumber, number } from "../protobuf";
import { addToSet, internSet, newSet } from "../set";
import { stringAt } from "./tables";

/** | field u32 | 0 | string index u64 | place u32 | 0 | of each remark; strings may come later. */
let noted: Buffer = changetype<Buffer>(0);
const NOTE_BYTES: u32 = 24;
let set: Buffer = changetype<Buffer>(0);
/** The elements of the array of comments, and the whole of it. */
let comments: Buffer = changetype<Buffer>(0);
let array: Buffer = changetype<Buffer>(0);

export function resetRemarks(): void {
  noted = newBuffer(1 << 8);
  comments = newBuffer(1 << 8);
  array = newBuffer(1 << 8);
  set = newSet();
}

export function beginRemarks(): void {
  noted.size = 0;
}

/** Notes the field taken last. */
export function noteRemark(at: usize): void {
  const remark = field;
  beginNumbers(at);
  while (nextNumber()) {
    if (number === 0) continue;
    noted.u64(remark);
    noted.u64(number);
    noted.u64(<u64>at);
  }
}

/** The set of all remarks noted, once strings are known. */
export function remarks(): u32 {
  set.size = 0;
  comments.size = 0;
  for (let o: u32 = 0; o < noted.size; o += NOTE_BYTES) {
    const p = noted.at + o;
    const text = stringAt(load<u64>(p, 8), <usize>load<u32>(p, 16));
    if (load<u32>(p) === 13) addComment(text);
    else addToSet(set, internAttribute(keyOf(load<u32>(p)), ValueKind.String, text));
  }
  if (comments.size !== 0) {
    array.size = 0;
    putHeader(array, 0x2a, comments.size);
    array.bytes(comments.at, comments.size);
    const value = encoded.intern(array.at, array.size);
    addToSet(set, internAttribute(internText("pprof.profile.comment"), ValueKind.Encoded, value));
  }
  return internSet(set);
}

function keyOf(remark: u32): u32 {
  switch (remark) {
    case 7:
      return internText("pprof.profile.drop_frames");
    case 8:
      return internText("pprof.profile.keep_frames");
    case 14:
      return internText("pprof.scope.default_sample_type");
    default:
      return internText("pprof.profile.doc_url");
  }
}

/** An element { 1 AnyValue { 1 string } } of the array. */
function addComment(text: u32): void {
  const n = strings.size(text);
  putHeader(comments, 0x0a, 1 + lengthSize(n) + n);
  putHeader(comments, 0x0a, n);
  comments.bytes(strings.pointer(text), n);
}

function lengthSize(n: u32): u32 {
  let size: u32 = 1;
  while (n >= 0x80) {
    n >>= 7;
    size++;
  }
  return size;
}

function putHeader(out: Buffer, tag: u8, n: u32): void {
  let p = out.need(6);
  store<u8>(p, tag);
  p++;
  while (n >= 0x80) {
    store<u8>(p, <u8>n | 0x80);
    n >>= 7;
    p++;
  }
  store<u8>(p, <u8>n);
  out.size = <u32>(p + 1 - out.at);
}
