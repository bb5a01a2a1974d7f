/**
 * Columns of the sample rows, a separate array for each word: a request reads one or two of a row's words, and a
 * million whole rows do not fit into a cache. Made at the first request, extended when samples were added; the sums are
 * recomputed when observations were added.
 *
 *   events                          u16 per sample row: there are at most 1024 (MAX_EVENTS)
 *   stacks, links, threads, sets    u32
 *   counts u32, sums i64            of all observations of the row
 *
 * PAD zero rows follow the last row, so that a scan may read eight rows at a time.
 */
import * as SampleRow from "../store/rows/sample-row";
import { observationCount, sampleCount, sampleRows } from "../store/samples";
import { Block } from "./block";

export const PAD: u32 = 8;

/** Columns cover rows of samples, PAD not counted; `counts` and `sums` observations and samples. */
const events: Block = changetype<Block>(memory.data(16, 4));
/** Those of the words from SampleRow.STACK to SampleRow.SET. */
const held: usize = memory.data(4 * 16, 4);
const counts: Block = changetype<Block>(memory.data(16, 4));
const sums: Block = changetype<Block>(memory.data(16, 4));

/** To be read with `eventIn`. */
export function eventColumn(): usize {
  const covered = events.covered;
  if (covered === sampleCount) return events.at;
  const at = events.keep((<usize>(sampleCount + PAD)) << 1, (<usize>covered) << 1);
  for (let row = covered; row < sampleCount; row++) {
    store<u16>(at + ((<usize>row) << 1), load<u32>(sampleRows + <usize>row * SampleRow.BYTES, SampleRow.EVENT));
  }
  memory.fill(at + ((<usize>sampleCount) << 1), 0, (<usize>PAD) << 1);
  events.covered = sampleCount;
  return at;
}

/** The event of a sample row, from the column of events. */
export function eventIn(column: usize, row: u32): u32 {
  return load<u16>(column + ((<usize>row) << 1));
}

function columnOf(word: usize): Block {
  return changetype<Block>(held + ((word - SampleRow.STACK) >> 2) * offsetof<Block>());
}

/** `word` is SampleRow.STACK, SampleRow.LINK, SampleRow.THREAD or SampleRow.SET. */
export function wordColumn(word: usize): usize {
  const column = columnOf(word);
  const covered = column.covered;
  if (covered === sampleCount) return column.at;
  const at = column.keep((<usize>(sampleCount + PAD)) << 2, (<usize>covered) << 2);
  let p = sampleRows + <usize>covered * SampleRow.BYTES + word;
  for (let row = covered; row < sampleCount; row++, p += SampleRow.BYTES) {
    store<u32>(at + ((<usize>row) << 2), load<u32>(p));
  }
  memory.fill(at + ((<usize>sampleCount) << 2), 0, (<usize>PAD) << 2);
  column.covered = sampleCount;
  return at;
}

/**
 * The words of known rows have changed, or observations were moved: a recording is shown before its context is inferred
 * and its libraries are marked.
 */
export function forgetColumns(): void {
  for (let word = SampleRow.STACK; word <= SampleRow.SET; word += 4) columnOf(word).covered = 0;
  counts.covered = 0;
}

export function countColumn(): usize {
  sumUp();
  return counts.at;
}

export function sumColumn(): usize {
  sumUp();
  return sums.at;
}

function sumUp(): void {
  // Both numbers only grow, so their sum changes if either changes.
  const all = observationCount + sampleCount;
  if (counts.covered === all) return;
  const countAt = counts.fit((<usize>(sampleCount + PAD)) << 2);
  const sumAt = sums.fit((<usize>(sampleCount + PAD)) << 3);
  counts.covered = all;
  let p = sampleRows;
  for (let row: u32 = 0; row < sampleCount; row++, p += SampleRow.BYTES) {
    store<u32>(countAt + ((<usize>row) << 2), load<u32>(p, SampleRow.COUNT));
    store<i64>(sumAt + ((<usize>row) << 3), load<i64>(p, SampleRow.SUM));
  }
  memory.fill(countAt + ((<usize>sampleCount) << 2), 0, (<usize>PAD) << 2);
  memory.fill(sumAt + ((<usize>sampleCount) << 3), 0, (<usize>PAD) << 3);
}
