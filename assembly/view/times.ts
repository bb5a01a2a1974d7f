/**
 * First and last time of each sample's observations, in one pass over the observations; within the range if one is set.
 * Kept until more is read, and within a range until something else is selected.
 *
 *   | ~first u64 | last u64 |     16 bytes per sample row; both are maxima: 0 = no observation has a time
 */

import { beginBlocks, blockEnd, blockStart, nextBlock } from "../store/observations";
import * as ObservationRow from "../store/rows/observation-row";
import { observationCount, sampleCount } from "../store/samples";
import { Block } from "./block";
import { selectionStamp } from "./selection";
import { windowed, windowFirst, windowFrom, windowLast, windowTo } from "./window";

export const TIMES_FIRST: usize = 0;
export const TIMES_LAST: usize = 8;
export const TIMES_BYTES: usize = 16;

/** Covers as many observations and samples. */
const times: Block = changetype<Block>(memory.data(16, 4));

/** The selection whose range limits them; 0 for no range. */
let madeFor: u32 = 0;

export function sampleTimes(): usize {
  const range: u32 = windowed ? selectionStamp : 0;
  // Both numbers only grow, so their sum changes if either changes.
  const rows = observationCount + sampleCount;
  if (times.covered === rows && madeFor === range) return times.at;
  madeFor = range;
  // Time 0 means that the observation has no time.
  const from = max<u64>(windowFrom, 1);
  const span = max<u64>(from, windowTo) - from;
  const at = times.zeroed(<usize>sampleCount * TIMES_BYTES);
  beginBlocks(windowFirst, windowLast);
  while (nextBlock()) {
    let p = blockStart;
    for (const end = blockEnd; p < end; p += ObservationRow.BYTES) {
      const time = load<u64>(p, ObservationRow.TIME);
      if (time - from >= span) continue;
      const q = at + <usize>load<u32>(p, ObservationRow.SAMPLE) * TIMES_BYTES;
      store<u64>(q, max<u64>(load<u64>(q, TIMES_FIRST), ~time), TIMES_FIRST);
      store<u64>(q, max<u64>(load<u64>(q, TIMES_LAST), time), TIMES_LAST);
    }
  }
  times.covered = rows;
  return at;
}
