/**
 * Observations sorted by time. Observations as read are in long ascending runs (a chunk's, a thread's), so runs are
 * found and merged, pairs of neighbours first; a sorted list needs only one pass.
 *
 *   entry  | observation u32 | row u32 |             two arrays of them, and two arrays of the starts of runs
 */
import * as ObservationRow from "../store/rows/observation-row";
import { scratch } from "./output";

const ENTRY_OBSERVATION: usize = 0;
const ENTRY_ROW: usize = 4;
const ENTRY_BYTES: usize = 8;

let entries: usize = 0;
let other: usize = 0;
export let timeCount: u32 = 0;

/** Room for `n` entries, for one message. */
export function reserveTimes(n: u32): void {
  entries = scratch(<u64>n * ENTRY_BYTES);
  other = scratch(<u64>n * ENTRY_BYTES);
}

export function beginTimes(): void {
  timeCount = 0;
}

export function noteTime(row: u32, observation: usize): void {
  const entry = entries + <usize>timeCount * ENTRY_BYTES;
  store<u32>(entry, <u32>observation, ENTRY_OBSERVATION);
  store<u32>(entry, row, ENTRY_ROW);
  timeCount++;
}

export function timedObservation(i: u32): usize {
  return <usize>load<u32>(entries + <usize>i * ENTRY_BYTES, ENTRY_OBSERVATION);
}

export function timedRow(i: u32): u32 {
  return load<u32>(entries + <usize>i * ENTRY_BYTES, ENTRY_ROW);
}

function timeOf(entry: usize): u64 {
  return load<u64>(<usize>load<u32>(entry, ENTRY_OBSERVATION), ObservationRow.TIME);
}

/** Where the ascending run that begins at `p` ends. */
function runEnd(p: usize, end: usize): usize {
  if (p === end) return end;
  let time = timeOf(p);
  for (p += ENTRY_BYTES; p < end; p += ENTRY_BYTES) {
    const following = timeOf(p);
    if (following < time) return p;
    time = following;
  }
  return end;
}

/** Sorts the added entries by time; the sort is stable. */
export function sortTimes(): void {
  while (true) {
    const end = entries + <usize>timeCount * ENTRY_BYTES;
    if (runEnd(entries, end) === end) return;
    let to = other;
    let p = entries;
    while (p < end) {
      const middle = runEnd(p, end);
      const last = runEnd(middle, end);
      to = merge(p, middle, last, to);
      p = last;
    }
    const swap = entries;
    entries = other;
    other = swap;
  }
}

/** Merges the runs [a, b) and [b, end) to `to`; returns the place after them. */
function merge(a: usize, b: usize, end: usize, to: usize): usize {
  const middle = b;
  while (a < middle && b < end) {
    if (timeOf(b) < timeOf(a)) {
      store<u64>(to, load<u64>(b));
      b += ENTRY_BYTES;
    } else {
      store<u64>(to, load<u64>(a));
      a += ENTRY_BYTES;
    }
    to += ENTRY_BYTES;
  }
  memory.copy(to, a, middle - a);
  to += middle - a;
  memory.copy(to, b, end - b);
  return to + (end - b);
}
