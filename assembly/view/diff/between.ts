/**
 * Numbers of observations between consecutive moments, and the first and last of each such stretch: of all samples of
 * all profiles (gaps in the recording), or of the selected ones in the selected ranges (samples in pauses);
 * those of all profiles only by events of work (requests.ts).
 *
 *   stretch | observations u32 | 0 | first ns u64 | last ns u64 |      24 bytes
 */

import * as Stretch from "../../abi/stretch";
import { beginBlocks, blockEnd, blockStart, nextBlock } from "../../store/observations";
import * as ObservationRow from "../../store/rows/observation-row";
import { Block } from "../block";
import { isOfWork } from "../requests";
import { isOfAll, maskRows, selectionMask } from "../selection";
import { windowFirst, windowFrom, windowLast, windowTo } from "../window";

const stretches: Block = changetype<Block>(memory.data(16, 4));

/**
 * Stretches between the `n` ascending moments (u64) at `edges`, n − 1 of them, with `everything` of the observations
 * numbered [first, last); good until the next call.
 */
export function stretchesOf(edges: usize, n: u32, everything: bool, first: u32, last: u32): usize {
  const out = stretches.zeroed(<usize>n * Stretch.BYTES);
  const mask = selectionMask();
  const span = windowTo > windowFrom ? windowTo - windowFrom : 0;
  // Observations come nearly in the order of time: mostly it is the stretch of the one before.
  let at: u32 = 0;
  if (n < 2) return out;
  if (everything) beginBlocks(first, last);
  else beginBlocks(windowFirst, windowLast);
  while (nextBlock()) {
    let p = blockStart;
    for (const end = blockEnd; p < end; p += ObservationRow.BYTES) {
      const time = load<u64>(p, ObservationRow.TIME);
      if (!everything) {
        const row = load<u32>(p, ObservationRow.SAMPLE);
        if (row >= maskRows || load<u8>(mask + row) === 0 || time - windowFrom >= span) continue;
        if (isOfAll && !isOfWork(row)) continue;
      }
      if (time < edgeAt(edges, at) || time >= edgeAt(edges, at + 1)) {
        at = stretchAt(edges, n, time);
        if (time < edgeAt(edges, at) || time >= edgeAt(edges, at + 1)) continue;
      }
      const q = out + <usize>at * Stretch.BYTES;
      if (load<u32>(q, Stretch.SAMPLES) === 0 || time < load<u64>(q, Stretch.FIRST)) store<u64>(q, time, Stretch.FIRST);
      if (time > load<u64>(q, Stretch.LAST)) store<u64>(q, time, Stretch.LAST);
      store<u32>(q, load<u32>(q, Stretch.SAMPLES) + 1, Stretch.SAMPLES);
    }
  }
  return out;
}

function edgeAt(edges: usize, i: u32): u64 {
  return load<u64>(edges + ((<usize>i) << 3));
}

/** The last stretch that does not begin after `time`, or the first. */
function stretchAt(edges: usize, n: u32, time: u64): u32 {
  let low: u32 = 0;
  let high = n - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edgeAt(edges, middle) > time) high = middle - 1;
    else low = middle;
  }
  return low;
}
