/**
 * Samples of a profile over time, all and selected; a selected time range does not apply here, so that the page can
 * show it within the whole recording.
 *
 *   strip   bins of | all f64 | selected f64 | samples u32 | selected samples u32 |      24 bytes
 *           strip 0 has all threads, strip 1 … n one requested thread each
 *   row     | thread u32 | name u32 | id u32 | samples u32 | all i64 | selected i64 | first ns u64 |
 *           40 bytes, threads with samples
 *
 * `name` and `id` are attributes. All values are weighed like the selection.
 *
 * A heat map is a strip whose bins are in columns of Timeline.HEAT_ROWS: a column is one or more whole seconds, a bin
 * the
 * samples in the same 20 ms of each of them.
 */

import * as Timeline from "../abi/timeline";
import { addTo, times } from "../memory/sums";
import { Measure } from "../store/measure";
import { beginBlocks, blockEnd, blockFirst, blockSeconds, blockStart, nextBlock } from "../store/observations";
import { eventCount, familyOfEvent, MAX_EVENTS } from "../store/profiles";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import * as ThreadRow from "../store/rows/thread-row";
import { observationCount, sampleAt } from "../store/samples";
import { secondSum } from "../store/second-sums";
import { threads } from "../store/tables";
import { threadLabel } from "../store/threads/labels";
import { Block } from "./block";
import { eventColumn, eventIn } from "./columns";
import { factorOf } from "./periods";
import { isAside, maskRows, openSelectionMask, selectedMeasure } from "./selection";
import { windowFirst, windowLast } from "./window";

const SECOND: u64 = 1_000_000_000;

const strips: Block = changetype<Block>(memory.data(16, 4));
const laneOf: Block = changetype<Block>(memory.data(16, 4));
const rows: Block = changetype<Block>(memory.data(16, 4));
/** By event (MAX_EVENTS entries), whether it is of the requested profile. */
const wantedEvents: usize = memory.data(<i32>MAX_EVENTS);

/** Observations of the strips requested last that lie outside their time. */
export let timelineBefore: u32 = 0;
export let timelineAfter: u32 = 0;

/** `events` is the column of the samples' events. */
function isWanted(events: usize, row: u32): bool {
  return load<u8>(wantedEvents + <usize>eventIn(events, row)) !== 0 && !isAside(row);
}

function want(profile: u32): void {
  for (let e: u32 = 0; e < eventCount; e++) store<u8>(wantedEvents + e, familyOfEvent(e) === profile ? 1 : 0);
}

/**
 * Observations of a profile, numbered [first, last), from `from` on and before `to`, in `bins` equal bins: all of them,
 * and those of the `lanes` threads at `threadsAt` (rows of the table, u32). With `seconds` the bins are those of a heat
 * map, in columns of so many seconds. Returns the strips, good until the next call.
 */
export function timelineBins(
  profile: u32,
  from: u64,
  to: u64,
  bins: u32,
  seconds: u32,
  threadsAt: usize,
  lanes: u32,
  first: u32,
  last: u32,
): usize {
  want(profile);
  timelineBefore = 0;
  timelineAfter = 0;
  const bytes = <usize>bins * Timeline.BIN_BYTES;
  const out = strips.zeroed(bytes * <usize>(lanes + 1));
  const lane = laneOf.zeroed((<usize>threads.count) << 2);
  for (let i: u32 = 0; i < lanes; i++) {
    const thread = load<u32>(threadsAt + ((<usize>i) << 2));
    if (thread < threads.count) store<u32>(lane + ((<usize>thread) << 2), i + 1);
  }
  const span = to > from ? to - from : 0;
  if (bins !== 0) {
    beginBlocks(first, last);
    while (nextBlock()) addBlock(from, span, out, bins, seconds, lanes !== 0);
  }
  laneOf.drop();
  return out;
}

/** Adds the block that the cursor is at. */
function addBlock(from: u64, span: u64, out: usize, bins: u32, seconds: u32, byLane: bool): void {
  const first = blockFirst;
  const second = blockSeconds;
  const end = blockEnd;
  const mask = openSelectionMask();
  const events = eventColumn();
  const scale = <f64>bins / <f64>span;
  const bytes = <usize>bins * Timeline.BIN_BYTES;
  let i: u32 = 0;
  for (let p = blockStart; p < end; i++, p += ObservationRow.BYTES) {
    const since = load<u64>(p, ObservationRow.TIME) - from;
    const row = load<u32>(p, ObservationRow.SAMPLE);
    if (row >= maskRows) continue;
    if (!isWanted(events, row)) continue;
    if (since >= span) {
      // Time 0 is that of observations without a time.
      if (since + from === 0) continue;
      if (since + from < from) timelineBefore++;
      else timelineAfter++;
      continue;
    }
    const value = <f64>weigh(p, second, i, eventIn(events, row));
    let at = <u32>(<f64>since * scale);
    if (seconds !== 0)
      at =
        <u32>(since / (SECOND * <u64>seconds)) * Timeline.HEAT_ROWS +
        <u32>((since % SECOND) / (SECOND / Timeline.HEAT_ROWS));
    const bin = min<u32>(at, bins - 1);
    const isSelected = load<u8>(mask + row) !== 0 && isInFile(first + i);
    const q = out + <usize>bin * Timeline.BIN_BYTES;
    add(q, value, isSelected);
    if (!byLane) continue;
    const lane = load<u32>(laneOf.at + ((<usize>load<u32>(sampleAt(row), SampleRow.THREAD)) << 2));
    if (lane !== 0) add(q + bytes * <usize>lane, value, isSelected);
  }
}

