/**
 * Values of parameters with the frames that have them, added up while the trace is passed (walk.ts): for all frames of
 * the marked calls, for those of a function, or for those of one path of functions.
 *
 * A frame inside another one that has the same value is part of its time. So each thread keeps, for each value, the
 * times that were added inside its open root; a frame that is left takes back those that were added since its enter.
 *
 *   rows   abi/rows/tally-row.ts; row 0 counts the frames themselves
 *   tag    | depth u32 | row u32 |                                of open frames of a thread
 *   added  | the one before it of the same value + 1 u32 | 0 | total i64 |      of the open root of a thread
 *   slot   | serial of the root u32 | newest of its times + 1 u32 |             by thread and value
 */
import * as TallyRow from "../../abi/rows/tally-row";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { depthOf, Frame, Thread } from "./threads";

const OPEN_TAG_DEPTH: usize = 0;
const OPEN_TAG_ROW: usize = 4;
const OPEN_TAG_BYTES: u32 = 8;
const ADDED_BEFORE: usize = 0;
const ADDED_TOTAL: usize = 8;
const ADDED_BYTES: u32 = 16;
const SLOT_SERIAL: usize = 0;
const SLOT_NEWEST: usize = 4;
const SLOT_BYTES: u32 = 8;

export const rows: Buffer = ownBuffer(64);
/** Rows by parameter, one table for each kind of value: | word u32 | value u32 |. */
const texts: KeyTable = ownKeyTable(64);
const references: KeyTable = ownKeyTable(64);
const summed: KeyTable = ownKeyTable(64);
const slots: Buffer = ownBuffer(64);
/** By | thread u32 | row u32 |. */
const slotOf: KeyTable = ownKeyTable(64);
/** u32 per id of the dictionary: number of its name on the path, 0 = not on it. */
const names: Buffer = ownBuffer(64);
/** Numbers of names, the root's first; no names: all frames. */
const path: Buffer = ownBuffer(64);
/** The path begins at the root; else it is one name at any depth. */
let isRooted: bool = false;
let frameCount: u64 = 0;
let rootCount: u32 = 0;

/** Room for a number for each id of the dictionary. All are 0. */
export function tallyNames(words: u32): usize {
  names.size = 0;
  memory.fill(names.need(words << 2), 0, (<usize>words) << 2);
  names.size = words << 2;
  return names.at;
}

/** Room for the numbers of the names of a path. */
export function tallyPath(length: u32, rooted: bool): usize {
  path.size = 0;
  const at = path.need(length << 2);
  path.size = length << 2;
  isRooted = rooted;
  return at;
}

export function beginTally(): void {
  rows.size = 0;
  slots.size = 0;
  renew(texts);
  renew(references);
  renew(summed);
  renew(slotOf);
  frameCount = 0;
  rootCount = 0;
  newRow(0, TallyRow.ANY, 0);
}

function renew(table: KeyTable): void {
  table.free();
  table.create(64);
}

function newRow(word: u32, stream: u32, value: u32): u32 {
  const row = rows.size / <u32>TallyRow.BYTES;
  const p = rows.need(<u32>TallyRow.BYTES);
  memory.fill(p, 0, TallyRow.BYTES);
  store<u32>(p, word, TallyRow.WORD);
  store<u32>(p, stream, TallyRow.STREAM);
  store<u32>(p, value, TallyRow.VALUE);
  rows.size += <u32>TallyRow.BYTES;
  return row;
}

/** No further values get a row: those without one are `TallyRow.OTHER`. */
export function isFull(): bool {
  return rows.size / <u32>TallyRow.BYTES >= <u32>TallyRow.MOST_TALLIED;
}

function nameOf(method: u32): u32 {
  return (<u64>method) << 2 < <u64>names.size ? load<u32>(names.at + ((<usize>method) << 2)) : 0;
}

/** The frame that was just pushed. Whether it counts. */
export function isCounted(thread: Thread, method: u32): bool {
  const depth = depthOf(thread) - 1;
  if (depth === 0) {
    thread.serial = ++rootCount;
    thread.matched = 0;
    thread.added.size = 0;
    thread.tags.size = 0;
  }
  const length = path.size >> 2;
  if (length === 0) return true;
  const name = nameOf(method);
  if (!isRooted) return name === load<u32>(path.at);
  if (depth >= length || thread.matched !== depth || name !== load<u32>(path.at + ((<usize>depth) << 2))) return false;
  thread.matched = depth + 1;
  return depth + 1 === length;
}

/** A value of the innermost frame, which counts. */
export function addTag(thread: Thread, word: u32, stream: u32, value: u32): void {
  put(thread, sumRow(word, TallyRow.ANY));
  put(thread, valueRow(word, stream, value));
}

