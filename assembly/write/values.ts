/** The values of one layer: of an observation, and of a sample as their sum. */
import { OUTPUT_TIMED } from "../abi/write-plan";
import { Measure } from "../store/measure";
import {
  OBSERVATION_BYTES,
  OBSERVATION_SAMPLE,
  OBSERVATION_VALUE,
  SAMPLE_COUNT,
  SAMPLE_SUM,
  sampleAt,
} from "../store/samples";
import { maskedSecondSum } from "./mask";
import { factorOf, OUTPUT_FLAGS, OUTPUT_MEASURE, OUTPUT_SCALE } from "./plan";

let source: u32 = 0;
let scale: u64 = 1;
/** The output where values are times, each of its own period; 0 where all have one scale. */
let timed: usize = 0;
/** Values are written as they are stored. */
export let plain: bool = true;
/** Observations in a row that values are asked of: the first, and its second value (0 where they have none). */
let first: usize = 0;
let seconds: usize = 0;

/** Values are those of `output`, and of all outputs of its layer. */
export function setLayer(output: usize): void {
  source = load<u32>(output, OUTPUT_MEASURE);
  scale = load<u64>(output, OUTPUT_SCALE);
  timed = (load<u32>(output, OUTPUT_FLAGS) & OUTPUT_TIMED) !== 0 ? output : 0;
  plain = source === <u32>Measure.Value && scale === 1 && timed === 0;
}

/** Values are asked next of the observations from `start` on, whose second values begin at `secondValues`. */
export function setBlock(start: usize, secondValues: usize): void {
  first = start;
  seconds = secondValues;
}

/** The value to write of the observation at `p`, which lies in the block that was set. */
export function observedValue(p: usize): u64 {
  if (plain) return load<u64>(p, OBSERVATION_VALUE);
  return scaledValue(p);
}

function scaledValue(p: usize): u64 {
  if (timed !== 0) return load<u64>(p, OBSERVATION_VALUE) * factorOf(timed, sampleAt(load<u32>(p, OBSERVATION_SAMPLE)));
  if (source === <u32>Measure.Count) return scale;
  if (source === <u32>Measure.Value) return load<u64>(p, OBSERVATION_VALUE) * scale;
  return seconds === 0 ? 0 : load<u64>(seconds + (((p - first) / OBSERVATION_BYTES) << 3)) * scale;
}

/** Sum of the values of sample `row`, which is at `p` (mask.ts). */
export function sumOf(row: u32, p: usize): u64 {
  return sumFrom(source, row, p) * (timed !== 0 ? factorOf(timed, p) : scale);
}

/** The same of any source, not multiplied. */
export function sumFrom(from: u32, row: u32, p: usize): u64 {
  if (from === <u32>Measure.Count) return load<u32>(p, SAMPLE_COUNT);
  if (from === <u32>Measure.Value) return load<u64>(p, SAMPLE_SUM);
  return <u64>maskedSecondSum(row);
}
