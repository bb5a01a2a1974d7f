/**
 * A part: the rows that one chunk adds to the store of an instance that reads apart (store/apart.ts), as bytes for the
 * instance that merges them (merge.ts).
 *
 *   beginPart   before the chunk is opened: forgets the samples and facts of the chunk before; interned rows stay
 *   writePart   after the chunk: the part. Interned rows are those that no earlier part of this store has had
 *
 *   part    | flags u32 | limited u32 | recorded u64, to u64 | earliest u64 | latest u64 | table^n | units | roots
 *           | diagnostics | skipped | waiting | frees | threads | samples |
 *   limited   new incidents and measurements, of which the store keeps a limited number
 *   table   | from u32 | to u32 | rows [from, to) |          each interned table, in the order of the schema
 *   rows    of bytes: sizes u32^n, bytes^n; of words: as they are
 *   units   | n u32 | string u32^n |                         of the profiles of the catalogue
 *   roots   | n u32 | (root u64 | set u32)^n |
 *   diagnostics, skipped, waiting, frees, samples            | n u32 | rows as in the store |
 *   threads | bytes u32 | time u64 by row |                 of the names of the chunk (store/threads/labels.ts)
 *   skipped | n u32 | (event row u32 | samples u32 | excluded live objects 24 bytes)^n |
 *   samples | rows u32 | row^n | observations u32 | with second values u32 | observation^n | i64^n |
 */

import * as DiagnosticRow from "../abi/rows/diagnostic-row";
import * as ProfileRow from "../abi/rows/profile-row";
import { Buffer, ownBuffer } from "../memory/buffer";
import { BytesTable } from "../memory/bytes-table";
import { SLOT_BYTES, SLOT_KEY, SLOT_ROW } from "../memory/key-table";
import { dependsOnEarlier } from "../read/jfr/frame-location";
import { forgetPeriods } from "../read/jfr/periods";
import { keptOut } from "../read/jfr/sample-event";
import { apart, readApart } from "../store/apart";
import { clearDiagnostics, diagnosticCount, diagnosticRows } from "../store/diagnostics";
import { frees } from "../store/held/frees";
import { incidents, incidentsBeyond } from "../store/incidents";
import { bytesTable, rowTable } from "../store/interned";
import { measurements, measurementsBeyond } from "../store/measurements";
import {
  cataloguedProfiles,
  eventCount,
  profileAt,
  recordingEnd,
  recordingStart,
  setRecordedTime,
} from "../store/profiles";
import { clearRoots, rootSets, roots } from "../store/roots";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import {
  clearSamples,
  earliest,
  latest,
  observationBlock,
  observationCount,
  sampleCount,
  sampleRows,
} from "../store/samples";
import { Table } from "../store/schema";
import { secondBlock } from "../store/seconds";
import { resetSkipped, skippedOf } from "../store/skipped";
import { dropWaiting, EXCLUDED_BYTES, excludedOf, waiting } from "../store/snapshots";
import { hasTraces64 } from "../store/tables";
import { times } from "../store/threads/labels";

/** Of the head. */
export const PART_FLAGS: usize = 0;
export const PART_LIMITED: usize = 4;
export const PART_RECORDED: usize = 8;
/**
 * A flag: the chunk depends on chunks before it, has trace ids of 64 bits, or has more than the store keeps: the part
 * is void.
 */
export const PART_VOID: u32 = 1;

const ROOT_SET: usize = 8;
const ROOT_BYTES: u32 = 12;

const part: Buffer = ownBuffer(64);
/** Rows of each interned table that parts have had, u32 by table. */
const known: usize = memory.data(32 * 4, 4);

/** To be called before a chunk is opened, on a core that nothing else was read into. */
export function beginPart(): void {
  if (!apart) {
    readApart();
    for (let table: u32 = 0; table < <u32>Table.End; table++) store<u32>(known + ((<usize>table) << 2), 1);
  }
  clearSamples();
  clearRoots();
  clearDiagnostics();
  resetSkipped();
  dropWaiting();
  times.size = 0;
  forgetPeriods();
  setRecordedTime(u64.MAX_VALUE, 0);
}

export function partPointer(): usize {
  return part.at;
}

