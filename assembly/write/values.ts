/** The values of one layer: of an observation, and of a sample as their sum. */

import { Measure } from "../store/measure";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { sampleAt } from "../store/samples";
import { maskedSecondSum } from "./mask";
import * as OutputRow from "./output-row";
import { factorOf, timed } from "./plan";

let source: u32 = 0;
let scale: u64 = 1;
/** Values are written as they are stored. */
export let plain: bool = true;
/**
 * Consecutive observations whose values are requested: the first, and its second value (0 if they have no second
 * values).
 */
let first: usize = 0;
let seconds: usize = 0;

/** Values are those of `output`, and of all outputs of its layer. */
export function setLayer(output: usize): void {
  source = load<u32>(output, OutputRow.MEASURE);
  scale = load<u64>(output, OutputRow.SCALE);
  plain = source === <u32>Measure.Value && scale === 1 && !timed;
}

/** Values are asked next of the observations from `start` on, whose second values begin at `secondValues`. */
export function setBlock(start: usize, secondValues: usize): void {
  first = start;
  seconds = secondValues;
}

/** The value to write of the observation at `p`, which lies in the block that was set. */
export function observedValue(p: usize): u64 {
  if (plain) return load<u64>(p, ObservationRow.VALUE);
  return scaledValue(p);
}

function scaledValue(p: usize): u64 {
  if (source === <u32>Measure.Count) return scale;
  if (source === <u32>Measure.Value) {
    const factor = timed ? factorOf(sampleAt(load<u32>(p, ObservationRow.SAMPLE))) : 1;
    return load<u64>(p, ObservationRow.VALUE) * scale * factor;
  }
  return seconds === 0 ? 0 : load<u64>(seconds + (((p - first) / ObservationRow.BYTES) << 3)) * scale;
}

/** Sum of the values of sample `row`, which is at `p` (mask.ts). */
export function sumOf(row: u32, p: usize): u64 {
  return sumFrom(source, row, p) * scale * factorOf(p);
}

/** Sum of the values of sample `row` from any source, not multiplied by its period. */
export function sumFrom(from: u32, row: u32, p: usize): u64 {
  if (from === <u32>Measure.Count) return load<u32>(p, SampleRow.COUNT);
  if (from === <u32>Measure.Value) return load<u64>(p, SampleRow.SUM);
  return <u64>maskedSecondSum(row);
}
