/**
 * A cursor over the observations in the order of reading, block by block: between two blocks the pointer jumps, within
 * one it steps by ObservationRow.BYTES.
 *
 *   beginBlocks(0, observationCount);
 *   while (nextBlock()) {
 *     let p = blockStart;
 *     for (const end = blockEnd; p < end; p += ObservationRow.BYTES) …
 *   }
 *
 * There is one cursor: during a pass no function may start another pass or add an observation.
 */
import * as ObservationRow from "./rows/observation-row";
import { observationBlock, observationCount } from "./samples";
import { secondBlock } from "./seconds";

/** The observations of the block that are within the range: the first, and the end of the last. */
export let blockStart: usize = 0;
export let blockEnd: usize = 0;
/** Number of the first of them, counted over all observations. */
export let blockFirst: u32 = 0;
/** Second value of the first of them, i64, the others follow it; 0 where all of the block are 0. */
export let blockSeconds: usize = 0;

let following: u32 = 0;
let end: u32 = 0;

/** Starts a pass over the observations numbered [first, last), as far as there are any. */
export function beginBlocks(first: u32, last: u32): void {
  following = first;
  end = min<u32>(last, observationCount);
}

/** Goes on to the next block of the pass; false after the last one. */
export function nextBlock(): bool {
  if (following >= end) return false;
  const block = following / ObservationRow.BLOCK_ROWS;
  const start = block * ObservationRow.BLOCK_ROWS;
  const skipped = following - start;
  const seconds = secondBlock(block);
  blockFirst = following;
  following = min<u32>(end, start + ObservationRow.BLOCK_ROWS);
  blockStart = observationBlock(block) + <usize>skipped * ObservationRow.BYTES;
  blockEnd = blockStart + <usize>(following - blockFirst) * ObservationRow.BYTES;
  blockSeconds = seconds === 0 ? 0 : seconds + ((<usize>skipped) << 3);
  return true;
}
