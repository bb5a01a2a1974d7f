/**
 * What the selected samples weigh within a range of time, or of observations: those of one file stand in a row. A sample's
 * count and sum run over all its observations, so the ones in the range are added up apart, in one pass over them:
 *
 *   counts   u32 per sample row
 *   sums     i64 per sample row, of the measure that the selection weighs by
 *
 * A sample without an observation in the range leaves the mask. What the mask was before is kept (`open`), for the
 * timeline shows the selection beyond the range of time too.
 */
import {
  BLOCK_ROWS,
  OBSERVATION_BYTES,
  OBSERVATION_SAMPLE,
  OBSERVATION_TIME,
  OBSERVATION_VALUE,
  observationBlock,
  observationCount,
  secondBlock,
} from "../store/samples";
import { Block } from "./block";
import { Measure } from "./measure";

const openMask: Block = changetype<Block>(memory.data(8, 8));
const counts: Block = changetype<Block>(memory.data(8, 8));
const sums: Block = changetype<Block>(memory.data(8, 8));

/** A range is in force: the columns below hold. */
export let windowed: bool = false;
export let windowFrom: u64 = 0;
/** The first nanosecond behind it. */
export let windowTo: u64 = 0;
export let windowFirst: u32 = 0;
/** The first observation behind it. */
export let windowLast: u32 = 0;
export let windowCounts: usize = 0;
export let windowSums: usize = 0;
/** The mask as it was without the range. */
export let openMaskAt: usize = 0;

/** A range without an end on either side. */
function openWindow(): void {
  windowed = false;
  windowFrom = 0;
  windowTo = u64.MAX_VALUE;
  windowFirst = 0;
  windowLast = u32.MAX_VALUE;
}

export function forgetWindow(): void {
  openMask.forget();
  counts.forget();
  sums.forget();
  openWindow();
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
  openMaskAt = openMask.fit(<usize>rows + 8);
  memory.copy(openMaskAt, mask, <usize>rows + 8);
  windowCounts = counts.zeroed((<usize>rows) << 2);
  windowSums = sums.zeroed((<usize>rows) << 3);
  let left = observationCount;
  for (let b: u32 = 0; left !== 0; b++) {
    const n = min<u32>(left, BLOCK_ROWS);
    left -= n;
    addBlock(mask, rows, measure, observationBlock(b), n, secondBlock(b), b * BLOCK_ROWS);
  }
  for (let row: u32 = 0; row < rows; row++) {
    if (load<u32>(windowCounts + ((<usize>row) << 2)) === 0) store<u8>(mask + row, 0);
  }
}

/** Adds the `n` observations from `p` on, number `first` and more; `seconds` has their second values, 0 where all are 0. */
function addBlock(mask: usize, rows: u32, measure: Measure, p: usize, n: u32, seconds: usize, first: u32): void {
  const from = windowFrom;
  const span = windowTo > from ? windowTo - from : 0;
  for (let i: u32 = 0; i < n; i++, p += OBSERVATION_BYTES) {
    if (first + i < windowFirst || first + i >= windowLast) continue;
    if (load<u64>(p, OBSERVATION_TIME) - from >= span) continue;
    const row = load<u32>(p, OBSERVATION_SAMPLE);
    if (row >= rows || load<u8>(mask + row) === 0) continue;
    let value: i64 = 1;
    if (measure === Measure.Value) value = load<i64>(p, OBSERVATION_VALUE);
    else if (measure === Measure.Second) value = seconds === 0 ? 0 : load<i64>(seconds + ((<usize>i) << 3));
    const count = windowCounts + ((<usize>row) << 2);
    const sum = windowSums + ((<usize>row) << 3);
    store<u32>(count, load<u32>(count) + 1);
    store<i64>(sum, load<i64>(sum) + value);
  }
}
