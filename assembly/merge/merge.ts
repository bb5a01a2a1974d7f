/**
 * Merging of parts (part.ts) into this store, in the order of the chunks. The result equals that of reading the chunks
 * here, row for row:
 *
 *   - An interned table numbers its rows in the order in which they first occur. A part has the rows of its chunk in
 *     that order, so interning them one after the other gives each new row the number that reading would give it.
 *   - Ids are replaced by the schema, through a map per table from the rows of the other store to those of this one.
 *     Maps stay as long as the other store: later parts refer to rows of earlier ones.
 *   - Samples are rows by identity, in the order of their first observation; observations stay in the order of reading.
 *   - What depends on earlier chunks (periods, live objects) is deferred (store/apart.ts), and decided here in the
 *     order of reading. A part that depends on them otherwise is void, and its chunk is read here.
 */

import * as DiagnosticRow from "../abi/rows/diagnostic-row";
import * as ValueKind from "../abi/value-kind";
import { alloc, regrow, release, setReading } from "../memory/arena";
import { Buffer, ownBuffer } from "../memory/buffer";
import { BytesTable } from "../memory/bytes-table";
import { onReset } from "../memory/resets";
import { RowTable } from "../memory/row-table";
import { dropReport } from "../read/jfr/chunk";
import { beginPeriods, noteMode, notePeriod } from "../read/jfr/periods";
import { eventNow } from "../read/jfr/sample-event";
import { Deferred, deferredKind, deferredRow } from "../store/apart";
import { diagnoseChunk, diagnoseTimes } from "../store/diagnostics";
import { frees } from "../store/held/frees";
import { incidents, MOST_INCIDENTS } from "../store/incidents";
import { bytesTable, rowTable } from "../store/interned";
import { MOST_MEASUREMENTS, measurements } from "../store/measurements";
import { coverTime, MAX_EVENTS, setUnit } from "../store/profiles";
import { noteRoot } from "../store/roots";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { adoptObservations, coverObservations } from "../store/samples";
import { describedWord, isNext, Table, targetOf, Word, wordCount, wordOf } from "../store/schema";
import { noteSkipped } from "../store/skipped";
import { adoptExcluded, adoptWaiting, EXCLUDED_BYTES, supersede, WAITING_BYTES } from "../store/snapshots";
import { noteThreadTime } from "../store/threads/labels";
import { PART_FLAGS, PART_LIMITED, PART_RECORDED, PART_VOID } from "./part";

/** Other stores at a time. */
const MOST_STORES: u32 = 64;
const TABLES: usize = 32;
/** By store and table: | rows of this store u32^n: pointer u32 | n that fit u32 |. */
const maps: usize = memory.data(64 * 32 * 8, 4);
const MAP_ROOM: usize = 4;
/** Of the store that is merged from: pointer to the map by table. */
const mapOf: usize = memory.data(32 * 4, 4);
/** Event row here by event row of the catalogue. */
const events: usize = memory.data(<i32>MAX_EVENTS * 4, 4);
/** By word of a row: the map, 0 where it is no reference. */
const wordMaps: usize = memory.data(32 * 4, 4);
const GROUP: u32 = 64;
const hashes: usize = memory.data(64 * 4, 4);
/** Where touched slots go, so that the loads are not optimised away. */
let sink: u32 = 0;
const list: Buffer = ownBuffer(64);
/** Next byte of the part. */
let at: usize = 0;
/** Ordinal of the part's chunk. */
let chunk: u32 = 0;

onReset((): void => {
  memory.fill(maps, 0, <usize>MOST_STORES * TABLES * 8);
});

/** Frees the maps of all other stores. */
export function endMerging(): void {
  for (let p = maps; p < maps + <usize>MOST_STORES * TABLES * 8; p += 8) {
    if (load<u32>(p) !== 0) release(<usize>load<u32>(p), (<usize>load<u32>(p, MAP_ROOM)) << 2);
  }
  memory.fill(maps, 0, <usize>MOST_STORES * TABLES * 8);
}

