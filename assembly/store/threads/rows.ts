/**
 * A thread is its id in a process. Where it was renamed, the table has several rows with its id: its samples move to
 * the row of its last name.
 */

import { Buffer, ownBuffer } from "../../memory/buffer";
import { beginBlocks, blockEnd, blockFirst, blockStart, nextBlock } from "../observations";
import * as ObservationRow from "../rows/observation-row";
import * as SampleRow from "../rows/sample-row";
import * as ThreadRow from "../rows/thread-row";
import { moveObservation, observationCount, ownFrom, sampleAt, sampleCount } from "../samples";
import { strings, ThreadKind, threads } from "../tables";
import { clearByAttribute, nameOf, threadTime } from "./labels";

/** u32 by row: the row of the thread, 0 for a row without samples. */
const rowsOf: Buffer = ownBuffer(64);

function rowOf(row: u32): u32 {
  return load<u32>(rowsOf.at + ((<usize>row) << 2));
}

/** The rows of the samples from `first` on, each its own. */
function findRows(first: u32): void {
  const bytes = threads.count << 2;
  rowsOf.size = 0;
  memory.fill(rowsOf.need(bytes), 0, bytes);
  for (let s = first; s < sampleCount; s++) {
    const row = load<u32>(sampleAt(s), SampleRow.THREAD);
    if (load<u32>(sampleAt(s), SampleRow.COUNT) !== 0) store<u32>(rowsOf.at + ((<usize>row) << 2), row);
  }
}

/** Joins the rows of renamed threads of what is read. Messages of several files may be of several processes. */
export function joinThreads(isOneProcess: bool, isOneFile: bool): void {
  let kinds: u32 = ThreadKind.Unknown;
  if (isOneFile) kinds = ThreadKind.Stated;
  else if (isOneProcess) kinds = ThreadKind.System;
  findRows(ownFrom);
  let renamed = false;
  for (let kind: u32 = ThreadKind.Java; kind <= kinds; kind <<= 1) {
    const at = clearByAttribute();
    for (let row: u32 = 1; row < threads.count; row++) {
      if (rowOf(row) === 0 || threads.get(row, ThreadRow.KIND) !== kind) continue;
      const p = at + ((<usize>threads.get(row, ThreadRow.ID)) << 2);
      renamed = renamed || load<u32>(p) !== 0;
      if (load<u32>(p) === 0 || isLater(row, load<u32>(p))) store<u32>(p, row);
    }
    for (let row: u32 = 1; row < threads.count; row++) {
      if (rowOf(row) === 0 || threads.get(row, ThreadRow.KIND) !== kind) continue;
      store<u32>(rowsOf.at + ((<usize>row) << 2), load<u32>(at + ((<usize>threads.get(row, ThreadRow.ID)) << 2)));
    }
  }
  if (renamed) moveSamples();
}

/** Of two names of one time the longer one, or that with the larger bytes: the order of files does not matter. */
function isLater(row: u32, other: u32): bool {
  if (threadTime(row) !== threadTime(other)) return threadTime(row) > threadTime(other);
  const a = nameOf(row);
  const b = nameOf(other);
  if (strings.size(a) !== strings.size(b)) return strings.size(a) > strings.size(b);
  return memory.compare(strings.pointer(a), strings.pointer(b), strings.size(a)) > 0;
}

function moveSamples(): void {
  beginBlocks(0, observationCount);
  while (nextBlock()) {
    let i = blockFirst;
    for (let q = blockStart; q < blockEnd; q += ObservationRow.BYTES, i++) moveObservationAt(q, i);
  }
  // Observations that are only counted.
  for (let s = ownFrom; s < sampleCount; s++) {
    const p = sampleAt(s);
    if (load<u32>(p, SampleRow.COUNT) !== 0) store<u32>(p, rowOf(load<u32>(p, SampleRow.THREAD)), SampleRow.THREAD);
  }
}

function moveObservationAt(q: usize, i: u32): void {
  const s = load<u32>(q, ObservationRow.SAMPLE);
  const p = sampleAt(s);
  const thread = load<u32>(p, SampleRow.THREAD);
  if (s < ownFrom || rowOf(thread) === thread) return;
  const event = load<u32>(p, SampleRow.EVENT);
  const stack = load<u32>(p, SampleRow.STACK);
  moveObservation(i, event, stack, load<u32>(p, SampleRow.LINK), rowOf(thread), load<u32>(p, SampleRow.SET));
}
