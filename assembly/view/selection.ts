/**
 * The samples that the other views count: one byte per sample row, 1 where every predicate holds.
 *
 *   selectBegin ─► selectPredicate, then its alternatives … ─► selectTime ─► selectEnd
 *                  selectSpan, selectIds, selectRoot, selectAttribute,       one scan of the samples, and one of the
 *                  selectFrames: mark rows of small tables                   observations where a range was given
 *
 * Samples read after selectEnd are not selected: select again after reading more.
 */

import { onGiveUp } from "../memory/resets";
import { plus, times } from "../memory/sums";
import { copiesEnd, copiesFrom, isCopy } from "../store/held/copies";
import { Measure, measureOf } from "../store/measure";
import { eventCount, familyOfEvent, MAX_EVENTS } from "../store/profiles";
import * as SampleRow from "../store/rows/sample-row";
import { hasEmpty, sampleAt, sampleCount } from "../store/samples";
import { secondSum } from "../store/second-sums";
import { Block } from "./block";
import { countColumn, eventColumn, eventIn, PAD, sumColumn } from "./columns";
import { factorOf, setFactors, timed } from "./periods";
import { BITS, beginPredicate, clearOthers, clearPredicates, predicateCount } from "./predicates";
import {
  clearWindow,
  narrowToWindow,
  openMaskAt,
  openWindow,
  weighWindow,
  windowCount,
  windowCounts,
  windowed,
  windowSums,
  windowValue,
} from "./window";

const mask: Block = changetype<Block>(memory.data(16, 4));
/** Weights that are no column of the store. */
const others: Block = changetype<Block>(memory.data(16, 4));
/** MAX_EVENTS entries. */
const eventOk: usize = memory.data(<i32>MAX_EVENTS);

/** Rows that the mask covers, row 0 included; 0 while nothing was selected. */
export let maskRows: u32 = 0;
/** The mask, with 8 zero bytes after the last row, so that a scan may go by eights. */
export let maskAt: usize = 0;
/** Changes with every selection, so that results of a selection can be cached while it is current. */
export let selectionStamp: u32 = 1;
/** It is of all profiles. */
export let isOfAll: bool = false;
export let selectedMeasure: Measure = Measure.Value;
/**
 * Weight of each sample row in the selection, i64 each, also of rows that are not selected; PAD zero rows follow. 0
 * until it is needed.
 */
export let weightAt: usize = 0;
/** Observations of each sample row that count in it, u32 each, in the same way. */
export let countAt: usize = 0;

/** It has the copies of divided waits (store/held/divided.ts), in place of the waits. */
export let hasCopies: bool = false;

let building: u32 = 0;
let count: u32 = 0;
let value: i64 = 0;

onGiveUp((): void => {
  clearPredicates();
  openWindow();
  selectedMeasure = Measure.Value;
  maskRows = 0;
  maskAt = 0;
  weightAt = 0;
  building = 0;
  count = 0;
  value = 0;
  selectionStamp++;
});

/**
 * Starts a selection of the samples of one profile, or of all with -1. With `second`, they weigh by the profile's
 * second measure, if it has one. Until selectEnd nothing is selected.
 */
export function selectBegin(profile: i32, second: bool): void {
  selectionStamp++;
  isOfAll = profile < 0;
  selectedMeasure = measureOf(profile, second);
  setFactors(profile, selectedMeasure === Measure.Value);
  maskRows = 0;
  weightAt = 0;
  count = 0;
  value = 0;
  building = sampleCount;
  clearPredicates();
  clearWindow();
  maskAt = mask.fit(<usize>(building + PAD));
  memory.fill(maskAt, 1, building);
  store<u8>(maskAt, 0);
  store<u64>(maskAt + building, 0);
  if (hasEmpty) clearEmpty();
  hasCopies = false;
  if (copiesEnd !== 0) memory.fill(maskAt + copiesFrom, 0, copiesEnd - copiesFrom);
  for (let e: u32 = 0; e < eventCount; e++) {
    store<u8>(eventOk + e, profile < 0 || familyOfEvent(e) === <u32>profile ? 1 : 0);
  }
}

