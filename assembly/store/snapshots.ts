/**
 * Observations of events that list the state at the end of a chunk, such as the objects still alive. Every chunk lists
 * them again, so adding chunks up would count an object as often as it survived: in a file, only the chunk that began
 * last counts, of those with the event. Its observations wait here until the file ends.
 *
 * Observations of superseded chunks are removed once they are half of all.
 */

import * as Diagnostic from "../abi/formats/jfr";
import * as EndListRow from "../abi/rows/end-list-row";
import { Buffer, ownBuffer } from "../memory/buffer";
import { onReset } from "../memory/resets";
import { SORTED_BYTES, SORTED_VALUE, sortRows } from "../memory/sort";
import { apart, Deferred, defer } from "./apart";
import { noteObservation } from "./contexts";
import { diagnose, diagnoseTimes, diagnosingChunk } from "./diagnostics";
import { growthOf } from "./held/counters";
import { frees, markFreed } from "./held/frees";
import { MAX_EVENTS } from "./profiles";
import { countObservations, coverObservations, freeStaged, nextObservation, settle, stage } from "./samples";
import { noteSkipped } from "./skipped";
import { Staged, Waiting } from "./staged";

export const waiting: Buffer = ownBuffer(<u32>offsetof<Waiting>());
/** Observations of counters by time, for sortRows. */
const order: Buffer = ownBuffer(<u32>SORTED_BYTES);
let pass: u32 = 0;
const SETTLED_BYTES: u32 = 8;
const settled: Buffer = ownBuffer(SETTLED_BYTES);
const listed: Buffer = ownBuffer(EndListRow.BYTES);
/** Per event row: chunk whose observations wait, + 1, when it began, and how many they are. */
const chunks: usize = memory.data(<i32>MAX_EVENTS * 4, 4);
const begins: usize = memory.data(<i32>MAX_EVENTS * 8, 8);
const counts: usize = memory.data(<i32>MAX_EVENTS * 4, 4);
/**
 * Of the observations in `counts`, those that a filter excludes, with their times: they count if their chunk is the
 * last one, but none of them waits.
 *
 *   | observations u32 | 0 | first i64 | last i64 |     24 bytes per event row
 */
const excluded: usize = memory.data(<i32>MAX_EVENTS * 24, 8);
const EXCLUDED_BYTES: usize = 24;
const EXCLUDED_FIRST: usize = 8;
const EXCLUDED_LAST: usize = 16;
/** Rows of superseded chunks that are still there. */
let dropped: u32 = 0;

onReset((): void => {
  forgetChunks();
});

function forgetChunks(): void {
  memory.fill(chunks, 0, MAX_EVENTS * 4);
  memory.fill(counts, 0, MAX_EVENTS * 4);
  memory.fill(excluded, 0, MAX_EVENTS * <u32>EXCLUDED_BYTES);
  dropped = 0;
}

/** Whether observations of an event row count that are of this chunk, + 1. */
function isCurrent(event: u32, chunk: u32): bool {
  const last = load<u32>(chunks + ((<usize>event) << 2));
  // Of other events those of all chunks wait.
  return last === 0 || last === chunk;
}

/**
 * Decides between the waiting observations of this event row and those of this chunk, which has so many of them from
 * `offset` on, and began at `begin`.
 */
export function supersede(event: u32, chunk: u32, offset: u64, begin: i64, times: u32): void {
  if (apart) defer(Deferred.Snapshot, event, offset, begin);
  const last = load<u32>(chunks + ((<usize>event) << 2));
  if (last !== 0 && last !== chunk + 1 && begin < load<i64>(begins + ((<usize>event) << 3))) {
    diagnoseTimes(Diagnostic.SnapshotEarlier, offset, 0, times);
    return;
  }
  store<i64>(begins + ((<usize>event) << 3), begin);
  const n = dropEarlier(event, chunk);
  if (n !== 0) diagnose(Diagnostic.SnapshotSuperseded, offset, n);
}

