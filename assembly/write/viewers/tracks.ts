/**
 * Tracks: the observations of one output in one thread, in the order of time. Formats with a timeline have a list for
 * each track. An output is opened, then each of its tracks.
 *
 *   rows of the output, by thread   | row u32 | … |, threads in the order of their first row
 */

import * as ValueKind from "../../abi/value-kind";
import { Measure } from "../../store/measure";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as SampleRow from "../../store/rows/sample-row";
import * as ThreadRow from "../../store/rows/thread-row";
import { sampleAt } from "../../store/samples";
import { threads } from "../../store/tables";
import { attributeText, attributeValue, attributeWord } from "../added";
import { at, put } from "../columns";
import { scratch, zeroed } from "../output";
import * as OutputRow from "../output-row";
import { outputAt } from "../plan";
import { profileSamples, reachedObservations, reachedSamples } from "../reach";
import { observationsEnd, observationsStart, orderSamples, rowsOf, valueAt } from "../sample-order";
import { beginTimes, noteTime, reserveTimes, sortTimes, timedObservation, timedRow } from "../times";
import { setLayer } from "../values";
import { stackOf } from "./shown-frames";

/** Tracks of the output that was opened last. */
export let trackCount: u32 = 0;
/** u32 per track: its thread; where its rows end. */
let trackThreads: usize = 0;
let rowEnds: usize = 0;
/** u32 per thread: its track + 1. */
let tracksOf: usize = 0;
let rows: usize = 0;
let blocked: bool = false;

export function reserveTracks(): void {
  orderSamples();
  reserveTimes(reachedObservations);
  trackThreads = scratch((<u64>threads.count) << 2);
  rowEnds = scratch((<u64>threads.count + 1) << 2);
  tracksOf = zeroed(threads.count);
  rows = scratch((<u64>reachedSamples) << 2);
  trackCount = 0;
}

/** Finds the tracks of output `i`, whose values are the layer from here on. */
export function openOutput(i: u32): void {
  const output = outputAt(i);
  setLayer(output);
  blocked = load<u32>(output, OutputRow.MEASURE) === <u32>Measure.Second;

  const profile = load<u32>(output, OutputRow.PROFILE);
  const from = rowsOf(profile);
  const n = at(profileSamples, profile);
  for (let k: u32 = 0; k < trackCount; k++) put(tracksOf, at(trackThreads, k), 0);
  trackCount = 0;
  for (let k: u32 = 0; k < n; k++) {
    const thread = threadOf(at(from, k));
    let track = at(tracksOf, thread);
    if (track === 0) {
      put(trackThreads, trackCount, thread);
      put(rowEnds, trackCount, 0);
      trackCount++;
      track = trackCount;
      put(tracksOf, thread, track);
    }
    put(rowEnds, track - 1, at(rowEnds, track - 1) + 1);
  }
  let start: u32 = 0;
  for (let k: u32 = 0; k < trackCount; k++) {
    const size = at(rowEnds, k);
    put(rowEnds, k, start);
    start += size;
  }
  for (let k: u32 = 0; k < n; k++) {
    const row = at(from, k);
    const track = at(tracksOf, threadOf(row)) - 1;
    put(rows, at(rowEnds, track), row);
    put(rowEnds, track, at(rowEnds, track) + 1);
  }
}

function threadOf(row: u32): u32 {
  return load<u32>(sampleAt(row), SampleRow.THREAD);
}

/** Puts the observations of a track into the order of time: `timeCount` of them (times.ts). */
export function openTrack(track: u32): void {
  beginTimes();
  const end = at(rowEnds, track);
  for (let k: u32 = track === 0 ? 0 : at(rowEnds, track - 1); k < end; k++) {
    const row = at(rows, k);
    const last = observationsEnd(row);
    for (let q = observationsStart(row); q < last; q += 4) noteTime(row, <usize>load<u32>(q));
  }
  sortTimes();
}

/** Stack and value of observation `i` of the opened track. */
export function stackAt(i: u32): u32 {
  return stackOf(timedRow(i));
}

export function trackValue(i: u32): i64 {
  return <i64>valueAt(timedObservation(i), blocked);
}

/** Name of a track's thread, a string; 0 if it has no name. Its label depends on the other threads that were read. */
export function threadName(track: u32): u32 {
  return attributeText(threads.get(at(trackThreads, track), ThreadRow.NAME));
}

/** Id of a track's thread, 0 if it has no id. */
export function threadId(track: u32): i64 {
  const attribute = threads.get(at(trackThreads, track), ThreadRow.ID);
  const isInt = attributeWord(attribute, AttributeRow.TYPE) === <u32>ValueKind.Int;
  return isInt ? attributeValue(attribute) : 0;
}
