/**
 * Samples as pprof: one for each group of rows (groups.ts), its values the sums; or, where outputs are not aggregated,
 * one for each time of an observation of the group.
 *
 *   Sample  0a n location ids … · 12 n values … · 1a label …                                fields 1 to 3
 *
 * pprof has no table of stacks: each sample repeats its own. If every location keeps its index, the bytes of the store
 * are copied; otherwise a stack is renumbered once, however many samples have it.
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import * as Slice from "../../abi/slice";
import * as WritePlan from "../../abi/write-plan";
import { setSlice } from "../../memory/slice";
import { Measure } from "../../store/measure";
import { eventAt, profileCount, Shape } from "../../store/profiles";
import * as ObservationRow from "../../store/rows/observation-row";
import * as SampleRow from "../../store/rows/sample-row";
import { stacks } from "../../store/tables";
import { at, byUse, marked, put } from "../columns";
import { maskedAt } from "../mask";
import { newRun, Run, scratch, zeroed } from "../output";
import * as OutputRow from "../output-row";
import { factorOf, outputAt, outputCount, writtenProfile } from "../plan";
import { isReached, locationMap, reachedOutputs, rootSets, sameLocations, stackMap } from "../reach";
import { observationsEnd, observationsStart, valueAt } from "../sample-order";
import { beginTimes, noteTime, sortTimes, timeCount, timedObservation, timedRow } from "../times";
import { setLayer, sumFrom } from "../values";
import { next, putHeader, putVarint, takeVarint, varintSize } from "../wire";
import { groupCount, groupHeads, groupRows, nextInGroup } from "./groups";
import {
  encodeLabels,
  eventPieces,
  LINK_ROOM,
  pieceAt,
  pieceSize,
  putLinkLabels,
  putTimeLabel,
  setPieces,
  threadPieces,
} from "./labels";

/** No valid file is larger. */
const MAX_BYTES: u64 = 0x7fff_ffff;

let run: Run = changetype<Run>(0);
export let pprofSamples: u32 = 0;

/** Per stack: | pointer u32 | length u32 | of its location ids. */
let stackPieces: usize = 0;
/** u64 per reached output: the values of the current sample. */
let values: usize = 0;
/** u32 per profile: the reached output + 1 that is first of it; u32 per output: the next one of its profile. */
let firstOutputs: usize = 0;
let nextOutputs: usize = 0;
/** Where in `values` an output's value is. */
let columns: usize = 0;

/** Writes what `reach` found. `timed`: each observation with its time. */
export function writePprofSamples(timed: bool): Run {
  run = newRun();
  pprofSamples = 0;
  encodeLabels();
  renumberStacks();
  const profiles = routeOutputs();
  groupRows(profiles > 1 || isJoined());
  for (let i: u32 = 0; i < groupCount; i++) {
    if (timed) writeTimes(at(groupHeads, i));
    else writeSums(at(groupHeads, i));
  }
  run.finish();
  return run;
}

/** Finds the outputs of each profile; returns how many profiles have any. */
function routeOutputs(): u32 {
  values = scratch((<u64>reachedOutputs) << 3);
  firstOutputs = zeroed(profileCount);
  nextOutputs = zeroed(outputCount);
  columns = zeroed(outputCount);
  let profiles: u32 = 0;
  let column = reachedOutputs;
  for (let i = outputCount; i > 0; ) {
    i--;
    if (!isReached(i)) continue;
    const profile = load<u32>(outputAt(i), OutputRow.PROFILE);
    if (!marked(firstOutputs, profile)) profiles++;
    put(nextOutputs, i, at(firstOutputs, profile));
    put(firstOutputs, profile, i + 1);
    column--;
    put(columns, i, column);
  }
  return profiles;
}

/** Whether an output has the samples of several rows of the store. */
function isJoined(): bool {
  for (let i: u32 = 0; i < outputCount; i++) {
    if ((load<u32>(outputAt(i), OutputRow.FLAGS) & WritePlan.OUTPUT_JOINED) !== 0) return true;
  }
  return false;
}

function renumberStacks(): void {
  stackPieces = zeroed(stacks.count << 1);
  let room: u64 = 0;
  for (let i: u32 = 1; i < stacks.count; i++) if (marked(stackMap, i) && !keepsBytes(i)) room += stacks.size(i);
  // No index grows by leaving rows out, so neither does a stack; in another order a byte may become a varint of five.
  let p = scratch(byUse ? 5 * room : room);
  for (let i: u32 = 1; i < stacks.count; i++) {
    if (!marked(stackMap, i)) continue;
    const piece = stackPieces + <usize>i * Slice.BYTES;
    if (keepsBytes(i)) {
      setSlice(piece, stacks.pointer(i), stacks.size(i));
      continue;
    }
    const end = renumber(i, p);
    setSlice(piece, p, <u32>(end - p));
    p = end;
  }
}

/** The stack's bytes are its location ids. pprof has no location 0; its byte occurs in no other varint. */
function keepsBytes(stack: u32): bool {
  if (!sameLocations) return false;
  const p = stacks.pointer(stack);
  for (let o: u32 = 0; o < stacks.size(stack); o++) if (load<u8>(p + o) === 0) return false;
  return true;
}

