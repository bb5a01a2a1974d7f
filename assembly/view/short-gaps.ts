/**
 * How far apart the samples of a thread are. Messages have them in the order of their stacks, so they are sorted.
 *
 *   rows    | time u64 | thread u64 | per observation
 *   lasts   u64 per thread: time of its last sample, 0 before there is one
 *   bins    u32 for each distance (abi/short-gaps.ts)
 */

import * as ShortGaps from "../abi/short-gaps";
import { SORTED_BYTES, sortRows } from "../memory/sort";
import { beginBlocks, blockEnd, blockStart, nextBlock } from "../store/observations";
import { profileOfEvent } from "../store/profiles";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { observationCount, sampleAt } from "../store/samples";
import { threads } from "../store/tables";
import { Block } from "./block";

/** Observations that tell enough. */
const MOST: u32 = 1 << 16;
const TIME: usize = 0;
const THREAD: usize = 8;
const BYTES: usize = (<usize>ShortGaps.GAP_BINS) << 2;
const rows: Block = changetype<Block>(memory.data(16, 4));
const lasts: Block = changetype<Block>(memory.data(16, 4));
const bins: Block = changetype<Block>(memory.data(16, 4));

/** The bins of a profile row. All are 0 if a sample counts for several: its recorder knows of those it left out. */
export function shortGaps(profile: u32): usize {
  const at = rows.fit(<usize>min<u32>(MOST, observationCount) * SORTED_BYTES);
  const last = lasts.zeroed((<usize>threads.count) << 3);
  const counts = bins.zeroed(BYTES);
  const count = collect(profile, at);
  sortRows(at, count);
  for (let p = at, end = at + <usize>count * SORTED_BYTES; p < end; p += SORTED_BYTES) {
    const time = load<u64>(p, TIME);
    const before = last + ((<usize>load<u64>(p, THREAD)) << 3);
    const gap = time - load<u64>(before);
    const bin = counts + ((<usize>min<u64>(gap / ShortGaps.GAP_NANOS, ShortGaps.GAP_BINS - 1)) << 2);
    if (load<u64>(before) !== 0 && gap !== 0) store<u32>(bin, load<u32>(bin) + 1);
    store<u64>(before, time);
  }
  rows.drop();
  lasts.drop();
  return counts;
}

/** Rows for the first observations of the profile; how many. */
function collect(profile: u32, at: usize): u32 {
  let n: u32 = 0;
  beginBlocks(0, observationCount);
  while (n < MOST && nextBlock()) {
    for (let p = blockStart, end = blockEnd; p < end && n < MOST; p += ObservationRow.BYTES) {
      const sample = sampleAt(load<u32>(p, ObservationRow.SAMPLE));
      if (profileOfEvent(load<u32>(sample, SampleRow.EVENT)) !== profile) continue;
      if (load<i64>(p, ObservationRow.VALUE) !== 1) return 0;
      const row = at + <usize>n * SORTED_BYTES;
      n++;
      store<u64>(row, load<u64>(p, ObservationRow.TIME), TIME);
      store<u64>(row, load<u32>(sample, SampleRow.THREAD), THREAD);
    }
  }
  return n;
}
