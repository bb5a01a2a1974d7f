/**
 * Second values of observations, and their sums for each sample.
 *
 *   second   i64 per observation, in blocks like those of the observations; no block: all of them are 0
 *   sum      i64 per sample row, of the first `summedTo` observations and of those that are only counted
 *
 * Conversions write second values and no sums, so a sum is made when it is first asked for (second-sums.ts).
 */

import { alloc, regrow, release } from "../memory/arena";
import { onReset } from "../memory/resets";
import { addTo } from "../memory/sums";
import * as ObservationRow from "./rows/observation-row";

const BLOCK_BYTES: usize = (<usize>ObservationRow.BLOCK_ROWS) << 3;

/** u32 pointers, 0 for a block without second values; 0 until there is one. */
let blocks: usize = 0;
let capacity: u32 = 0;

/** 0 until there is a sum; covers `sumRows` rows. */
let sums: usize = 0;
let sumRows: u32 = 0;
/** Number of the observations whose second values are in the sums. */
export let summedTo: u32 = 0;

onReset((): void => {
  blocks = 0;
  capacity = 0;
  sums = 0;
  sumRows = 0;
  summedTo = 0;
});

/** Pointer to the second values of block `b`, i64 each; 0 where all are 0. */
export function secondBlock(b: u32): usize {
  return b < capacity ? <usize>load<u32>(blocks + ((<usize>b) << 2)) : 0;
}

/** Keeps the second value of observation `i`, which is not 0. */
export function keepSecond(i: u32, second: i64): void {
  const b = i / ObservationRow.BLOCK_ROWS;
  if (b >= capacity) {
    const bytes = (<usize>capacity) << 2;
    const larger = max<u32>(256, max<u32>(capacity << 1, b + 1));
    blocks = regrow(blocks, bytes, bytes, (<usize>larger) << 2);
    memory.fill(blocks + bytes, 0, ((<usize>larger) << 2) - bytes);
    capacity = larger;
  }
  const slot = blocks + ((<usize>b) << 2);
  if (load<u32>(slot) === 0) {
    const block = alloc(BLOCK_BYTES);
    memory.fill(block, 0, BLOCK_BYTES);
    store<u32>(slot, <u32>block);
  }
  store<i64>(<usize>load<u32>(slot) + ((<usize>(i % ObservationRow.BLOCK_ROWS)) << 3), second);
}

/** Gives back the second values of block `b`. */
export function releaseSeconds(b: u32): void {
  const block = secondBlock(b);
  if (block === 0) return;
  release(block, BLOCK_BYTES);
  store<u32>(blocks + ((<usize>b) << 2), 0);
}

/** Has the sums cover `rows` sample rows. */
export function coverSums(rows: u32): void {
  if (rows <= sumRows) return;
  const bytes = (<usize>sumRows) << 3;
  const larger = max<u32>(sumRows << 1, rows);
  sums = regrow(sums, bytes, bytes, (<usize>larger) << 3);
  memory.fill(sums + bytes, 0, ((<usize>larger) << 3) - bytes);
  sumRows = larger;
}

/** Adds to the sum of sample `row`, which the sums cover. */
export function addToSum(row: u32, second: i64): void {
  addTo(sums + ((<usize>row) << 3), second);
}

/** Sum of sample `row` as far as it was added up. */
export function sumSoFar(row: u32): i64 {
  return row < sumRows ? load<i64>(sums + ((<usize>row) << 3)) : 0;
}

export function setSummedTo(observations: u32): void {
  summedTo = observations;
}

/** The sums are those of no observation. */
export function clearSums(): void {
  memory.fill(sums, 0, (<usize>sumRows) << 3);
  summedTo = 0;
}
