/**
 * Observations outside a range of time or of another file, put aside while a message is written, so that writers need not know of ranges. One
 * that is put aside names sample 0, which nobody is, and is gone from its sample's count and sums; all of it comes back.
 *
 *   log row | observation: pointer u32 | sample u32 | second value i64 |     16 bytes
 */
import { Buffer } from "../memory/buffer";
import { beginBlocks, blockEnd, blockFirst, blockSeconds, blockStart, nextBlock } from "./observations";
import {
  addSecond,
  OBSERVATION_BYTES,
  OBSERVATION_SAMPLE,
  OBSERVATION_TIME,
  OBSERVATION_VALUE,
  observationCount,
  SAMPLE_COUNT,
  SAMPLE_SUM,
  sampleAt,
} from "./samples";

const log: Buffer = changetype<Buffer>(memory.data(16, 8));

/** Keeps the observations from `from` on and before `to`, unsigned ns since 1970, of those numbered [first, last). */
export function withhold(from: u64, to: u64, first: u32, last: u32): void {
  log.create(1 << 12);
  const span = to > from ? to - from : 0;
  beginBlocks(0, observationCount);
  while (nextBlock()) {
    let p = blockStart;
    const seconds = blockSeconds;
    const end = blockEnd;
    for (let i: u32 = 0; p < end; i++, p += OBSERVATION_BYTES) {
      const number = blockFirst + i;
      if (load<u64>(p, OBSERVATION_TIME) - from < span && number >= first && number < last) continue;
      const row = load<u32>(p, OBSERVATION_SAMPLE);
      const second: i64 = seconds === 0 ? 0 : load<i64>(seconds + ((<usize>i) << 3));
      log.u32(<u32>p);
      log.u32(row);
      log.u64(second);
      store<u32>(p, 0, OBSERVATION_SAMPLE);
      adjust(row, -1, -load<i64>(p, OBSERVATION_VALUE), -second);
    }
  }
}

/** Ends `withhold`, also one that memory did not suffice for. */
export function giveBack(): void {
  const end = log.at + log.size;
  for (let entry = log.at; entry < end; entry += 16) {
    const p = <usize>load<u32>(entry);
    const row = load<u32>(entry, 4);
    store<u32>(p, row, OBSERVATION_SAMPLE);
    adjust(row, 1, load<i64>(p, OBSERVATION_VALUE), load<i64>(entry, 8));
  }
  log.free();
}

function adjust(row: u32, count: i32, value: i64, second: i64): void {
  const sample = sampleAt(row);
  store<u32>(sample, load<u32>(sample, SAMPLE_COUNT) + count, SAMPLE_COUNT);
  store<i64>(sample, load<i64>(sample, SAMPLE_SUM) + value, SAMPLE_SUM);
  if (second !== 0) addSecond(row, second);
}
