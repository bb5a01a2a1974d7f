/** Sums of the second values of samples, added up when they are asked for (seconds.ts). */
import { BLOCK_ROWS, OBSERVATION_BYTES, OBSERVATION_SAMPLE } from "./observation-row";
import { observationBlock, observationCount, sampleCount } from "./samples";
import { addToSum, coverSums, secondBlock, setSummedTo, summedTo, sumSoFar } from "./seconds";

/** Sum of the second values of sample `row`. */
export function secondSum(row: u32): i64 {
  if (summedTo !== observationCount) addUp();
  return sumSoFar(row);
}

function addUp(): void {
  for (let i = summedTo; i < observationCount; ) {
    const b = i / BLOCK_ROWS;
    const end = min<u32>(observationCount, (b + 1) * BLOCK_ROWS);
    const seconds = secondBlock(b);
    if (seconds !== 0) {
      // The memory of all rows is allocated before the first sum changes.
      coverSums(sampleCount);
      const first = observationBlock(b);
      for (let k = i - b * BLOCK_ROWS; k < end - b * BLOCK_ROWS; k++) {
        const row = load<u32>(first + <usize>k * OBSERVATION_BYTES, OBSERVATION_SAMPLE);
        addToSum(row, load<i64>(seconds + ((<usize>k) << 3)));
      }
    }
    i = end;
  }
  setSummedTo(observationCount);
}
