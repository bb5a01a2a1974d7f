/**
 * Resources. A store may hold samples of many processes. Attributes that all resources of a file share become facts of
 * the file; the others become attributes of their samples and stay with their profiles (store/scopes.ts). So
 * `service.name` can be used as a filter in the output of a Collector that many services send to. Samples get no
 * attributes of a Resource that our writer marked as separate (scope.ts).
 *
 *   Resource  1 KeyValue …          KeyValue  1 key · 2 AnyValue · 3 key's string index
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as ValueKind from "../../abi/value-kind";
import { Buffer } from "../../memory/buffer";
import { onReset } from "../../memory/resets";
import { diagnose, diagnosingChunk } from "../../store/diagnostics";
import { noteFact } from "../../store/facts";
import * as AttributeRow from "../../store/rows/attribute-row";
import { attributes, internAttribute, sets } from "../../store/tables";
import { field, from, offsetOf, takeOf, to, value } from "../protobuf";
import { addToSet, internSet, ownSet } from "../set";
import { bits, kind, readValue } from "./any-value";
import { addAttribute } from "./attributes";
import { textAt } from "./strings";
import { rowAt, Table } from "./tables";

const RESOURCE: u64 = 0x40;
const KEY_VALUE: u64 = 0x1440;

const set: Buffer = ownSet();
/** Attributes that all resources of the file share so far. */
let shared: u32 = 0;
let any: bool = false;

onReset((): void => {
  forgetResources();
});

/** Another file begins. */
export function forgetResources(): void {
  shared = 0;
  any = false;
}

/** Attribute set of the Resource at [p, end). */
export function readResource(p: usize, end: usize): u32 {
  set.size = 0;
  while (p < end) {
    const start = p;
    p = takeOf(p, end, RESOURCE);
    if (field === 1) addAttribute(set, readPair(from, to), start);
  }
  return internSet(set);
}

/** Attribute of the KeyValue at [p, end). */
export function readPair(p: usize, end: usize): u32 {
  let key: u32 = 0;
  let type = ValueKind.None;
  let content: u64 = 0;
  while (p < end) {
    const start = p;
    p = takeOf(p, end, KEY_VALUE);
    if (field === 1) {
      key = textAt(from, to);
    } else if (field === 3 && key === 0) {
      key = rowAt(Table.String, value, start);
    } else if (field === 2) {
      readValue(from, to);
      type = kind;
      content = bits;
    }
  }
  return internAttribute(key, type, content);
}

function has(row: u32, attribute: u32): bool {
  const p = sets.pointer(row);
  for (let o: u32 = 0; o < sets.size(row); o += 4) if (load<u32>(p + o) === attribute) return true;
  return false;
}

/** Takes one more resource into account. */
export function shareResource(row: u32): void {
  if (!any) shared = row;
  else if (row !== shared) shared = without(shared, row, true);
  any = true;
}

/** The members of set `row` that set `other` has too, or has not. */
function without(row: u32, other: u32, common: bool): u32 {
  set.size = 0;
  const p = sets.pointer(row);
  for (let o: u32 = 0; o < sets.size(row); o += 4) {
    if (has(other, load<u32>(p + o)) === common) addToSet(set, load<u32>(p + o));
  }
  return internSet(set);
}

/** The attributes of this resource that not all have. `isMoved`: samples get them. */
export function ownOf(row: u32, at: usize, isMoved: bool): u32 {
  if (row === shared) return 0;
  const own = without(row, shared, false);
  if (own !== 0 && isMoved) diagnose(Diagnostic.ResourcesDiffer, offsetOf(at), sets.size(own) >> 2);
  return own;
}

/** Records the attributes that all resources share as facts of the current file. */
export function noteShared(): void {
  const p = sets.pointer(shared);
  for (let o: u32 = 0; o < sets.size(shared); o += 4) {
    const attribute = load<u32>(p + o);
    noteFact(diagnosingChunk(), 0, attributes.get(attribute, AttributeRow.KEY), attribute);
  }
}
