/**
 * The samples that the other views count: one byte per sample row, 1 where every predicate holds.
 *
 *   selectBegin ─► selectPredicate, then its alternatives … ─► selectTime ─► selectEnd
 *                  selectSpan, selectRoot, selectAttribute,                  one scan of the samples, and one of the
 *                  selectFrames: mark rows of small tables                   observations where a range was given
 *
 * Samples read after selectEnd are not selected: select again after reading more.
 */
import { eventCount, profileOfEvent } from "../store/profiles";
import {
  SAMPLE_BYTES,
  SAMPLE_COUNT,
  SAMPLE_EVENT,
  SAMPLE_SUM,
  sampleCount,
  sampleRows,
  secondSum,
} from "../store/samples";
import { Block } from "./block";
import { Measure, measureOf } from "./measure";
import {
  BITS,
  beginPredicate,
  bitsOf,
  clearPredicates,
  forgetPredicates,
  predicateCount,
  required,
  wanted,
} from "./predicates";
import { clearWindow, forgetWindow, narrowToWindow, openMaskAt, windowCounts, windowed, windowSums } from "./window";

const mask: Block = changetype<Block>(memory.data(8, 8));
/** MAX_EVENTS entries. */
const eventOk: usize = memory.data(256);

/** Rows that the mask covers, row 0 included; 0 while nothing was selected. */
export let maskRows: u32 = 0;
/** The mask, with 8 zero bytes behind the last row, so that a scan may go by eights. */
export let maskAt: usize = 0;
/** Changes with every selection, so that what was computed from one can be kept as long as it stands. */
export let selectionStamp: u32 = 1;
export let selectedMeasure: Measure = Measure.Value;

let building: u32 = 0;
let count: u32 = 0;
let value: i64 = 0;

export function resetSelection(): void {
  mask.forget();
  forgetPredicates();
  forgetWindow();
  selectedMeasure = Measure.Value;
  maskRows = 0;
  maskAt = 0;
  building = 0;
  count = 0;
  value = 0;
  selectionStamp++;
}

/** What sample `row`, whose row is at `p`, weighs in the current selection. */
export function weightOf(row: u32, p: usize): i64 {
  if (windowed) return load<i64>(windowSums + ((<usize>row) << 3));
  if (selectedMeasure === Measure.Value) return load<i64>(p, SAMPLE_SUM);
  return selectedMeasure === Measure.Second ? secondSum(row) : <i64>load<u32>(p, SAMPLE_COUNT);
}

/** Observations of sample `row` that count in the current selection. */
export function countOf(row: u32, p: usize): u32 {
  return windowed ? load<u32>(windowCounts + ((<usize>row) << 2)) : load<u32>(p, SAMPLE_COUNT);
}

/**
 * Starts a selection of the samples of one profile, or of all with -1. With `second`, they weigh by the profile's second
 * measure, if it has one. Until selectEnd nothing is selected.
 */
export function selectBegin(profile: i32, second: bool): void {
  selectionStamp++;
  selectedMeasure = measureOf(profile, second);
  maskRows = 0;
  count = 0;
  value = 0;
  building = sampleCount;
  clearPredicates();
  clearWindow();
  maskAt = mask.fit(<usize>building + 8);
  memory.fill(maskAt, 1, building);
  store<u8>(maskAt, 0);
  store<u64>(maskAt + building, 0);
  for (let e: u32 = 0; e < eventCount; e++) {
    store<u8>(eventOk + e, profile < 0 || profileOfEvent(e) === <u32>profile ? 1 : 0);
  }
}

/** Only samples for which one of the alternatives that follow holds; with `exclude`, none of them. */
export function selectPredicate(exclude: bool): void {
  if (predicateCount === BITS) {
    scan();
    clearPredicates();
  }
  beginPredicate(exclude);
}

/** Computes the mask and the totals. */
export function selectEnd(): void {
  scan();
  clearPredicates();
  if (windowed) narrowToWindow(maskAt, building, selectedMeasure);
  maskRows = building;
  addUp();
  selectionStamp++;
}

/** Clears the mask where a predicate made so far does not hold. */
function scan(): void {
  let p = sampleRows;
  for (let row: u32 = 1; row < building; row++) {
    p += SAMPLE_BYTES;
    const event = load<u32>(p, SAMPLE_EVENT);
    let keep = load<u8>(eventOk + event) !== 0;
    if (keep && wanted !== 0) keep = (bitsOf(p, event) & wanted) === required;
    if (!keep) store<u8>(maskAt + row, 0);
  }
}

function addUp(): void {
  for (let first: u32 = 0; first < maskRows; first += 8) {
    if (load<u64>(maskAt + first) === 0) continue;
    for (let row = first; row < first + 8; row++) {
      if (load<u8>(maskAt + row) === 0) continue;
      const p = sampleRows + <usize>row * SAMPLE_BYTES;
      count += countOf(row, p);
      value += weightOf(row, p);
    }
  }
}

/** Observations of the selected samples. */
export function selectedSamples(): u32 {
  return count;
}

/** What they weigh. */
export function selectedValue(): i64 {
  return value;
}

/** One byte per sample row; good until the next selectBegin. */
export function selectionMask(): usize {
  return maskAt;
}

/** The same without the range of time. */
export function openSelectionMask(): usize {
  return windowed ? openMaskAt : maskAt;
}

/** Rows of the mask, row 0 included. */
export function selectionRows(): u32 {
  return maskRows;
}