function word(): u32 {
  at += 4;
  return load<u32>(at - 4);
}

function long(): u64 {
  at += 8;
  return load<u64>(at - 8);
}

/**
 * Merges the part at `p`, of chunk `ordinal`, from the other store with this number. False if it is void: then nothing
 * was merged.
 */
export function mergePart(p: usize, other: u32, ordinal: u32): bool {
  if (other >= MOST_STORES || (load<u32>(p, PART_FLAGS) & PART_VOID) !== 0) return false;
  // Beyond these the store counts only, and does not know which of them are alike.
  const limited = load<u32>(p, PART_LIMITED);
  if (incidents.count + limited > MOST_INCIDENTS || measurements.count + limited > MOST_MEASUREMENTS) return false;
  setReading(true);
  dropReport();
  chunk = ordinal;
  diagnoseChunk(ordinal);
  at = p + PART_RECORDED;
  const start = long();
  coverTime(start, long());
  const earliest = long();
  coverObservations(earliest, <i64>long());
  for (let table: u32 = 1; table < <u32>Table.End; table++) mergeTable(other, table);
  mergeUnits();
  mergeRoots();
  mergeDiagnostics();
  mergeSkipped();
  mergeWaiting();
  mergeFrees();
  mergeThreadTimes();
  mergeSamples();
  setReading(false);
  return true;
}

/** The map of `table` with room for rows up to `count`; rows below `from` are in it. */
function mapWith(other: u32, table: Table, from: u32, count: u32): usize {
  const p = maps + (<usize>other * TABLES + <usize>table) * 8;
  const rows = <usize>load<u32>(p);
  const room = load<u32>(p, MAP_ROOM);
  if (count <= room) return rows;
  const wish = max<u32>(count + (count >> 1), 64);
  const larger =
    rows === 0 ? alloc((<usize>wish) << 2) : regrow(rows, (<usize>room) << 2, (<usize>from) << 2, (<usize>wish) << 2);
  store<u32>(p, <u32>larger);
  store<u32>(p, wish, MAP_ROOM);
  return larger;
}

function mergeTable(other: u32, table: Table): void {
  const bytes = bytesTable(table);
  const rows = rowTable(table);
  if (bytes === null && rows === null) return;
  const first = word();
  const end = word();
  const map = mapWith(other, table, first, end);
  store<u32>(map, 0);
  store<u32>(mapOf + ((<usize>table) << 2), <u32>map);
  if (bytes !== null) mergeBytes(bytes, table, map, first, end);
  else if (rows !== null) mergeRows(rows, table, map, first, end);
}

function mapOfTable(table: Table): usize {
  return <usize>load<u32>(mapOf + ((<usize>table) << 2));
}

/** The row here for a row of the other store. */
function mapped(table: Table, row: u32): u32 {
  return load<u32>(mapOfTable(table) + ((<usize>row) << 2));
}

function mergeBytes(to: BytesTable, table: Table, map: usize, first: u32, end: u32): void {
  const kind = wordOf(table, 0);
  let size = at;
  at += (<usize>(end - first)) << 2;
  for (let i = first; i < end; i++) {
    const n = load<u32>(size);
    size += 4;
    let row: u32 = 0;
    if (kind === Word.Bytes) {
      row = to.intern(at, n);
    } else {
      if (kind === Word.PackedLocations) mapStack(at, n);
      else mapList(table, at, n);
      row = to.intern(list.at, list.size);
    }
    store<u32>(map + ((<usize>i) << 2), row);
    at += n;
  }
}

/** A stack with the locations of this store, in `list`. */
function mapStack(p: usize, n: u32): void {
  const locations = mapOfTable(Table.Locations);
  list.size = 0;
  // A location takes a byte at least there, and five at most here.
  let q = list.need(n * 5);
  for (const end = p + n; p < end; ) {
    let v: u32 = load<u8>(p++);
    if (v >= 0x80) {
      v &= 0x7f;
      let b: u32 = 0x80;
      for (let shift: u32 = 7; b >= 0x80; shift += 7) {
        b = load<u8>(p++);
        v |= (b & 0x7f) << shift;
      }
    }
    v = load<u32>(locations + ((<usize>v) << 2));
    while (v >= 0x80) {
      store<u8>(q++, <u8>v | 0x80);
      v >>= 7;
    }
    store<u8>(q++, <u8>v);
  }
  list.size = <u32>(q - list.at);
}