/** The selection that was begun has the copies of divided waits, in place of the waits. */
export function selectCopies(): void {
  if (copiesEnd === 0) return;
  hasCopies = true;
  for (let row: u32 = 1; row < building; row++) if (isDivided(row)) store<u8>(maskAt + row, isCopy(row) ? 1 : 0);
}

/** Whether a sample is of a profile whose waits are divided. */
function isDivided(row: u32): bool {
  return isCopy(row) || familyIn(row) === familyIn(copiesFrom);
}

function familyIn(row: u32): u32 {
  return familyOfEvent(load<u32>(sampleAt(row), SampleRow.EVENT));
}

/** Whether a sample cannot be in the selection, whatever it selects: there are others in its place. */
export function isAside(row: u32): bool {
  if (copiesEnd === 0) return false;
  return hasCopies ? isDivided(row) && !isCopy(row) : isCopy(row);
}

/** Samples without an observation are in no list, even if all others of it have no weight. */
function clearEmpty(): void {
  const counts = countColumn();
  for (let row: u32 = 1; row < building; row++)
    if (load<u32>(counts + ((<usize>row) << 2)) === 0) store<u8>(maskAt + row, 0);
}

/**
 * Only samples for which one of the following alternatives holds; with `exclude`, the samples for which it does not
 * hold.
 */
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
  maskRows = building;
  if (windowed) {
    narrowToWindow(maskAt, building, selectedMeasure);
    if (timed) weighWindow(building);
    weightAt = windowSums;
    countAt = windowCounts;
    count = windowCount;
    value = windowValue;
  } else {
    // A message is written from the samples themselves: weights are computed on request.
    weightAt = 0;
  }
  selectionStamp++;
}

/** Makes `weightAt`, `countAt` and the totals. */
export function needWeights(): void {
  if (weightAt !== 0 || maskRows === 0) return;
  countAt = countColumn();
  weightAt = selectedMeasure === Measure.Value && !timed ? sumColumn() : otherWeights();
  addUp();
}

/** Clears the mask where a predicate made so far does not hold. */
function scan(): void {
  clearOthers(maskAt, building, eventOk);
}

function otherWeights(): usize {
  const at = others.zeroed((<usize>(building + PAD)) << 3);
  if (timed) {
    const sums = sumColumn();
    const events = eventColumn();
    for (let row: u32 = 1; row < building; row++) {
      const i = (<usize>row) << 3;
      store<i64>(at + i, times(load<i64>(sums + i), factorOf(eventIn(events, row))));
    }
    return at;
  }
  for (let row: u32 = 1; row < building; row++) {
    const weight = selectedMeasure === Measure.Second ? secondSum(row) : <i64>load<u32>(countAt + ((<usize>row) << 2));
    store<i64>(at + ((<usize>row) << 3), weight);
  }
  return at;
}

function addUp(): void {
  for (let first: u32 = 0; first < maskRows; first += 8) {
    if (load<u64>(maskAt + first) === 0) continue;
    for (let row = first; row < first + 8; row++) {
      // All ones where it is selected: in most eights some are, and a branch would be a guess.
      const all = -(<i64>load<u8>(maskAt + row));
      count += load<u32>(countAt + ((<usize>row) << 2)) & <u32>all;
      value = plus(value, load<i64>(weightAt + ((<usize>row) << 3)) & all);
    }
  }
}

/** Observations of the selected samples. */
export function selectedSamples(): u32 {
  needWeights();
  return count;
}

/** Their weight. */
export function selectedValue(): i64 {
  needWeights();
  return value;
}

/** One byte per sample row; good until the next selectBegin. */
export function selectionMask(): usize {
  return maskAt;
}

/** The mask of the selection without its range of time; good until the next selectBegin. */
export function openSelectionMask(): usize {
  return windowed ? openMaskAt : maskAt;
}

/** Rows of the mask, row 0 included. */
export function selectionRows(): u32 {
  return maskRows;
}