function renumber(stack: u32, p: usize): usize {
  let from = stacks.pointer(stack);
  const end = from + stacks.size(stack);
  while (from < end) {
    const id = at(locationMap, takeVarint(from));
    from = next;
    if (id !== 0) p = putVarint(p, id);
  }
  return p;
}

/** One sample with the sums of all rows of the group. */
function writeSums(head: u32): void {
  memory.fill(values, 0, (<usize>reachedOutputs) << 3);
  for (let row = head; row !== 0; row = nextInGroup(row)) {
    const p = maskedAt(row);
    for (let i = firstOutput(p); i !== 0; i = at(nextOutputs, i - 1)) {
      const output = outputAt(i - 1);
      addValue(
        i - 1,
        sumFrom(load<u32>(output, OutputRow.MEASURE), row, p) * load<u64>(output, OutputRow.SCALE) * factorOf(p),
      );
    }
  }
  writeSample(head, 0, false);
}

/** Output + 1 that is the first of the profile of the sample at `p`. */
function firstOutput(p: usize): u32 {
  return at(firstOutputs, writtenProfile(load<u32>(p, SampleRow.EVENT)));
}

function addValue(output: u32, v: u64): void {
  const value = values + ((<usize>at(columns, output)) << 3);
  store<u64>(value, load<u64>(value) + v);
}

/** A sample for each time, in the order of times; rows that share a time share the sample. */
function writeTimes(head: u32): void {
  beginTimes();
  for (let row = head; row !== 0; row = nextInGroup(row)) {
    const end = observationsEnd(row);
    for (let q = observationsStart(row); q < end; q += 4) noteTime(row, <usize>load<u32>(q));
  }
  sortTimes();
  let i: u32 = 0;
  while (i < timeCount) {
    const time = load<u64>(timedObservation(i), ObservationRow.TIME);
    const first = timedRow(i);
    memory.fill(values, 0, (<usize>reachedOutputs) << 3);
    while (true) {
      addObservation(timedRow(i), timedObservation(i));
      i++;
      // Twice in one row is twice observed.
      if (i === timeCount || timedRow(i) === timedRow(i - 1)) break;
      if (load<u64>(timedObservation(i), ObservationRow.TIME) !== time) break;
    }
    writeSample(
      first,
      time,
      load<u32>(eventAt(load<u32>(maskedAt(first), SampleRow.EVENT)), ProfileRow.EVENT_SHAPE) !== <u32>Shape.Values,
    );
  }
}

function addObservation(row: u32, observation: usize): void {
  for (let i = firstOutput(maskedAt(row)); i !== 0; i = at(nextOutputs, i - 1)) {
    const output = outputAt(i - 1);
    setLayer(output);
    addValue(i - 1, valueAt(observation, load<u32>(output, OutputRow.MEASURE) === <u32>Measure.Second));
  }
}

/** A sample with the identity of `row` and the values in `values`. */
function writeSample(row: u32, time: u64, hasTime: bool): void {
  const p = maskedAt(row);
  const event = load<u32>(p, SampleRow.EVENT);
  const stack = load<u32>(p, SampleRow.STACK);
  const thread = load<u32>(p, SampleRow.THREAD);
  const link = load<u32>(p, SampleRow.LINK);
  const set = load<u32>(p, SampleRow.SET);
  const root: u32 = rootSets === 0 ? 0 : at(rootSets, link);
  const labels = memory.data(128);
  let labelsEnd: usize = link === 0 ? labels : putLinkLabels(labels, link);
  if (hasTime) labelsEnd = putTimeLabel(labelsEnd, time);

  let valueBytes: u32 = 0;
  const end = values + ((<usize>reachedOutputs) << 3);
  for (let q = values; q < end; q += 8) valueBytes += varintSize(load<u64>(q));
  const stackBytes = pieceSize(stackPieces, stack);
  const shared =
    <u64>pieceSize(eventPieces, event) +
    pieceSize(threadPieces, thread) +
    pieceSize(setPieces, set) +
    pieceSize(setPieces, root);
  const lists = (stackBytes === 0 ? 0 : listSize(stackBytes)) + listSize(valueBytes);
  const size = lists + shared + <u64>(labelsEnd - labels);

  let q = run.need(size > MAX_BYTES ? u64.MAX_VALUE >> 1 : size + 6 + LINK_ROOM);
  q = putHeader(q, 0x12, size);
  if (stackBytes !== 0) q = copy(putHeader(q, 0x0a, stackBytes), stackPieces, stack);
  q = putHeader(q, 0x12, valueBytes);
  for (let v = values; v < end; v += 8) q = putVarint(q, load<u64>(v));
  memory.copy(q, labels, labelsEnd - labels);
  q += labelsEnd - labels;
  q = copy(q, eventPieces, event);
  q = copy(q, threadPieces, thread);
  q = copy(q, setPieces, set);
  run.at = copy(q, setPieces, root);
  pprofSamples++;
}

function listSize(bytes: u32): u64 {
  return 1 + <u64>varintSize(bytes) + bytes;
}

function copy(q: usize, pieces: usize, row: u32): usize {
  const n = pieceSize(pieces, row);
  memory.copy(q, pieceAt(pieces, row), n);
  return q + n;
}