/** A list of words with the rows of this store, in `list`. */
function mapList(table: Table, p: usize, n: u32): void {
  list.size = 0;
  const q = list.need(n);
  for (let w: u32 = 0; w << 2 < n; w++) {
    const v = load<u32>(p + ((<usize>w) << 2));
    const target = targetOf(table, describedWord(table, w));
    store<u32>(q + ((<usize>w) << 2), target === Table.None ? v : mapped(target, v));
  }
  if (table === Table.Sets) sortWords(q, n >> 2);
  list.size = n;
}

/** The attributes of a set ascend. They are few (MAX_ATTRIBUTES), and mostly in order. */
function sortWords(p: usize, n: u32): void {
  for (let i: u32 = 1; i < n; i++) {
    const v = load<u32>(p + ((<usize>i) << 2));
    let j = i;
    for (; j > 0 && load<u32>(p + ((<usize>j - 1) << 2)) > v; j--) {
      store<u32>(p + ((<usize>j) << 2), load<u32>(p + ((<usize>j - 1) << 2)));
    }
    store<u32>(p + ((<usize>j) << 2), v);
  }
}

/** In groups, so that the waits for memory overlap (docs/notes/performance.md). The rows are mapped where they are. */
function mergeRows(to: RowTable, table: Table, map: usize, first: u32, end: u32): void {
  to.findable();
  const words = wordCount(table);
  let chunkAt = words;
  let valueAt = words;
  for (let w: u32 = 0; w < words; w++) {
    const target = targetOf(table, w);
    store<u32>(wordMaps + ((<usize>w) << 2), target === Table.None ? 0 : <u32>mapOfTable(target));
    if (wordOf(table, w) === Word.Chunk) chunkAt = w;
    if (wordOf(table, w) === Word.Value) valueAt = w;
  }
  const bytes = (<usize>words) << 2;
  let touched = sink;
  for (let i = first; i < end; i += GROUP) {
    const n = min<u32>(GROUP, end - i);
    for (let k: u32 = 0; k < n; k++) {
      const p = at + <usize>k * bytes;
      if (valueAt !== words) mapValue(p, valueAt);
      for (let w: u32 = 0; w < words; w++) {
        const rows = <usize>load<u32>(wordMaps + ((<usize>w) << 2));
        const word = p + ((<usize>w) << 2);
        if (rows !== 0) store<u32>(word, load<u32>(rows + ((<usize>load<u32>(word)) << 2)));
      }
      if (chunkAt !== words) store<u32>(p + ((<usize>chunkAt) << 2), isNext(table, chunkAt) ? chunk + 1 : chunk);
      const hash = to.hashAt(p);
      store<u32>(hashes + ((<usize>k) << 2), hash);
      touched += to.touch(hash);
    }
    for (let k: u32 = 0; k < n; k++) {
      touched += load<u32>(to.row(to.likely(load<u32>(hashes + ((<usize>k) << 2)))));
    }
    for (let k: u32 = 0; k < n; k++) {
      memory.copy(to.draft, at, bytes);
      const row = to.internHashed(load<u32>(hashes + ((<usize>k) << 2)));
      store<u32>(map + ((<usize>(i + k)) << 2), row);
      at += bytes;
    }
  }
  sink = touched;
}

/** Word `w` of the row at `p`, which the word before it is the kind of. */
function mapValue(p: usize, w: u32): void {
  const value = p + ((<usize>w) << 2);
  const kind = load<u32>(p + ((<usize>w - 1) << 2));
  if (kind === ValueKind.Text) store<u32>(value, mapped(Table.Strings, load<u32>(value)));
  else if (kind === ValueKind.Encoded) store<u32>(value, mapped(Table.Encoded, load<u32>(value)));
}

