/**
 * When the samples of a profile were taken, and which of them are selected; a range of time in force narrows nothing
 * here, so that the selection is seen in the whole of the recording.
 *
 *   strip   bins of | all f64 | selected f64 |            strip 0 has everything, strip 1 … n the threads asked for
 *   row     | thread u32 | name u32 | id u32 | samples u32 | all i64 | selected i64 |      32 bytes, threads with samples
 *
 * `name` and `id` are attributes. Everything is weighed as the selection is.
 */
import { eventCount, profileOfEvent } from "../store/profiles";
import {
  BLOCK_ROWS,
  OBSERVATION_BYTES,
  OBSERVATION_SAMPLE,
  OBSERVATION_TIME,
  OBSERVATION_VALUE,
  observationBlock,
  observationCount,
  SAMPLE_BYTES,
  SAMPLE_COUNT,
  SAMPLE_EVENT,
  SAMPLE_SUM,
  SAMPLE_THREAD,
  sampleRows,
  secondBlock,
  secondSum,
} from "../store/samples";
import { THREAD_ID, THREAD_NAME, threads } from "../store/tables";
import { Block } from "./block";
import { Measure } from "./measure";
import { maskRows, openSelectionMask, selectedMeasure } from "./selection";

const ROW_BYTES: usize = 32;

const strips: Block = changetype<Block>(memory.data(8, 8));
const laneOf: Block = changetype<Block>(memory.data(8, 8));
const rows: Block = changetype<Block>(memory.data(8, 8));
/** MAX_EVENTS entries. */
const eventOk: usize = memory.data(256);

export function resetTimeline(): void {
  strips.forget();
  laneOf.forget();
  rows.forget();
}

function takeEvents(profile: u32): void {
  memory.fill(eventOk, 0, 256);
  for (let e: u32 = 0; e < eventCount; e++) if (profileOfEvent(e) === profile) store<u8>(eventOk + e, 1);
}

/**
 * Observations of a profile from `from` on and before `to`, in `bins` equal bins: all of them, and those of the `lanes`
 * threads at `threadsAt` (rows of the table, u32). Returns the strips, good until the next call.
 */
export function timelineBins(profile: u32, from: u64, to: u64, bins: u32, threadsAt: usize, lanes: u32): usize {
  takeEvents(profile);
  const bytes = (<usize>bins) << 4;
  const out = strips.zeroed(bytes * <usize>(lanes + 1));
  const lane = laneOf.zeroed((<usize>threads.count) << 2);
  for (let i: u32 = 0; i < lanes; i++) {
    const thread = load<u32>(threadsAt + ((<usize>i) << 2));
    if (thread < threads.count) store<u32>(lane + ((<usize>thread) << 2), i + 1);
  }
  const span = to > from ? to - from : 0;
  let left = observationCount;
  for (let b: u32 = 0; left !== 0; b++) {
    const n = min<u32>(left, BLOCK_ROWS);
    left -= n;
    if (bins !== 0) addBlock(observationBlock(b), n, secondBlock(b), from, span, out, bins, lanes !== 0);
  }
  laneOf.drop();
  return out;
}

function addBlock(p: usize, n: u32, seconds: usize, from: u64, span: u64, out: usize, bins: u32, byLane: bool): void {
  const mask = openSelectionMask();
  const scale = <f64>bins / <f64>span;
  const bytes = (<usize>bins) << 4;
  for (let i: u32 = 0; i < n; i++, p += OBSERVATION_BYTES) {
    const since = load<u64>(p, OBSERVATION_TIME) - from;
    if (since >= span) continue;
    const row = load<u32>(p, OBSERVATION_SAMPLE);
    if (row >= maskRows) continue;
    const sample = sampleRows + <usize>row * SAMPLE_BYTES;
    if (load<u8>(eventOk + load<u32>(sample, SAMPLE_EVENT)) === 0) continue;
    let value: f64 = 1;
    if (selectedMeasure === Measure.Value) value = <f64>load<i64>(p, OBSERVATION_VALUE);
    else if (selectedMeasure === Measure.Second)
      value = seconds === 0 ? 0 : <f64>load<i64>(seconds + ((<usize>i) << 3));
    const bin = min<u32>(<u32>(<f64>since * scale), bins - 1);
    const isSelected = load<u8>(mask + row) !== 0;
    const q = out + ((<usize>bin) << 4);
    add(q, value, isSelected);
    if (!byLane) continue;
    const lane = load<u32>(laneOf.at + ((<usize>load<u32>(sample, SAMPLE_THREAD)) << 2));
    if (lane !== 0) add(q + bytes * <usize>lane, value, isSelected);
  }
}

function add(bin: usize, value: f64, isSelected: bool): void {
  store<f64>(bin, load<f64>(bin) + value);
  if (isSelected) store<f64>(bin, load<f64>(bin, 8) + value, 8);
}

/** Threads with samples of a profile, in the order of the table; their number. */
export function threadActivity(profile: u32): u32 {
  takeEvents(profile);
  const mask = openSelectionMask();
  const at = rows.zeroed(<usize>threads.count * ROW_BYTES);
  let p = sampleRows;
  for (let row: u32 = 1; row < maskRows; row++) {
    p += SAMPLE_BYTES;
    if (load<u8>(eventOk + load<u32>(p, SAMPLE_EVENT)) === 0) continue;
    const q = at + <usize>load<u32>(p, SAMPLE_THREAD) * ROW_BYTES;
    let value = load<i64>(p, SAMPLE_SUM);
    if (selectedMeasure === Measure.Second) value = secondSum(row);
    else if (selectedMeasure === Measure.Count) value = load<u32>(p, SAMPLE_COUNT);
    store<u32>(q, load<u32>(q, 12) + load<u32>(p, SAMPLE_COUNT), 12);
    store<i64>(q, load<i64>(q, 16) + value, 16);
    if (load<u8>(mask + row) !== 0) store<i64>(q, load<i64>(q, 24) + value, 24);
  }
  let n: u32 = 0;
  for (let thread: u32 = 0; thread < threads.count; thread++) {
    const q = at + <usize>thread * ROW_BYTES;
    if (load<u32>(q, 12) === 0) continue;
    const out = at + <usize>n * ROW_BYTES;
    memory.copy(out, q, ROW_BYTES);
    store<u32>(out, thread);
    store<u32>(out, threads.get(thread, THREAD_NAME), 4);
    store<u32>(out, threads.get(thread, THREAD_ID), 8);
    n++;
  }
  return n;
}

export function threadActivityRows(): usize {
  return rows.at;
}