/** The range of time narrows nothing here, that of a file does: a sample may have observations in several. */
function isInFile(observation: u32): bool {
  return observation >= windowFirst && observation < windowLast;
}

/**
 * The amount that an observation of event row `event` adds to the selection; `seconds` has the second values of its
 * block, 0 if all are 0.
 */
function weigh(p: usize, seconds: usize, i: u32, event: u32): i64 {
  if (selectedMeasure === Measure.Value) return load<i64>(p, ObservationRow.VALUE) * factorOf(event);
  if (selectedMeasure !== Measure.Second) return 1;
  return seconds === 0 ? 0 : load<i64>(seconds + ((<usize>i) << 3));
}

function add(bin: usize, value: f64, isSelected: bool): void {
  store<f64>(bin, load<f64>(bin, Timeline.BIN_ALL) + value, Timeline.BIN_ALL);
  store<u32>(bin, load<u32>(bin, Timeline.BIN_SAMPLES) + 1, Timeline.BIN_SAMPLES);
  if (!isSelected) return;
  store<f64>(bin, load<f64>(bin, Timeline.BIN_SELECTED) + value, Timeline.BIN_SELECTED);
  store<u32>(bin, load<u32>(bin, Timeline.BIN_SELECTED_SAMPLES) + 1, Timeline.BIN_SELECTED_SAMPLES);
}

/**
 * Threads with samples of a profile among the observations numbered [first, last), in the order of the table; their
 * number.
 */
export function threadActivity(profile: u32, first: u32, last: u32): u32 {
  want(profile);
  const at = rows.zeroed(<usize>threads.count * Timeline.ACTIVITY_BYTES);
  const events = eventColumn();
  const isPart = first !== 0 || last < observationCount;
  for (let row: u32 = isPart ? maskRows : 1; row < maskRows; row++) {
    if (!isWanted(events, row)) continue;
    const p = sampleAt(row);
    const q = at + <usize>load<u32>(p, SampleRow.THREAD) * Timeline.ACTIVITY_BYTES;
    let value = times(load<i64>(p, SampleRow.SUM), factorOf(eventIn(events, row)));
    if (selectedMeasure === Measure.Second) value = secondSum(row);
    else if (selectedMeasure === Measure.Count) value = load<u32>(p, SampleRow.COUNT);
    store<u32>(q, load<u32>(q, Timeline.ACTIVITY_SAMPLES) + load<u32>(p, SampleRow.COUNT), Timeline.ACTIVITY_SAMPLES);
    addTo(q + Timeline.ACTIVITY_ALL, value);
  }
  addObservations(at, first, last, isPart);
  let n: u32 = 0;
  for (let thread: u32 = 0; thread < threads.count; thread++) {
    const q = at + <usize>thread * Timeline.ACTIVITY_BYTES;
    if (load<u32>(q, Timeline.ACTIVITY_SAMPLES) === 0) continue;
    const out = at + <usize>n * Timeline.ACTIVITY_BYTES;
    memory.copy(out, q, Timeline.ACTIVITY_BYTES);
    store<u32>(out, thread, Timeline.ACTIVITY_THREAD);
    store<u32>(out, threadLabel(thread), Timeline.ACTIVITY_NAME);
    store<u32>(out, threads.get(thread, ThreadRow.ID), Timeline.ACTIVITY_ID);
    n++;
  }
  return n;
}

/**
 * For each thread, the time of its first observation of the profile and its selected weight; for a part of the
 * observations also their number and weight.
 */
function addObservations(at: usize, from: u32, to: u32, isPart: bool): void {
  const mask = openSelectionMask();
  const events = eventColumn();
  beginBlocks(from, to);
  while (nextBlock()) {
    const first = blockFirst;
    const seconds = blockSeconds;
    const end = blockEnd;
    let i: u32 = 0;
    for (let p = blockStart; p < end; i++, p += ObservationRow.BYTES) {
      const row = load<u32>(p, ObservationRow.SAMPLE);
      if (row >= maskRows || !isWanted(events, row)) continue;
      const q = at + <usize>load<u32>(sampleAt(row), SampleRow.THREAD) * Timeline.ACTIVITY_BYTES;
      const time = load<u64>(p, ObservationRow.TIME);
      // 0 until there is one.
      if (time - 1 < load<u64>(q, Timeline.ACTIVITY_FIRST) - 1) store<u64>(q, time, Timeline.ACTIVITY_FIRST);
      const isSelected = load<u8>(mask + row) !== 0 && isInFile(first + i);
      if (!isSelected && !isPart) continue;
      const value = weigh(p, seconds, i, eventIn(events, row));
      if (isPart) {
        store<u32>(q, load<u32>(q, Timeline.ACTIVITY_SAMPLES) + 1, Timeline.ACTIVITY_SAMPLES);
        addTo(q + Timeline.ACTIVITY_ALL, value);
      }
      if (isSelected) addTo(q + Timeline.ACTIVITY_SELECTED, value);
    }
  }
}

export function threadActivityRows(): usize {
  return rows.at;
}
