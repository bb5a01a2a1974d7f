/**
 * Two orders for writers that write samples front to back, made by counting: the selected samples of each profile, and
 * the observations of each selected sample, both in the order read.
 */

import { blockEnd, blockStart, nextBlock } from "../store/observations";
import { profileCount } from "../store/profiles";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { observationBlock, sampleCount } from "../store/samples";
import { secondBlock } from "../store/seconds";
import { at, places, rowAt } from "./columns";
import { beginTaken, isSelected, isTaken, maskedAt, sampleOrder, takesAll } from "./mask";
import { scratch, zeroed } from "./output";
import { writtenProfile } from "./plan";
import { profileSamples, reachedObservations, reachedSamples } from "./reach";
import { observedValue, setBlock } from "./values";

/** Sample rows by profile, and where the rows of each profile end. */
let order: usize = 0;
let orderEnds: usize = 0;
/** Pointers to observations by sample, and where those of each sample end; 0 for a sample that is not selected. */
let observations: usize = 0;
let observationEnds: usize = 0;
/** The block that an observation was last looked for in. */
let block: u32 = 0;

export function orderSamples(): void {
  orderEnds = zeroed(profileCount);
  let start: u32 = 0;
  for (let i: u32 = 0; i < profileCount; i++) {
    store<u32>(orderEnds + ((<usize>i) << 2), start);
    start += at(profileSamples, i);
  }
  order = scratch((<u64>reachedSamples) << 2);
  observationEnds = zeroed(sampleCount);
  observations = scratch((<u64>reachedObservations) << 2);
  block = 0;
  let first = <u32>observations;
  for (let k: u32 = 1; k < places(sampleOrder, sampleCount); k++) {
    const row = rowAt(sampleOrder, k);
    const p = maskedAt(row);
    if (!isSelected(row, p)) continue;
    const cursor = orderEnds + ((<usize>writtenProfile(load<u32>(p, SampleRow.EVENT))) << 2);
    const n = load<u32>(cursor);
    store<u32>(order + ((<usize>n) << 2), row);
    store<u32>(cursor, n + 1);
    store<u32>(observationEnds + ((<usize>row) << 2), first);
    first += load<u32>(p, SampleRow.COUNT) << 2;
  }
  orderObservations();
}

function orderObservations(): void {
  const all = takesAll;
  beginTaken();
  while (nextBlock()) {
    let p = blockStart;
    for (const end = blockEnd; p < end; p += ObservationRow.BYTES) {
      if (!all && !isTaken(p)) continue;
      const cursor = observationEnds + ((<usize>load<u32>(p, ObservationRow.SAMPLE)) << 2);
      const q = <usize>load<u32>(cursor);
      if (q === 0) continue;
      store<u32>(q, <u32>p);
      store<u32>(cursor, <u32>q + 4);
    }
  }
}

/** Rows of a profile: `profileSamples` of it, u32 each. */
export function rowsOf(profile: u32): usize {
  return order + ((<usize>(at(orderEnds, profile) - at(profileSamples, profile))) << 2);
}

/** The first of the pointers to the observations of sample `row`, u32 each. */
export function observationsStart(row: u32): usize {
  return observationsEnd(row) - ((<usize>load<u32>(maskedAt(row), SampleRow.COUNT)) << 2);
}

/** Behind the last of the pointers to the observations of sample `row`. */
export function observationsEnd(row: u32): usize {
  return <usize>at(observationEnds, row);
}

/** The value to write of the observation at `p`, of the layer that is set. `blocked`: it is a second value. */
export function valueAt(p: usize, blocked: bool): u64 {
  if (blocked) {
    if (!isIn(block, p)) block = 0;
    while (!isIn(block, p)) block++;
    setBlock(observationBlock(block), secondBlock(block));
  }
  return observedValue(p);
}

function isIn(b: u32, p: usize): bool {
  const first = observationBlock(b);
  return p >= first && p < first + <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES;
}
