/**
 * The attributes of a set as a message lists them: in the order of the store, or, where rows are numbered by their
 * first use (columns.ts), sorted by their keys' bytes. A set has each key once.
 */

import { equalBytes } from "../memory/hash";
import * as AttributeRow from "../store/rows/attribute-row";
import { attributes, sets } from "../store/tables";
import { stringPointer, stringSize } from "./added";
import { at, byUse, put } from "./columns";
import { scratch } from "./output";

/** u32 per set: pointer to the sorted list; 0 for the lists of the store. */
let lists: usize = 0;

/** To be called once a message. */
export function beginLists(): void {
  lists = 0;
  if (!byUse) return;
  let bytes: u64 = 0;
  for (let i: u32 = 1; i < sets.count; i++) bytes += sets.size(i);
  let p = scratch(bytes);
  lists = scratch((<u64>sets.count) << 2);
  for (let i: u32 = 0; i < sets.count; i++) {
    put(lists, i, <u32>p);
    const n = sets.size(i);
    memory.copy(p, sets.pointer(i), n);
    sort(p, n >> 2);
    p += n;
  }
}

/** Pointer to the attributes of set `set`, u32 each. */
export function listOf(set: u32): usize {
  return lists === 0 ? sets.pointer(set) : <usize>at(lists, set);
}

function sort(p: usize, n: u32): void {
  for (let i: u32 = 1; i < n; i++) {
    const attribute = at(p, i);
    const key = attributes.get(attribute, AttributeRow.KEY);
    let to = i;
    while (to > 0 && isBefore(key, attributes.get(at(p, to - 1), AttributeRow.KEY))) {
      put(p, to, at(p, to - 1));
      to--;
    }
    put(p, to, attribute);
  }
}

function isBefore(a: u32, b: u32): bool {
  const n = min<u32>(stringSize(a), stringSize(b));
  const p = stringPointer(a);
  const q = stringPointer(b);
  if (equalBytes(p, q, n)) return stringSize(a) < stringSize(b);
  let i: u32 = 0;
  while (load<u8>(p + i) === load<u8>(q + i)) i++;
  return load<u8>(p + i) < load<u8>(q + i);
}