function dropEarlier(event: u32, chunk: u32): u32 {
  const known = chunks + ((<usize>event) << 2);
  const before = load<u32>(known);
  store<u32>(known, chunk + 1);
  if (before === 0 || before === chunk + 1) return 0;
  const count = counts + ((<usize>event) << 2);
  const n = load<u32>(count);
  store<u32>(count, 0);
  const beside = excluded + <usize>event * EXCLUDED_BYTES;
  dropped += n - load<u32>(beside);
  store<u32>(beside, 0);
  if (<usize>dropped * offsetof<Waiting>() * 2 > waiting.size) compact();
  return n;
}

/** Notes an observation of event row `event` that a filter excludes, at `offset` of the chunk. */
export function skipSnapshot(event: u32, chunk: u32, offset: u64, begin: i64, time: i64): void {
  supersede(event, chunk, offset, begin, 1);
  if (!isCurrent(event, chunk + 1)) return;
  const count = counts + ((<usize>event) << 2);
  store<u32>(count, load<u32>(count) + 1);
  const row = excluded + <usize>event * EXCLUDED_BYTES;
  const n = load<u32>(row);
  if (n === 0 || time < load<i64>(row, EXCLUDED_FIRST)) store<i64>(row, time, EXCLUDED_FIRST);
  if (n === 0 || time > load<i64>(row, EXCLUDED_LAST)) store<i64>(row, time, EXCLUDED_LAST);
  store<u32>(row, n + 1);
}

/** Bytes of a waiting observation. */
export const WAITING_BYTES: usize = offsetof<Waiting>();

/** Excluded observations of an event row: a row of `excluded`. */
export function excludedOf(event: u32): usize {
  return excluded + <usize>event * EXCLUDED_BYTES;
}

export { EXCLUDED_BYTES };

/** Takes in a waiting observation of another store; its event row superseded those of earlier chunks. */
export function adoptWaiting(p: usize, event: u32, stack: u32, thread: u32, set: u32): void {
  const row = changetype<Waiting>(waiting.need(<u32>WAITING_BYTES));
  memory.copy(changetype<usize>(row), p, WAITING_BYTES);
  row.event = event;
  row.stack = stack;
  row.thread = thread;
  row.set = set;
  hold(row.isNoted, row.isCounter, row.born, row.address);
}

/** Takes in the excluded observations of an event row of another store. */
export function adoptExcluded(event: u32, p: usize): void {
  const n = load<u32>(p);
  if (n === 0 || !isCurrent(event, diagnosingChunk() + 1)) return;
  const row = excludedOf(event);
  memory.copy(row, p, EXCLUDED_BYTES);
  const count = counts + ((<usize>event) << 2);
  store<u32>(count, load<u32>(count) + n);
}

function compact(): void {
  let to = waiting.at;
  const end = waiting.at + waiting.size;
  for (let p = waiting.at; p < end; p += offsetof<Waiting>()) {
    const row = changetype<Waiting>(p);
    if (!isCurrent(row.event, row.chunk)) continue;
    if (to !== p) memory.copy(to, p, offsetof<Waiting>());
    to += offsetof<Waiting>();
  }
  waiting.size = <u32>(to - waiting.at);
  dropped = 0;
}

/** A row to fill like one of `freeStaged`, and to hand to `hold`; good until the next call that may allocate. */
export function freeWaiting(): Staged {
  return changetype<Staged>(waiting.need(<u32>offsetof<Waiting>()));
}

/**
 * Stages the observation in the row of `freeWaiting` until the file ends. `isNoted`: it is to be in the facts of
 * contexts.ts with the time `born`. `address`: of a block that may be freed, else 0.
 */
export function hold(isNoted: bool, isCounter: bool, born: i64, address: u64): void {
  const row = changetype<Waiting>(waiting.at + waiting.size);
  row.chunk = diagnosingChunk() + 1;
  if (!isCurrent(row.event, row.chunk)) return;
  const event = (<usize>row.event) << 2;
  row.isNoted = isNoted;
  row.isCounter = isCounter;
  row.born = born;
  row.address = address;
  store<u32>(counts + event, load<u32>(counts + event) + 1);
  waiting.size += <u32>offsetof<Waiting>();
}

