/** Sums of the second values of samples, added up when they are asked for (seconds.ts). */
import * as ObservationRow from "./rows/observation-row";
import { observationBlock, observationCount, sampleCount } from "./samples";
import { addToSum, coverSums, secondBlock, setSummedTo, summedTo, sumSoFar } from "./seconds";

/** Sum of the second values of sample `row`. */
export function secondSum(row: u32): i64 {
  if (summedTo !== observationCount) addUp();
  return sumSoFar(row);
}

function addUp(): void {
  for (let i = summedTo; i < observationCount; ) {
    const b = i / ObservationRow.BLOCK_ROWS;
    const end = min<u32>(observationCount, (b + 1) * ObservationRow.BLOCK_ROWS);
    const seconds = secondBlock(b);
    if (seconds !== 0) {
      // The memory of all rows is allocated before the first sum changes.
      coverSums(sampleCount);
      const first = observationBlock(b);
      for (let k = i - b * ObservationRow.BLOCK_ROWS; k < end - b * ObservationRow.BLOCK_ROWS; k++) {
        const row = load<u32>(first + <usize>k * ObservationRow.BYTES, ObservationRow.SAMPLE);
        addToSum(row, load<i64>(seconds + ((<usize>k) << 3)));
      }
    }
    i = end;
  }
  setSummedTo(observationCount);
}