/** A value for which there is no row. */
export function addOther(thread: Thread, word: u32): void {
  put(thread, sumRow(word, TallyRow.ANY));
  put(thread, sumRow(word, TallyRow.OTHER));
}

function put(thread: Thread, row: u32): void {
  thread.tags.u32(depthOf(thread));
  thread.tags.u32(row);
}

/** There are few of them: two for each parameter. */
function sumRow(word: u32, kind: u32): u32 {
  const key = ((<u64>word) << 32) | <u64>kind;
  const known = summed.find(key);
  if (known !== 0) return known;
  const row = newRow(word, kind, 0);
  summed.add(key, row);
  return row;
}

function valueRow(word: u32, stream: u32, value: u32): u32 {
  const table = stream === 0 ? texts : references;
  const key = ((<u64>word) << 32) | <u64>value;
  const known = table.find(key);
  if (known !== 0) return known;
  if (isFull()) return sumRow(word, TallyRow.OTHER);
  const row = newRow(word, stream, value);
  table.add(key, row);
  return row;
}

/** A frame that counts is left; it is still the innermost. */
export function countFrame(thread: Thread, frame: Frame, wall: i64, self: i64, suspended: i64): void {
  frameCount++;
  const depth = depthOf(thread);
  const since = frame.node;
  count(thread, since, 0, wall, self, suspended);
  const tags = thread.tags;
  while (tags.size !== 0 && load<u32>(tags.at + tags.size - OPEN_TAG_BYTES, OPEN_TAG_DEPTH) === depth) {
    const row = load<u32>(tags.at + tags.size - OPEN_TAG_BYTES, OPEN_TAG_ROW);
    tags.size -= OPEN_TAG_BYTES;
    count(thread, since, row, wall, self, suspended);
  }
}

/** A frame is left, whether it counts or not: at `depth` from 1. */
export function leave(thread: Thread, depth: u32): void {
  if (thread.matched >= depth) thread.matched = depth - 1;
}

/** How many times were added inside the open root of a thread. */
export function addedCount(thread: Thread): u32 {
  return thread.added.size / ADDED_BYTES;
}

/** Time that has no frame of the trace: of calls without a tree, or beyond it. */
export function countLone(method: u32, invocations: u32, total: i64, self: i64, suspended: i64): void {
  const length = path.size >> 2;
  if (length > 1 || (length === 1 && nameOf(method) !== load<u32>(path.at))) return;
  add(rows.at, invocations, total, self, suspended);
}

function count(thread: Thread, since: u32, row: u32, wall: i64, self: i64, suspended: i64): void {
  const p = rows.at + <usize>row * TallyRow.BYTES;
  // A frame may have a value twice.
  if (load<u64>(p, TallyRow.STAMP) === frameCount) return;
  store<u64>(p, frameCount, TallyRow.STAMP);
  const slot = slotFor(thread, row);
  const added = thread.added;
  let newest = load<u32>(slot, SLOT_NEWEST);
  let inside: i64 = 0;
  while (newest > since) {
    const q = added.at + <usize>(newest - 1) * ADDED_BYTES;
    inside += load<i64>(q, ADDED_TOTAL);
    newest = load<u32>(q, ADDED_BEFORE);
  }
  add(p, 1, max<i64>(0, wall - inside), self, suspended);
  added.u64(<u64>newest);
  added.u64(<u64>max<i64>(wall, inside));
  store<u32>(slot, added.size / ADDED_BYTES, SLOT_NEWEST);
}

function add(p: usize, invocations: u32, total: i64, self: i64, suspended: i64): void {
  store<u64>(p, load<u64>(p, TallyRow.INVOCATIONS) + <u64>invocations, TallyRow.INVOCATIONS);
  store<i64>(p, load<i64>(p, TallyRow.TOTAL) + total, TallyRow.TOTAL);
  store<i64>(p, load<i64>(p, TallyRow.SELF) + self, TallyRow.SELF);
  store<i64>(p, load<i64>(p, TallyRow.SUSPENDED) + suspended, TallyRow.SUSPENDED);
}

/** The slot of a value in the open root of a thread. */
function slotFor(thread: Thread, row: u32): usize {
  const key = ((<u64>thread.index) << 32) | <u64>row;
  let known = slotOf.find(key);
  if (known === 0) {
    slots.u64(0);
    known = slots.size / SLOT_BYTES;
    slotOf.add(key, known);
  }
  const slot = slots.at + <usize>(known - 1) * SLOT_BYTES;
  if (load<u32>(slot, SLOT_SERIAL) !== thread.serial) {
    store<u32>(slot, thread.serial, SLOT_SERIAL);
    store<u32>(slot, 0, SLOT_NEWEST);
  }
  return slot;
}
