/**
 * Entry of the views' tests: fills a store without a reader. `scratch` takes bytes and rows of u32. Not part of the
 * core.
 */

import { arenaBytes } from "../memory/arena";
import { giveUpAll, resetAll } from "../memory/resets";
import { renewFrames } from "../store/frames";
import { normalisedName as nameWithoutRun } from "../store/generated-names";
import { profileCount, addEvent as storeEvent, addProfile as storeProfile } from "../store/profiles";
import * as FunctionRow from "../store/rows/function-row";
import { append, rowOf, sampleCount } from "../store/samples";
import {
  attributes,
  functions,
  internAttribute,
  internFunction,
  internLink,
  internLocation,
  internRootLink,
  internString,
  internThread,
  LinkOrigin,
  locations,
  sets,
  stacks,
  strings,
} from "../store/tables";
import { growTree, nodeCount, stackNode, treeAgain, treeDepth, treeName, treeParent } from "../view/call-tree";
import { kthLargest, sortRecords, tiesWithin } from "../view/order";
import { selfAt, totalAt, weigh } from "../view/weights";

export { normaliseName, takeNotations } from "../store/generated-names";
export { selectionRows } from "../view/selection";
export * from "../view/views";
export { arenaBytes, renewFrames };

const room: usize = memory.data(1 << 16, 8);
const packed: usize = memory.data(1 << 17, 8);

export function normalisedName(): usize {
  return nameWithoutRun;
}

export function reset(): void {
  giveUpAll();
  resetAll();
}

/** 64 KiB for the host to put arguments into. */
export function scratch(): usize {
  return room;
}

/** The `n` bytes in scratch as a string. */
export function addString(n: u32): u32 {
  return internString(room, n);
}

export function addProfile(type: u32, unit: u32): u32 {
  return storeProfile(type, unit, 0, 0, 0, 0);
}

export function addEvent(name: u32, profile: u32): u32 {
  return storeEvent(name, profile, false);
}

/** A location of a function that has nothing but a name; line and frame type tell locations apart. */
export function addLocation(name: u32, line: u32, frameType: u32): u32 {
  return internLocation(internFunction(name, 0, 0, 0), line, 0, 0, frameType);
}

/** A stack of the `n` u32 locations in scratch, leaf first. */
export function addStack(n: u32): u32 {
  let out = packed;
  for (let i: u32 = 0; i < n; i++) {
    let v = load<u32>(room + ((<usize>i) << 2));
    while (v >= 0x80) {
      store<u8>(out, (v & 0x7f) | 0x80);
      v >>= 7;
      out++;
    }
    store<u8>(out, v);
    out++;
  }
  return stacks.intern(packed, <u32>(out - packed));
}

/** A stack of the `n` bytes in scratch as they are. */
export function addRawStack(n: u32): u32 {
  return stacks.intern(room, n);
}

/** A trace id without a high half is a local root's. */
export function addLink(traceHigh: u64, traceLow: u64, span: u64): u32 {
  if (traceHigh === 0) return internRootLink(traceLow, span);
  return internLink(LinkOrigin.Trace128, traceHigh, traceLow, span);
}

export function addAttribute(key: u32, kind: u32, value: u64): u32 {
  return internAttribute(key, kind, value);
}

/** A set of the `n` ascending u32 attributes in scratch. */
export function addSet(n: u32): u32 {
  return sets.intern(room, n << 2);
}

export function addThread(name: u32, id: u32): u32 {
  return internThread(name, id);
}

export function observe(event: u32, stack: u32, link: u32, thread: u32, set: u32, time: i64, value: i64): void {
  append(rowOf(event, stack, link, thread, set), time, value, 0);
}

export function counts(which: u32): u32 {
  if (which === 0) return sampleCount;
  if (which === 1) return stacks.count;
  if (which === 2) return profileCount;
  if (which === 3) return locations.count;
  return attributes.count;
}

export function stringAt(i: u32): usize {
  return strings.pointer(i);
}

export function stringSize(i: u32): u32 {
  return strings.size(i);
}

/** Grows the tree and returns its nodes. */
export function tree(): u32 {
  growTree();
  return nodeCount;
}

/** Column 0 parent, 1 name, 2 depth, 3 again, 4 self, 5 total, 6 stackNode. */
export function treeColumn(which: u32): usize {
  if (which === 0) return treeParent;
  if (which === 1) return treeName;
  if (which === 2) return treeDepth;
  if (which === 3) return treeAgain;
  if (which === 6) return stackNode;
  weigh();
  return which === 4 ? selfAt : totalAt;
}

/** Sorts `n` records (key u64, payload u64) in scratch. */
export function sortScratch(n: u32): void {
  sortRecords(room, n);
}

/** k-th largest of `n` u64 in scratch. */
export function kthOfScratch(n: u32, k: u32): u64 {
  return kthLargest(room, n, k);
}

export function ties(): u32 {
  return tiesWithin;
}

/** Calls the functions of this name otherwise, as symbols that are loaded later would. */
export function renameFunctions(from: u32, to: u32): void {
  for (let i: u32 = 1; i < functions.count; i++) {
    if (functions.get(i, FunctionRow.NAME) === from)
      store<u32>(functions.row(i) + ((<usize>FunctionRow.NAME) << 2), to);
  }
}
