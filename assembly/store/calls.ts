/**
 * Calls of CDT dumps: the records of the stream `calls`, and roots of the trace without a record. Rows of
 * abi/rows/call-row.ts in the order of reading; those of a run are next to each other.
 *
 *   parameters of a call: (word u32 | string u32)*      a pair for each value; NO_VALUE for an empty list
 */
import * as CallRow from "../abi/rows/call-row";
import { alloc, regrow } from "../memory/arena";
import { BytesTable, ownBytesTable } from "../memory/bytes-table";
import { mix } from "../memory/hash";
import { KeyTable, ownKeyTable } from "../memory/key-table";
import { onReset } from "../memory/resets";

/** A pair of parameters: the id of the name, the string of the value. */
export const PAIR_NAME: usize = 0;
export const PAIR_VALUE: usize = 4;
export const PAIR_BYTES: u32 = 8;

/** Row 0 is unused. */
let rows: usize = 0;
export let callCount: u32 = 0;
let capacity: u32 = 0;
/** By the hash of run and key: the last call of the key. */
const byKey: KeyTable = ownKeyTable(64);
export const callParams: BytesTable = ownBytesTable(64);

export function beginCallTable(): void {
  capacity = 64;
  rows = alloc(<usize>capacity * CallRow.BYTES);
  memory.fill(rows, 0, CallRow.BYTES);
  callCount = 1;
}

/** There are no tables until the next run. */
onReset((): void => {
  callCount = 0;
});

/** Pointer to call `i`; moves when a call is added. */
export function callAt(i: u32): usize {
  return rows + <usize>i * CallRow.BYTES;
}

export function callRows(): usize {
  return rows;
}

/** The parameters of row `i` (CALL_PARAMS): pairs of words. */
export function callParamsPointer(i: u32): usize {
  return callParams.pointer(i);
}

export function callParamsSize(i: u32): u32 {
  return callParams.size(i);
}

/** Adds a cleared row of this run and key, with its place among the calls of the key. */
export function addCall(run: u32, file: u32, offset: u32, ordinal: u32): u32 {
  if (callCount === capacity) {
    const bytes = <usize>capacity * CallRow.BYTES;
    rows = regrow(rows, bytes, bytes, bytes << 1);
    capacity <<= 1;
  }
  const before = lastCallOf(run, file, offset, ordinal);
  byKey.put(keyOf(run, file, offset, ordinal), callCount);
  const row = callCount++;
  const p = callAt(row);
  memory.fill(p, 0, CallRow.BYTES);
  store<u32>(p, run, CallRow.RUN);
  store<u32>(p, file, CallRow.FILE);
  store<u32>(p, offset, CallRow.OFFSET);
  store<u32>(p, ordinal, CallRow.ORDINAL);
  store<u32>(p, before, CallRow.BEFORE);
  store<u32>(p, before === 0 ? 1 : load<u32>(callAt(before), CallRow.TWIN) + 1, CallRow.TWIN);
  store<i64>(p, -1, CallRow.THREAD_ID);
  return row;
}

/** Takes the rows from `count` on back, which were added last. */
export function dropCalls(count: u32): void {
  while (callCount > count) {
    const p = callAt(--callCount);
    const key = keyOf(
      load<u32>(p, CallRow.RUN),
      load<u32>(p, CallRow.FILE),
      load<u32>(p, CallRow.OFFSET),
      load<u32>(p, CallRow.ORDINAL),
    );
    // A key without calls keeps a row that the comparison below refuses.
    byKey.put(key, load<u32>(p, CallRow.BEFORE) === 0 ? NONE : load<u32>(p, CallRow.BEFORE));
  }
}

/** A row that no table reaches: a slot of the key table cannot be emptied. */
const NONE: u32 = 0xffff_ffff;

/** The hash is keyed and of 64 bits, and the row is compared: equal hashes of two keys would only hide a call. */
function keyOf(run: u32, file: u32, offset: u32, ordinal: u32): u64 {
  return mix(mix(0, ((<u64>run) << 32) | <u64>file), ((<u64>offset) << 32) | <u64>ordinal);
}

/** The last call of a key, 0 if there is none. */
export function lastCallOf(run: u32, file: u32, offset: u32, ordinal: u32): u32 {
  const row = byKey.find(keyOf(run, file, offset, ordinal));
  if (row === 0 || row >= callCount) return 0;
  const p = callAt(row);
  const isIt =
    load<u32>(p, CallRow.RUN) === run &&
    load<u32>(p, CallRow.FILE) === file &&
    load<u32>(p, CallRow.OFFSET) === offset &&
    load<u32>(p, CallRow.ORDINAL) === ordinal;
  return isIt ? row : 0;
}

/** The first call of a key that has this method, 0 if there is none. `last` is the last call of the key. */
export function callOfMethod(last: u32, method: u32): u32 {
  let found: u32 = 0;
  for (let row = last; row !== 0; row = load<u32>(callAt(row), CallRow.BEFORE)) {
    if (load<u32>(callAt(row), CallRow.METHOD) === method) found = row;
  }
  return found;
}
