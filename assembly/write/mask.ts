/**
 * Samples and observations of a message: the selected samples, and their observations in the range of the plan. A
 * sample's count and sums run over all its observations, so for a range the rows of the samples are copied, and counts
 * and sums added up again in one pass:
 *
 *   rows          samples as store/samples.ts lays them out; without a range they are the store's
 *   second sums   i64 per sample row, in place of the store's; made if an output has second values
 *
 * The copies are scratch of the message: writing changes no sample and no observation.
 */

import { addTo } from "../memory/sums";
import { Measure } from "../store/measure";
import { beginBlocks, blockEnd, blockSeconds, blockStart, nextBlock } from "../store/observations";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { observationCount, sampleCount, sampleRows } from "../store/samples";
import { secondSum } from "../store/second-sums";
import { byUse, put } from "./columns";
import { scratch } from "./output";
import * as OutputRow from "./output-row";
import { outputAt, outputCount, ranged, rangeFirst, rangeFrom, rangeLast, rangeTo } from "./plan";

/** Samples: rows 1 … sampleCount − 1. */
export let maskedRows: usize = 0;
/** All observations of the samples are taken: `isTaken` need not be asked. */
export let takesAll: bool = true;

/** One byte per sample row, 1 for those of the selection; 0 selects all samples. */
let selection: usize = 0;
let from: u64 = 0;
let span: u64 = 0;
let secondSums: usize = 0;
/**
 * Order of the samples (columns.ts), 0 for that of the store. Where rows are numbered by their use, the samples of a
 * range are in the order of their first observations in it: in the store they may have earlier ones.
 */
export let sampleOrder: usize = 0;

/** Makes the mask of a message of the samples that `selected` has, by the plan that was read last. */
export function beginMask(selected: usize): void {
  selection = selected;
  takesAll = !ranged;
  maskedRows = sampleRows;
  sampleOrder = 0;
  if (ranged) sumRange();
}

function sumRange(): void {
  from = rangeFrom;
  span = rangeTo > rangeFrom ? rangeTo - rangeFrom : 0;
  const bytes = <u64>sampleCount * SampleRow.BYTES;
  const rows = scratch(bytes);
  memory.copy(rows, sampleRows, <usize>bytes);
  const rowsEnd = rows + <usize>bytes;
  for (let p = rows; p < rowsEnd; p += SampleRow.BYTES) {
    store<u32>(p, 0, SampleRow.COUNT);
    store<i64>(p, 0, SampleRow.SUM);
  }
  maskedRows = rows;
  secondSums = 0;
  if (writesSeconds()) {
    secondSums = scratch((<u64>sampleCount) << 3);
    memory.fill(secondSums, 0, (<usize>sampleCount) << 3);
  }
  if (byUse) sampleOrder = scratch((<u64>sampleCount) << 2);
  let n: u32 = 1;
  beginTaken();
  while (nextBlock()) {
    const seconds: usize = secondSums === 0 ? 0 : blockSeconds;
    const end = blockEnd;
    let i: usize = 0;
    for (let p = blockStart; p < end; i += 8, p += ObservationRow.BYTES) {
      if (!isTaken(p)) continue;
      const row = load<u32>(p, ObservationRow.SAMPLE);
      const q = maskedAt(row);
      const count = load<u32>(q, SampleRow.COUNT);
      if (count === 0 && sampleOrder !== 0) put(sampleOrder, n++, row);
      store<u32>(q, count + 1, SampleRow.COUNT);
      addTo(q + SampleRow.SUM, load<i64>(p, ObservationRow.VALUE));
      if (seconds === 0) continue;
      const sum = secondSums + ((<usize>row) << 3);
      addTo(sum, load<i64>(seconds + i));
    }
  }
  if (sampleOrder !== 0) put(sampleOrder, 0, n);
}

function writesSeconds(): bool {
  for (let i: u32 = 0; i < outputCount; i++) {
    if (load<u32>(outputAt(i), OutputRow.MEASURE) === <u32>Measure.Second) return true;
  }
  return false;
}

/**
 * Starts a pass over the blocks of observations (store/observations.ts); `isTaken` decides which of them are written.
 */
export function beginTaken(): void {
  if (takesAll) beginBlocks(0, observationCount);
  else beginBlocks(rangeFirst, rangeLast);
}

/** Whether the range includes the observation at `p` of the current pass. */
export function isTaken(p: usize): bool {
  return load<u64>(p, ObservationRow.TIME) - from < span;
}

/** Pointer to sample `i` with the count and the sum of its written observations. */
export function maskedAt(i: u32): usize {
  return maskedRows + <usize>i * SampleRow.BYTES;
}

/** Whether sample `row`, which is at `p`, is written. */
export function isSelected(row: u32, p: usize): bool {
  return (selection === 0 || load<u8>(selection + row) === 1) && load<u32>(p, SampleRow.COUNT) !== 0;
}

/** Sum of the second values of sample `row` that are written. */
export function maskedSecondSum(row: u32): i64 {
  return takesAll ? secondSum(row) : load<i64>(secondSums + ((<usize>row) << 3));
}
