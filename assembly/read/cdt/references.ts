/**
 * References from the trace into the streams sql and xml: large values, by the file and the offset of a string. The
 * streams come after the trace, so references wait here, and each string that is read finds the references to it.
 */
import * as Stream from "../../abi/cdt-stream";
import * as ReferenceRow from "../../abi/rows/reference-row";
import * as RunRow from "../../abi/rows/run-row";
import { alloc, regrow } from "../../memory/arena";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { onReset } from "../../memory/resets";
import { Run } from "../../store/runs";
import * as cursor from "./cursor";
import { skipString, string } from "./cursor";

/** Row 0 is unused. */
let rows: usize = 0;
let count: u32 = 0;
let capacity: u32 = 0;
/** One for each stream, by | file u32 | offset u32 |. */
const inSql: KeyTable = ownKeyTable(64);
const inXml: KeyTable = ownKeyTable(64);
/** The file that is read, and whether its texts are kept. */
let file: u32 = 0;
let keeping: bool = false;

onReset((): void => {
  capacity = 64;
  rows = alloc(<usize>capacity * ReferenceRow.BYTES);
  count = 1;
});

/** Forgets the references of the run before. */
export function beginReferences(keepTexts: bool): void {
  count = 1;
  inSql.free();
  inSql.create(64);
  inXml.free();
  inXml.create(64);
  keeping = keepTexts;
}

/** Whether this is the pass that keeps texts; the one before counted them. */
export function isKeeping(): bool {
  return keeping;
}

export function beginTexts(index: u32): void {
  file = index;
}

function tableOf(stream: u32): KeyTable {
  return stream === <u32>Stream.Sql ? inSql : inXml;
}

function rowAt(i: u32): usize {
  return rows + <usize>i * ReferenceRow.BYTES;
}

/** The reference to a string, 0 if there is none yet. */
export function knownReference(stream: u32, index: u32, offset: u32): u32 {
  return tableOf(stream).find(((<u64>index) << 32) | <u64>offset);
}

/** The reference to a string: a row, equal for equal places. */
export function referenceTo(stream: u32, index: u32, offset: u32): u32 {
  const key = ((<u64>index) << 32) | <u64>offset;
  const known = tableOf(stream).find(key);
  if (known !== 0) return known;
  if (count === capacity) {
    const bytes = <usize>capacity * ReferenceRow.BYTES;
    rows = regrow(rows, bytes, bytes, bytes << 1);
    capacity <<= 1;
  }
  tableOf(stream).add(key, count);
  const p = rowAt(count);
  memory.fill(p, 0, ReferenceRow.BYTES);
  store<u32>(p, stream, ReferenceRow.STREAM);
  store<u32>(p, index, ReferenceRow.FILE);
  store<u32>(p, offset, ReferenceRow.OFFSET);
  return count++;
}

/** Reads the string at `offset` of the current file if a reference leads to it. */
export function takeText(stream: u32, offset: u32): bool {
  const row = tableOf(stream).find(((<u64>file) << 32) | <u64>offset);
  if (row === 0) return false;
  let text: u32 = 0;
  if (keeping) text = string() + 1;
  else skipString();
  if (!cursor.torn && !cursor.bad) {
    store<u32>(rowAt(row), text, ReferenceRow.TEXT);
    store<u32>(rowAt(row), 1, ReferenceRow.FOUND);
  }
  return true;
}

/** String + 1 of a reference, 0 if it was not found or not kept. */
export function textOf(reference: u32): u32 {
  return load<u32>(rowAt(reference), ReferenceRow.TEXT);
}

/** Counts the references of a run, and those that lead to no string. */
export function countReferences(run: Run): void {
  let lost: u32 = 0;
  for (let i: u32 = 1; i < count; i++) {
    const p = rowAt(i);
    if (load<u32>(p, ReferenceRow.FOUND) !== 0) continue;
    if (lost === 0) {
      store<u32>(run.row, load<u32>(p, ReferenceRow.STREAM), RunRow.LOST_STREAM);
      store<u32>(run.row, load<u32>(p, ReferenceRow.FILE), RunRow.LOST_FILE);
      store<u32>(run.row, load<u32>(p, ReferenceRow.OFFSET), RunRow.LOST_OFFSET);
    }
    lost++;
  }
  store<u32>(run.row, count - 1, RunRow.REFERENCES);
  store<u32>(run.row, lost, RunRow.LOST_REFERENCES);
}

/** One more than the last reference. */
export function referenceEnd(): u32 {
  return count;
}

/** Its row (abi/rows/reference-row.ts). */
export function referenceRow(reference: u32): usize {
  return rowAt(reference);
}
