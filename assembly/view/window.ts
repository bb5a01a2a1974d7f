/**
 * Weights of the selected samples within a range of time, or of observations: those of one file follow each other. A
 * sample's count and sum run over all its observations, so those in the range are added up separately, in one pass over
 * them:
 *
 *   counts   u32 per sample row
 *   sums     i64 per sample row, of the measure that the selection weighs by
 *
 * A sample without an observation in the range leaves the mask. The mask before that is kept (`open`), because the
 * timeline shows the selection outside of the time range, too.
 */

import { addTo, plus, times } from "../memory/sums";
import { Measure } from "../store/measure";
import { beginBlocks, blockEnd, blockFirst, blockSeconds, blockStart, nextBlock } from "../store/observations";
import * as ObservationRow from "../store/rows/observation-row";
import { observationBlock, observationCount } from "../store/samples";
import { Block } from "./block";
import { eventColumn, eventIn, PAD } from "./columns";
import { factorOf } from "./periods";

const openMask: Block = changetype<Block>(memory.data(16, 4));
const counts: Block = changetype<Block>(memory.data(16, 4));
const sums: Block = changetype<Block>(memory.data(16, 4));
/** First and last time of each full block of observations, u64 each: most blocks lie on one side of an edge. */
const bounds: Block = changetype<Block>(memory.data(16, 4));
const BOUND_FIRST: usize = 0;
const BOUND_LAST: usize = 8;
const BOUND_BYTES: usize = 16;

/** A range is set: the columns below are valid. */
export let windowed: bool = false;
/** One of time. */
let windowTimed: bool = false;
export let windowFrom: u64 = 0;
/** The first nanosecond after it. */
export let windowTo: u64 = 0;
export let windowFirst: u32 = 0;
/** The first observation after it. */
export let windowLast: u32 = 0;
export let windowCounts: usize = 0;
export let windowSums: usize = 0;
/** Total in the range. */
export let windowCount: u32 = 0;
export let windowValue: i64 = 0;
/** The mask as it was without the range. */
export let openMaskAt: usize = 0;

/** A range without an end on either side. */
export function openWindow(): void {
  windowed = false;
  windowTimed = false;
  windowFrom = 0;
  windowTo = u64.MAX_VALUE;
  windowFirst = 0;
  windowLast = u32.MAX_VALUE;
}

export function clearWindow(): void {
  if (!windowed) return;
  openMask.drop();
  counts.drop();
  sums.drop();
  openWindow();
}

/** Only observations from `from` on and before `to`, unsigned ns since 1970. */
export function selectTime(from: u64, to: u64): void {
  windowed = true;
  windowTimed = true;
  windowFrom = from;
  windowTo = to;
}

/** Only observations [first, last), in the order of reading. */
export function selectObservations(first: u32, last: u32): void {
  windowed = true;
  windowFirst = first;
  windowLast = last;
}

/** Narrows a finished mask of `rows` rows to the range. */
export function narrowToWindow(mask: usize, rows: u32, measure: Measure): void {
  openMaskAt = openMask.fit(<usize>(rows + PAD));
  memory.copy(openMaskAt, mask, <usize>(rows + PAD));
  windowCounts = counts.zeroed((<usize>(rows + PAD)) << 2);
  windowSums = sums.zeroed((<usize>(rows + PAD)) << 3);
  windowCount = 0;
  windowValue = 0;
  beginBlocks(windowFirst, windowLast);
  while (nextBlock())
    if (!windowTimed || mayHold(blockFirst / ObservationRow.BLOCK_ROWS)) addBlock(mask, rows, measure);
  for (let row: u32 = 0; row < rows; row++) {
    const q = mask + row;
    const any: u32 = load<u32>(windowCounts + ((<usize>row) << 2)) !== 0 ? 1 : 0;
    store<u8>(q, load<u8>(q) & any);
  }
}

/** Multiplies the sums of `rows` rows by their periods. */
export function weighWindow(rows: u32): void {
  const events = eventColumn();
  windowValue = 0;
  for (let row: u32 = 1; row < rows; row++) {
    const sum = windowSums + ((<usize>row) << 3);
    const value = times(load<i64>(sum), factorOf(eventIn(events, row)));
    store<i64>(sum, value);
    windowValue = plus(windowValue, value);
  }
}

/** Whether block `b` may have an observation within the range of time. */
function mayHold(b: u32): bool {
  if ((b + 1) * ObservationRow.BLOCK_ROWS <= observationCount) coverBlocks(b + 1);
  if (b >= bounds.covered) return true;
  const p = bounds.at + <usize>b * BOUND_BYTES;
  return load<u64>(p, BOUND_FIRST) < windowTo && load<u64>(p, BOUND_LAST) >= windowFrom;
}

/** The bounds of the first `n` blocks, all of them full: of those nothing changes any more. */
function coverBlocks(n: u32): void {
  let covered = bounds.covered;
  if (n <= covered) return;
  bounds.keep(<usize>n * BOUND_BYTES, <usize>covered * BOUND_BYTES);
  for (; covered < n; covered++) {
    let p = observationBlock(covered);
    const end = p + <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES;
    let first: u64 = u64.MAX_VALUE;
    let last: u64 = 0;
    for (; p < end; p += ObservationRow.BYTES) {
      const time = load<u64>(p, ObservationRow.TIME);
      first = min<u64>(first, time);
      last = max<u64>(last, time);
    }
    const q = bounds.at + <usize>covered * BOUND_BYTES;
    store<u64>(q, first, BOUND_FIRST);
    store<u64>(q, last, BOUND_LAST);
  }
  bounds.covered = n;
}

/** Adds the block that the cursor is at. */
function addBlock(mask: usize, rows: u32, measure: Measure): void {
  const from = windowFrom;
  const span = windowTo > from ? windowTo - from : 0;
  const seconds = blockSeconds;
  const end = blockEnd;
  let i: u32 = 0;
  for (let p = blockStart; p < end; i++, p += ObservationRow.BYTES) {
    if (load<u64>(p, ObservationRow.TIME) - from >= span) continue;
    const row = load<u32>(p, ObservationRow.SAMPLE);
    if (row >= rows || load<u8>(mask + row) === 0) continue;
    let value: i64 = 1;
    if (measure === Measure.Value) value = load<i64>(p, ObservationRow.VALUE);
    else if (measure === Measure.Second) value = seconds === 0 ? 0 : load<i64>(seconds + ((<usize>i) << 3));
    const count = windowCounts + ((<usize>row) << 2);
    const sum = windowSums + ((<usize>row) << 3);
    store<u32>(count, load<u32>(count) + 1);
    addTo(sum, value);
    windowCount++;
    windowValue = plus(windowValue, value);
  }
}
