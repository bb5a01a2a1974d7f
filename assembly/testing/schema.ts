/**
 * Entry of the schema's test: the core, and a check of its tables against their description. Not part of the product.
 */

import * as DiagnosticRow from "../abi/rows/diagnostic-row";
import * as ProfileRow from "../abi/rows/profile-row";
import * as ValueKind from "../abi/value-kind";
import { diagnosticCount, diagnosticRows } from "../store/diagnostics";
import { bytesTable, rowTable } from "../store/interned";
import { eventAt, eventCount, profileAt, profileCount } from "../store/profiles";
import { rootSets } from "../store/roots";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { observationBlock, observationCount, sampleAt, sampleCount } from "../store/samples";
import { describedWord, isNext, Table, targetOf, Word, wordOf } from "../store/schema";

export * from "../index";
export { describedWord, isDerived, isNext, targetOf, wordCount, wordOf } from "../store/schema";

/** Per described word of a table: rows that have something else than 0 in it. */
const used: usize = memory.data(64 * 4, 4);

/** Rows of `table` with a word other than 0 in the described word `w`, of those that `brokenRow` went through last. */
export function usedWords(w: u32): u32 {
  return load<u32>(used + ((<usize>w) << 2));
}

/** 1 + the first row of `table` that does not fit its description; 0 where all do. */
export function brokenRow(table: Table): u32 {
  memory.fill(used, 0, 64 * 4);
  for (let i: u32 = 0; i < rowCount(table); i++) if (!fits(table, i)) return i + 1;
  return 0;
}

function fits(table: Table, i: u32): bool {
  const p = rowPointer(table, i);
  const size = rowSize(table, i);
  if (wordOf(table, 0) === Word.Bytes) return true;
  if (wordOf(table, 0) === Word.PackedLocations) return hasLocations(p, p + size);
  if ((size & 3) !== 0) return false;
  for (let w: u32 = 0; w << 2 < size; w++) {
    const word = load<u32>(p + ((<usize>w) << 2));
    const described = describedWord(table, w);
    if (word !== 0) store<u32>(used + ((<usize>described) << 2), usedWords(described) + 1);
    const target = targetOf(table, described);
    if (target !== Table.None && !isRow(target, word, isNext(table, described))) return false;
    if (wordOf(table, described) === Word.Unused && word !== 0) return false;
    if (
      wordOf(table, described) === Word.Value &&
      !isValue(load<u32>(p + ((<usize>w) << 2) - 4), load<u64>(p + ((<usize>w) << 2)))
    )
      return false;
  }
  return true;
}

function isRow(target: Table, word: u32, next: bool): bool {
  return next ? word <= rowCount(target) : word < rowCount(target);
}

function isValue(kind: u32, value: u64): bool {
  if (kind === ValueKind.Text) return value < <u64>rowCount(Table.Strings);
  return kind !== ValueKind.Encoded || value < <u64>rowCount(Table.Encoded);
}

function hasLocations(p: usize, end: usize): bool {
  while (p < end) {
    let v: u64 = 0;
    let b: u32 = 0x80;
    for (let shift: u64 = 0; p < end && b >= 0x80; shift += 7) {
      b = load<u8>(p);
      v |= (<u64>(b & 0x7f)) << shift;
      p++;
    }
    if (b >= 0x80 || v >= <u64>rowCount(Table.Locations)) return false;
  }
  return true;
}

/** Rows of a table, row 0 included. */
export function rowCount(table: Table): u32 {
  const bytes = bytesTable(table);
  if (bytes !== null) return bytes.count;
  const rows = rowTable(table);
  if (rows !== null) return rows.count;
  switch (table) {
    case Table.Roots:
      return rootSets.size >> 2;
    case Table.Profiles:
      return profileCount;
    case Table.Events:
      return eventCount;
    case Table.Samples:
      return sampleCount;
    case Table.Observations:
      return observationCount;
    case Table.Diagnostics:
      return diagnosticCount;
    default:
      return 0;
  }
}

/** Pointer to a row, good until one is added. */
export function rowPointer(table: Table, i: u32): usize {
  const bytes = bytesTable(table);
  if (bytes !== null) return bytes.pointer(i);
  const rows = rowTable(table);
  if (rows !== null) return rows.row(i);
  switch (table) {
    case Table.Roots:
      return rootSets.at + ((<usize>i) << 2);
    case Table.Profiles:
      return profileAt(i);
    case Table.Events:
      return eventAt(i);
    case Table.Samples:
      return sampleAt(i);
    case Table.Observations:
      return (
        observationBlock(i / ObservationRow.BLOCK_ROWS) + <usize>(i % ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES
      );
    default:
      return diagnosticRows() + <usize>i * DiagnosticRow.BYTES;
  }
}

/** Bytes of a row. */
export function rowSize(table: Table, i: u32): u32 {
  const bytes = bytesTable(table);
  if (bytes !== null) return bytes.size(i);
  const rows = rowTable(table);
  if (rows !== null) return rows.words << 2;
  switch (table) {
    case Table.Roots:
      return 4;
    case Table.Profiles:
      return <u32>ProfileRow.BYTES;
    case Table.Events:
      return <u32>ProfileRow.EVENT_BYTES;
    case Table.Samples:
      return <u32>SampleRow.BYTES;
    case Table.Observations:
      return <u32>ObservationRow.BYTES;
    default:
      return <u32>DiagnosticRow.BYTES;
  }
}