/**
 * At the end of a file of a process: adds the waiting observations. Those of lists are kept where others are only
 * counted: the list of a later file may replace them (held/lists.ts).
 */
export function settleSnapshots(process: u32): void {
  countUp(process);
  settled.size = 0;
  listed.size = 0;
  if (frees.size !== 0) markFreed(waiting.at, waiting.at + waiting.size);
  settleRows(false);
  for (let event: u32 = 0; event < MAX_EVENTS; event++) {
    if (load<u32>(chunks + ((<usize>event) << 2)) === 0) continue;
    // Both words are of 8 bytes: events are small numbers.
    listed.u64(event);
    listed.u64(load<u64>(begins + ((<usize>event) << 3)));
  }
  if (listed.size !== 0) {
    const before = countObservations(false);
    settleRows(true);
    countObservations(before);
  }
  for (let event: u32 = 0; event < MAX_EVENTS; event++) {
    const beside = excluded + <usize>event * EXCLUDED_BYTES;
    const n = load<u32>(beside);
    if (n === 0) continue;
    coverObservations(load<i64>(beside, EXCLUDED_FIRST), load<i64>(beside, EXCLUDED_LAST));
    noteSkipped(event, n);
  }
  dropWaiting();
}

/** Adds the waiting observations of lists, or all others. */
function settleRows(ofLists: bool): void {
  let chunk: u32 = 0;
  for (let p = waiting.at; p < waiting.at + waiting.size; p += offsetof<Waiting>()) {
    const row = changetype<Waiting>(p);
    const last = load<u32>(chunks + ((<usize>row.event) << 2));
    if (ofLists ? last !== row.chunk : last !== 0) continue;
    if (row.chunk !== chunk) {
      chunk = row.chunk;
      settled.u32(chunk - 1);
      settled.u32(nextObservation());
    }
    if (row.isNoted) noteObservation(nextObservation(), false, row.born, row.born);
    memory.copy(changetype<usize>(freeStaged()), p, offsetof<Staged>());
    stage();
  }
  settle();
}

/** Gives the observations of counters their growth, in the order of time. */
function countUp(process: u32): void {
  order.size = 0;
  for (let p = waiting.at; p < waiting.at + waiting.size; p += offsetof<Waiting>()) {
    if (!changetype<Waiting>(p).isCounter) continue;
    order.u64(<u64>changetype<Waiting>(p).time);
    order.u64(p);
  }
  const n = order.size / <u32>SORTED_BYTES;
  sortRows(order.at, n);
  sortEqual(n);
  pass++;
  for (let i: u32 = 0; i < n; i++) {
    const row = changetype<Waiting>(<usize>load<u64>(order.at + <usize>i * SORTED_BYTES, SORTED_VALUE));
    row.value = growthOf(row, process, pass, row.time, row.value);
  }
  order.size = 0;
}

/** Puts those of one time in the order of the file. */
function sortEqual(n: u32): void {
  for (let i: u32 = 0; i < n; ) {
    const time = load<u64>(order.at + <usize>i * SORTED_BYTES);
    let end = i;
    for (; end < n && load<u64>(order.at + <usize>end * SORTED_BYTES) === time; end++) {
      store<u64>(order.at + <usize>end * SORTED_BYTES, load<u64>(order.at + <usize>end * SORTED_BYTES, SORTED_VALUE));
    }
    sortRows(order.at + <usize>i * SORTED_BYTES, end - i);
    i = end;
  }
}

/** Where those of each chunk begin that waited until the file ended: | chunk u32 | first observation u32 |. */
export function settledRuns(): usize {
  return settled.at;
}

export function settledCount(): u32 {
  return settled.size / SETTLED_BYTES;
}

/** The lists of the file that ended: end-list-row.ts. */
export function endListRows(): usize {
  return listed.at;
}

export function endListCount(): u32 {
  return listed.size / EndListRow.BYTES;
}

/** Drops the waiting observations; returns their number. */
export function dropWaiting(): u32 {
  const n = <u32>(waiting.size / <u32>offsetof<Waiting>());
  waiting.size = 0;
  frees.size = 0;
  forgetChunks();
  return n;
}
