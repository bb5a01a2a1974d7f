/**
 * First and last time of each sample's observations, in one pass over the observations; within the range of time where one
 * is in force. Kept until more is read, or the range changes.
 *
 *   | ~first u64 | last u64 |     16 bytes per sample row; both words are the largest seen, so 0 = no observation with a time
 */
import {
  BLOCK_ROWS,
  OBSERVATION_BYTES,
  OBSERVATION_SAMPLE,
  OBSERVATION_TIME,
  observationBlock,
  observationCount,
  sampleCount,
} from "../store/samples";
import { Block } from "./block";
import { windowed, windowFrom, windowTo } from "./window";

export const SAMPLE_TIMES_BYTES: usize = 16;

const times: Block = changetype<Block>(memory.data(8, 8));

/** Observations and samples that the column covers. */
let covered: u32 = 0;
let madeFrom: u64 = 0;
let madeTo: u64 = 0;

export function resetTimes(): void {
  times.forget();
  covered = 0;
}

export function sampleTimes(): usize {
  // Time 0 is that of observations which nobody timed.
  const from: u64 = windowed ? windowFrom : 1;
  const to: u64 = windowed ? max<u64>(windowFrom, windowTo) : 0;
  // Both numbers only grow, so their sum tells whether either did.
  const rows = observationCount + sampleCount;
  if (covered === rows && madeFrom === from && madeTo === to) return times.at;
  covered = rows;
  madeFrom = from;
  madeTo = to;
  const at = times.zeroed(<usize>sampleCount * SAMPLE_TIMES_BYTES);
  let left = observationCount;
  for (let b: u32 = 0; left !== 0; b++) {
    const n = min<u32>(left, BLOCK_ROWS);
    left -= n;
    const end = observationBlock(b) + <usize>n * OBSERVATION_BYTES;
    for (let p = observationBlock(b); p < end; p += OBSERVATION_BYTES) {
      const time = load<u64>(p, OBSERVATION_TIME);
      if (time - from >= to - from) continue;
      const q = at + <usize>load<u32>(p, OBSERVATION_SAMPLE) * SAMPLE_TIMES_BYTES;
      store<u64>(q, max<u64>(load<u64>(q), ~time));
      store<u64>(q, max<u64>(load<u64>(q, 8), time), 8);
    }
  }
  return at;
}
