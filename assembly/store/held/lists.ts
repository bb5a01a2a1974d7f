/**
 * Lists of the state at the end of a chunk that were added, and of which a file of the same process, read later, has a
 * later one.
 */
import * as ObservationRow from "../rows/observation-row";
import * as SampleRow from "../rows/sample-row";
import { endAt, observationBlock, observationCount, sampleAt, uncount } from "../samples";
import { addToSum, keepSecond, secondBlock, setSummedTo, summedTo } from "../seconds";

/**
 * Takes back the observations of an event row among those numbered [first, end); returns how many. Later ones have
 * numbers that are smaller by it. Results computed from the samples are void.
 */
export function takeBack(event: u32, first: u32, end: u32): u32 {
  reserveSeconds(first);
  let to = first;
  let summed = summedTo;
  for (let i = first; i < observationCount; i++) {
    const p = observationAt(i);
    const row = load<u32>(p, ObservationRow.SAMPLE);
    const second = secondAt(i);
    if (i < end && load<u32>(sampleAt(row), SampleRow.EVENT) === event) {
      uncount(row, load<i64>(p, ObservationRow.VALUE));
      if (i >= summedTo) continue;
      summed--;
      if (second !== 0) addToSum(row, -second);
      continue;
    }
    memory.copy(observationAt(to), p, ObservationRow.BYTES);
    if (secondBlock(to / ObservationRow.BLOCK_ROWS) !== 0) keepSecond(to, second);
    to++;
  }
  const taken = observationCount - to;
  for (let i = to; i < observationCount; i++) {
    if (secondBlock(i / ObservationRow.BLOCK_ROWS) !== 0) keepSecond(i, 0);
  }
  setSummedTo(summed);
  endAt(to);
  return taken;
}

/** All memory is allocated before the first change: second values move to earlier blocks. */
function reserveSeconds(first: u32): void {
  if (observationCount === 0) return;
  let isNeeded = false;
  const firstBlock = first / ObservationRow.BLOCK_ROWS;
  for (let b = (observationCount - 1) / ObservationRow.BLOCK_ROWS; b >= firstBlock; b--) {
    if (secondBlock(b) !== 0) isNeeded = true;
    else if (isNeeded) keepSecond(b * ObservationRow.BLOCK_ROWS, 0);
    if (b === 0) break;
  }
}

function observationAt(i: u32): usize {
  const block = observationBlock(i / ObservationRow.BLOCK_ROWS);
  return block + <usize>(i % ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES;
}

function secondAt(i: u32): i64 {
  const block = secondBlock(i / ObservationRow.BLOCK_ROWS);
  return block === 0 ? 0 : load<i64>(block + ((<usize>(i % ObservationRow.BLOCK_ROWS)) << 3));
}