/** Makes the part of the chunk, which is closed; returns its size. */
export function writePart(): u32 {
  part.size = 0;
  const isVoid = dependsOnEarlier() || keptOut || hasTraces64 || incidentsBeyond + measurementsBeyond !== 0;
  part.u32(isVoid ? PART_VOID : 0);
  part.u32(newRows(Table.Incidents, incidents.count) + newRows(Table.Measurements, measurements.count));
  part.u64(recordingStart);
  part.u64(recordingEnd);
  part.u64(earliest);
  part.u64(latest);
  for (let table: u32 = 1; table < <u32>Table.End; table++) putTable(table);
  putUnits();
  putRoots();
  part.u32(diagnosticCount);
  part.bytes(diagnosticRows(), diagnosticCount * <u32>DiagnosticRow.BYTES);
  putSkipped();
  part.u32(waiting.size);
  part.bytes(waiting.at, waiting.size);
  part.u32(frees.size);
  part.bytes(frees.at, frees.size);
  part.u32(times.size);
  part.bytes(times.at, times.size);
  part.u32(sampleCount);
  part.bytes(sampleRows, sampleCount * <u32>SampleRow.BYTES);
  putObservations();
  return part.size;
}

function newRows(table: Table, count: u32): u32 {
  return count - load<u32>(known + ((<usize>table) << 2));
}

function putTable(table: Table): void {
  const from = load<u32>(known + ((<usize>table) << 2));
  const bytes = bytesTable(table);
  const rows = rowTable(table);
  let count = from;
  if (bytes !== null) {
    count = bytes.count;
    putBytes(bytes, from);
  } else if (rows !== null) {
    count = rows.count;
    part.u32(from);
    part.u32(count);
    part.bytes(rows.row(from), ((count - from) * rows.words) << 2);
  }
  store<u32>(known + ((<usize>table) << 2), count);
}

function putBytes(table: BytesTable, from: u32): void {
  const count = table.count;
  part.u32(from);
  part.u32(count);
  for (let i = from; i < count; i++) part.u32(table.size(i));
  for (let i = from; i < count; i++) part.bytes(table.pointer(i), table.size(i));
}

function putUnits(): void {
  part.u32(cataloguedProfiles);
  for (let i: u32 = 0; i < cataloguedProfiles; i++) part.u32(load<u32>(profileAt(i), ProfileRow.UNIT));
}

/** In the order of their first statements, which is that of their entries. */
function putRoots(): void {
  const n = (rootSets.size >> 2) - 1;
  part.u32(n);
  const at = part.need(n * ROOT_BYTES);
  part.size += n * ROOT_BYTES;
  const end = roots.at + (<usize>roots.mask + 1) * SLOT_BYTES;
  for (let p = roots.at; p < end; p += SLOT_BYTES) {
    const entry = <usize>load<u32>(p, SLOT_ROW);
    if (entry === 0) continue;
    const q = at + (entry - 1) * ROOT_BYTES;
    store<u64>(q, load<u64>(p, SLOT_KEY));
    store<u32>(q, load<u32>(rootSets.at + (entry << 2)), ROOT_SET);
  }
}

function putSkipped(): void {
  const count = part.size;
  part.u32(0);
  let n: u32 = 0;
  for (let event: u32 = 0; event < eventCount; event++) {
    const excluded = excludedOf(event);
    if (skippedOf(event) === 0 && load<u32>(excluded) === 0) continue;
    part.u32(event);
    part.u32(skippedOf(event));
    part.bytes(excluded, <u32>EXCLUDED_BYTES);
    n++;
  }
  store<u32>(part.at + count, n);
}

function putObservations(): void {
  let seconds: u32 = 0;
  for (let b: u32 = 0; b * ObservationRow.BLOCK_ROWS < observationCount; b++) if (secondBlock(b) !== 0) seconds = 1;
  part.u32(observationCount);
  part.u32(seconds);
  for (let i: u32 = 0; i < observationCount; i += ObservationRow.BLOCK_ROWS) {
    const n = min<u32>(ObservationRow.BLOCK_ROWS, observationCount - i);
    part.bytes(observationBlock(i / ObservationRow.BLOCK_ROWS), n * <u32>ObservationRow.BYTES);
  }
  if (seconds === 0) return;
  for (let i: u32 = 0; i < observationCount; i += ObservationRow.BLOCK_ROWS) {
    const n = min<u32>(ObservationRow.BLOCK_ROWS, observationCount - i);
    const block = secondBlock(i / ObservationRow.BLOCK_ROWS);
    if (block !== 0) part.bytes(block, n << 3);
    else {
      memory.fill(part.need(n << 3), 0, (<usize>n) << 3);
      part.size += n << 3;
    }
  }
}
