/**
 * Facts that a pprof file states beside its samples, as attributes of its profiles under the names of semantic
 * conventions. Comments become an array, because there may be several.
 */
import * as Diagnostic from "../../abi/formats/pprof";
import * as ValueKind from "../../abi/value-kind";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { diagnose } from "../../store/diagnostics";
import { DEFAULT_TYPE_KEY } from "../../store/keys";
import { internAttribute, internText } from "../../store/tables";
import { affords, beginEncoded, close, endEncoded, open, putText } from "../encoded";
import { beginNumbers, field, nextNumber, number, offsetOf } from "../protobuf";
import { addToSet, internSet, ownSet } from "../set";
import { stringAt } from "./tables";

/** | field u64 | string index u64 | place u64 | of each remark; strings may come later. */
const noted: Buffer = ownBuffer(1 << 8);
const NOTE_FIELD: usize = 0;
const NOTE_TEXT: usize = 8;
const NOTE_PLACE: usize = 16;
const NOTE_BYTES: u32 = 24;
const set: Buffer = ownSet();

export function beginRemarks(): void {
  noted.size = 0;
}

/** Notes the field taken last. */
export function noteRemark(at: usize): void {
  const remark = field;
  beginNumbers();
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
  let comments: u32 = 0;
  beginEncoded();
  const array = open(5);
  for (let o: u32 = 0; o < noted.size; o += NOTE_BYTES) {
    const p = noted.at + o;
    const place = <usize>load<u32>(p, NOTE_PLACE);
    const text = stringAt(load<u64>(p, NOTE_TEXT), place);
    if (load<u32>(p, NOTE_FIELD) !== 13) {
      addToSet(set, internAttribute(keyOf(load<u32>(p, NOTE_FIELD)), ValueKind.Text, text));
    } else if (affords(text)) {
      const element = open(1);
      putText(1, text);
      close(element);
      comments++;
    } else {
      diagnose(Diagnostic.CommentsLarge, offsetOf(place), 0);
    }
  }
  close(array);
  if (comments !== 0) {
    addToSet(set, internAttribute(internText("pprof.profile.comment"), ValueKind.Encoded, endEncoded()));
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
      return internText(DEFAULT_TYPE_KEY);
    default:
      return internText("pprof.profile.doc_url");
  }
}