function mergeUnits(): void {
  const n = word();
  for (let i: u32 = 0; i < n; i++) setUnit(i, mapped(Table.Strings, word()));
}

function mergeRoots(): void {
  for (let n = word(); n > 0; n--) {
    const root = long();
    noteRoot(root, mapped(Table.Sets, word()));
  }
}

/** In the order of reading, with the decisions that were deferred. */
function mergeDiagnostics(): void {
  for (let event: u32 = 0; event < MAX_EVENTS; event++) store<u32>(events + ((<usize>event) << 2), event);
  beginPeriods();
  for (let n = word(); n > 0; n--) {
    const code = load<u32>(at, DiagnosticRow.CODE);
    const row = deferredRow(code);
    const offset = load<u64>(at, DiagnosticRow.OFFSET);
    const value = load<i64>(at, DiagnosticRow.VALUE);
    switch (deferredKind(code)) {
      case Deferred.Statement:
        notePeriod(row, value);
        break;
      case Deferred.Period:
        store<u32>(events + ((<usize>row) << 2), eventNow(row, offset));
        break;
      case Deferred.Mode:
        noteMode(mapped(Table.Strings, <u32>value));
        break;
      case Deferred.Snapshot:
        supersede(row, chunk, offset, value, load<u32>(at, DiagnosticRow.COUNT));
        break;
      default:
        diagnoseTimes(code, offset, value, load<u32>(at, DiagnosticRow.COUNT));
    }
    at += DiagnosticRow.BYTES;
  }
}

function eventHere(event: u32): u32 {
  return load<u32>(events + ((<usize>event) << 2));
}

function mergeSkipped(): void {
  for (let n = word(); n > 0; n--) {
    const event = word();
    noteSkipped(eventHere(event), word());
    adoptExcluded(event, at);
    at += EXCLUDED_BYTES;
  }
}

function mergeWaiting(): void {
  const size = word();
  for (const end = at + size; at < end; at += WAITING_BYTES) {
    const stack = mapped(Table.Stacks, load<u32>(at, SampleRow.STACK));
    const thread = mapped(Table.Threads, load<u32>(at, SampleRow.THREAD));
    adoptWaiting(
      at,
      eventHere(load<u32>(at, SampleRow.EVENT)),
      stack,
      thread,
      mapped(Table.Sets, load<u32>(at, SampleRow.SET)),
    );
  }
}

function mergeFrees(): void {
  const size = word();
  frees.bytes(at, size);
  at += size;
}

function mergeThreadTimes(): void {
  const n = word() >> 3;
  for (let row: u32 = 0; row < n; row++) {
    const time = long();
    if (time !== 0) noteThreadTime(mapped(Table.Threads, row), time);
  }
}

function mergeSamples(): void {
  const count = word();
  const samples = at;
  for (let i: u32 = 1; i < count; i++) {
    const p = at + <usize>i * SampleRow.BYTES;
    store<u32>(p, eventHere(load<u32>(p, SampleRow.EVENT)), SampleRow.EVENT);
    store<u32>(p, mapped(Table.Stacks, load<u32>(p, SampleRow.STACK)), SampleRow.STACK);
    store<u32>(p, mapped(Table.Links, load<u32>(p, SampleRow.LINK)), SampleRow.LINK);
    store<u32>(p, mapped(Table.Threads, load<u32>(p, SampleRow.THREAD)), SampleRow.THREAD);
    store<u32>(p, mapped(Table.Sets, load<u32>(p, SampleRow.SET)), SampleRow.SET);
  }
  at += <usize>count * SampleRow.BYTES;
  const n = word();
  const seconds = word() !== 0 ? at + <usize>n * ObservationRow.BYTES : 0;
  const rows = alloc((<usize>count) << 2);
  adoptObservations(at, n, seconds, samples, count, rows);
  release(rows, (<usize>count) << 2);
}
