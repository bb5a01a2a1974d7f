/**
 * Samples as protobuf, in one pass over the observations. Sample rows are numbered by their first observation, so a row
 * is laid out (header, attributes, room for its values and timestamps) when an observation first names it, and each
 * observation then goes to its row's two cursors: a sample seen once is written while its bytes are in the cache.
 * Outputs with other values of the same observations (plan.ts) need a pass for each layer.
 *
 *   Sample  08 stack · 12 n attributes … · 18 link · 22 n values … · 2a n timestamps …          fields 1 to 5
 *
 * Attributes are joined from pieces that are encoded once: the output's and the event's, the thread's, the link's lone
 * id, the set's and that of the link's root.
 *
 *   piece   | length u32 | up to 12 bytes |
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import * as Slice from "../../abi/slice";
import * as WritePlan from "../../abi/write-plan";
import { setSlice, sliceAt, sliceSize } from "../../memory/slice";
import { blockEnd, blockFirst, blockSeconds, blockStart, nextBlock } from "../../store/observations";
import { eventAt, eventCount, Shape } from "../../store/profiles";
import * as ObservationRow from "../../store/rows/observation-row";
import * as SampleRow from "../../store/rows/sample-row";
import * as ThreadRow from "../../store/rows/thread-row";
import { giveBlockUp, giveSamplesUp, sampleCount } from "../../store/samples";
import { sets, threads } from "../../store/tables";
import { setOf } from "../carried";
import { at, places, put, rowAt } from "../columns";
import { hasLinkTraces } from "../link-traces";
import { beginTaken, isSelected, isTaken, maskedAt, sampleOrder, takesAll } from "../mask";
import { isLast, newRun, Run, scratch, zeroed } from "../output";
import * as OutputRow from "../output-row";
import { layerCount, outputAt, outputCount } from "../plan";
import {
  attributeMap,
  eventMarks,
  isReached,
  linkMap,
  reachedSamples,
  repeated,
  rootSets,
  setMarks,
  stackMap,
  threadMarks,
} from "../reach";
import { listOf } from "../set-lists";
import { observedValue, plain, setBlock, setLayer, sumOf } from "../values";
import { fieldSize, putShort, putVarint, varintSize } from "../wire";
import { eventAttributes, eventLabel, linkAttributes } from "../writer-attributes";

const PIECE_SIZE: usize = 0;
const PIECE_START: usize = 4;
const PIECE: usize = 16;

/** Where the next value and the next timestamp of a sample go. */
const CURSOR_VALUES: usize = 0;
const CURSOR_TIMES: usize = 4;
/** Size limit of a run; no valid message is larger. */
const MAX_BYTES: u64 = 0x7fff_ffff;

/** Marker in place of a cursor to values: the sample has only timestamps. */
const NO_VALUES: usize = 1;

/** Per event row, the run of its output in the current layer (0 if it has no output) and the shape of its samples. */
let eventRuns: usize = 0;
let eventShapes: usize = 0;
/** A sample may have a Link and an attribute for its root. */
let besideTraces: bool = false;
/** Some event of the layer has samples that observations are added to. */
let scattered: bool = false;
/**
 * Per sample: the addresses of its next value and its next timestamp, 0 if it has no such field; before that, bytes of
 * values.
 */
let cursors: usize = 0;
let eventPieces: usize = 0;
let threadPieces: usize = 0;
/** A slice per set. */
let setPieces: usize = 0;

/** The samples of output `i`, which is reached, each a complete `samples` field. */
export function samplesOf(i: u32): Run {
  return changetype<Run>(<usize>load<u32>(outputAt(i), OutputRow.RUN));
}

/** Writes what `reach` found. */
export function writeSamples(): void {
  encodePieces();
  cursors = scratch((<u64>sampleCount) << 3);
  eventPieces = scratch(<u64>eventCount * PIECE);
  eventRuns = scratch((<u64>eventCount) << 2);
  besideTraces = hasLinkTraces();
  eventShapes = scratch((<u64>eventCount) << 2);
  for (let layer: u32 = 0; layer < layerCount; layer++) writeLayer(layer);
  // Of an empty message the host says why, by the samples.
  if (isLast && reachedSamples !== 0) giveSamplesUp();
}

function writeLayer(layer: u32): void {
  memory.fill(eventRuns, 0, (<usize>eventCount) << 2);
  scattered = false;
  let any: bool = false;
  for (let i: u32 = 0; i < outputCount; i++) {
    const output = outputAt(i);
    if (load<u32>(output, OutputRow.LAYER) !== layer || !isReached(i)) continue;
    store<u32>(output, <u32>changetype<usize>(newRun()), OutputRow.RUN);
    setLayer(output);
    routeEvents(i, output);
    any = true;
  }
  if (!any) return;
  if (!scattered) {
    placeAll();
  } else {
    if (repeated || !plain) sumValueSizes();
    if (sampleOrder !== 0) placeInOrder();
    scatter(isLast && layer === layerCount - 1);
  }
  for (let i: u32 = 0; i < outputCount; i++) {
    if (load<u32>(outputAt(i), OutputRow.LAYER) === layer && isReached(i)) samplesOf(i).finish();
  }
}

/** Has the events of an output's profile write to its run. */
function routeEvents(i: u32, output: usize): void {
  const profile = load<u32>(output, OutputRow.PROFILE);
  const aggregated = (load<u32>(output, OutputRow.FLAGS) & WritePlan.OUTPUT_AGGREGATED) !== 0;
  for (let e: u32 = 0; e < eventCount; e++) {
    if (at(eventMarks, e) === 0 || load<u32>(eventAt(e), ProfileRow.EVENT_PROFILE) !== profile) continue;
    const shape = aggregated ? <u32>Shape.Values : load<u32>(eventAt(e), ProfileRow.EVENT_SHAPE);
    if (shape !== <u32>Shape.Values) scattered = true;
    put(eventRuns, e, load<u32>(output, OutputRow.RUN));
    put(eventShapes, e, shape);
    encodePiece(eventPieces + <usize>e * PIECE, eventLabel(i, e), at(eventAttributes, e));
  }
}

function encodePieces(): void {
  threadPieces = scratch(<u64>threads.count * PIECE);
  encodePiece(threadPieces, 0, 0);
  for (let i: u32 = 1; i < threads.count; i++) {
    if (at(threadMarks, i) === 0) continue;
    encodePiece(threadPieces + <usize>i * PIECE, threads.get(i, ThreadRow.NAME), threads.get(i, ThreadRow.ID));
  }
  encodeSets();
}

function encodePiece(piece: usize, a: u32, b: u32): void {
  const start = piece + PIECE_START;
  let p = start;
  if (a !== 0) p = putVarint(p, at(attributeMap, a));
  if (b !== 0) p = putVarint(p, at(attributeMap, b));
  store<u32>(piece, <u32>(p - start), PIECE_SIZE);
}

function encodeSets(): void {
  setPieces = zeroed(sets.count << 1);
  let room: u64 = 0;
  for (let i: u32 = 1; i < sets.count; i++) if (at(setMarks, i) !== 0) room += sets.size(i);
  // Four bytes of an index become at most five; 16 more, because pieces are read 16 bytes at a time.
  let p = scratch(room + (room >> 2) + 16);
  for (let i: u32 = 0; i < sets.count; i++) {
    const piece = setPieces + <usize>i * Slice.BYTES;
    setSlice(piece, p, 0);
    if (i === 0 || at(setMarks, i) === 0) continue;
    const from = listOf(i);
    for (let o: u32 = 0; o < sets.size(i); o += 4) p = putVarint(p, at(attributeMap, load<u32>(from + o)));
    setSlice(piece, sliceAt(piece), <u32>(p - sliceAt(piece)));
  }
}

/** Lays out all samples. */
function placeAll(): void {
  if (sampleOrder !== 0) placeInOrder();
  else for (let row: u32 = 1; row < sampleCount; row++) place(row);
}

/** Lays out the samples in the order of a range. */
function placeInOrder(): void {
  for (let k: u32 = 1; k < places(sampleOrder, sampleCount); k++) place(rowAt(sampleOrder, k));
}

/** Bytes of all values of each sample. Counted for every sample: a branch for the selected ones costs more. */
function sumValueSizes(): void {
  const sizes = cursors;
  const all = takesAll;
  memory.fill(sizes, 0, (<usize>sampleCount) << 3);
  beginTaken();
  while (nextBlock()) {
    setBlock(blockStart, blockSeconds);
    let p = blockStart;
    for (const end = blockEnd; p < end; p += ObservationRow.BYTES) {
      if (!all && !isTaken(p)) continue;
      const size = sizes + ((<usize>load<u32>(p, ObservationRow.SAMPLE)) << 3);
      store<u32>(size, load<u32>(size) + varintSize(observedValue(p)));
    }
  }
}

/** `giveUp`: no later pass needs the observations. */
function scatter(giveUp: bool): void {
  const column = cursors;
  const all = takesAll;
  // Those of a range are placed already.
  let placed: u32 = sampleOrder !== 0 ? sampleCount : 0;
  beginTaken();
  while (nextBlock()) {
    setBlock(blockStart, blockSeconds);
    let p = blockStart;
    for (const end = blockEnd; p < end; p += ObservationRow.BYTES) {
      if (!all && !isTaken(p)) continue;
      const sample = load<u32>(p, ObservationRow.SAMPLE);
      while (placed < sample) {
        placed++;
        place(placed);
      }
      const cursor = column + ((<usize>sample) << 3);
      const values = <usize>load<u32>(cursor, CURSOR_VALUES);
      if (values === 0) continue;
      const times = <usize>load<u32>(cursor, CURSOR_TIMES);
      if (values !== NO_VALUES) {
        const value = observedValue(p);
        if (value < 0x80) {
          store<u8>(values, <u8>value);
          store<u32>(cursor, <u32>values + 1, CURSOR_VALUES);
        } else {
          store<u32>(cursor, <u32>putVarint(values, value), CURSOR_VALUES);
        }
      }
      store<u64>(times, load<u64>(p, ObservationRow.TIME));
      store<u32>(cursor, <u32>(times + 8), CURSOR_TIMES);
    }
    if (giveUp) giveBlockUp(blockFirst / ObservationRow.BLOCK_ROWS);
  }
}

/** Lays out sample `row`. */
function place(row: u32): void {
  const p = maskedAt(row);
  const cursor = cursors + ((<usize>row) << 3);
  const event = load<u32>(p, SampleRow.EVENT);
  const run = changetype<Run>(<usize>at(eventRuns, event));
  if (changetype<usize>(run) === 0 || !isSelected(row, p)) {
    store<u64>(cursor, 0);
    return;
  }
  const count = load<u32>(p, SampleRow.COUNT);
  const link = load<u32>(p, SampleRow.LINK);
  const shape = at(eventShapes, event);
  const stackIndex = at(stackMap, load<u32>(p, SampleRow.STACK));
  const linkIndex = at(linkMap, link);
  // A Link and a lone id exclude each other, unless roots are beside traces: mostly this saves two loads far apart.
  const lone: u32 = linkIndex !== 0 && !besideTraces ? 0 : at(attributeMap, at(linkAttributes, link));

  const eventPiece = eventPieces + <usize>event * PIECE;
  const threadPiece = threadPieces + <usize>load<u32>(p, SampleRow.THREAD) * PIECE;
  const setPiece = setPieces + <usize>setOf(event, load<u32>(p, SampleRow.SET)) * Slice.BYTES;
  const eventSize = load<u32>(eventPiece, PIECE_SIZE);
  const threadSize = load<u32>(threadPiece, PIECE_SIZE);
  const setSize = sliceSize(setPiece);
  const rootPiece = rootSets === 0 ? setPieces : setPieces + <usize>at(rootSets, link) * Slice.BYTES;
  const rootSize = sliceSize(rootPiece);
  const attributes = eventSize + threadSize + setSize + rootSize + (lone !== 0 ? varintSize(lone) : 0);

  const sum: u64 = shape === <u32>Shape.Values ? sumOf(row, p) : 0;
  const values = valuesSize(p, cursor, count, shape, sum);
  const times: u64 = shape === <u32>Shape.Values ? 0 : (<u64>count) << 3;
  const size =
    <u64>(fieldSize(stackIndex) + fieldSize(linkIndex)) + listSize(attributes) + listSize(values) + listSize(times);
  let q = run.need(size > MAX_BYTES ? u64.MAX_VALUE >> 1 : size + 6);

  store<u8>(q, 0x12);
  q = putLength(q + 1, <u32>size);
  run.at = q + <usize>size;
  if (stackIndex !== 0) {
    store<u8>(q, 0x08);
    q = putShort(q + 1, stackIndex);
  }
  if (attributes !== 0) {
    store<u8>(q, 0x12);
    q = putLength(q + 1, attributes);
    v128.store(q, v128.load(eventPiece, PIECE_START));
    q += eventSize;
    v128.store(q, v128.load(threadPiece, PIECE_START));
    q += threadSize;
    if (lone !== 0) q = putShort(q, lone);
    const set = sliceAt(setPiece);
    if (setSize <= 16) v128.store(q, v128.load(set));
    else memory.copy(q, set, setSize);
    q += setSize;
    if (rootSize !== 0) memory.copy(q, sliceAt(rootPiece), rootSize);
    q += rootSize;
  }
  if (linkIndex !== 0) {
    store<u8>(q, 0x18);
    q = putShort(q + 1, linkIndex);
  }
  if (values !== 0) {
    store<u8>(q, 0x22);
    q = putLength(q + 1, values);
  }
  if (times === 0) {
    putVarint(q, sum);
    store<u64>(cursor, 0);
    return;
  }
  store<u32>(cursor, <u32>(values !== 0 ? q : NO_VALUES), CURSOR_VALUES);
  q += values;
  store<u8>(q, 0x2a);
  q = putLength(q + 1, <u32>times);
  store<u32>(cursor, <u32>q, CURSOR_TIMES);
}

/** Bytes of the values of the sample at `p`; `cursor` has those of its observations where they were summed up. */
function valuesSize(p: usize, cursor: usize, count: u32, shape: u32, sum: u64): u32 {
  if (shape === <u32>Shape.Times) return 0;
  if (shape === <u32>Shape.Values) return varintSize(sum);
  // One observation: its value is the sum.
  return count === 1 && plain ? varintSize(load<u64>(p, SampleRow.SUM)) : load<u32>(cursor);
}

/** Size of a packed field, which is left out when it is empty. */
function listSize(bytes: u64): u64 {
  return bytes === 0 ? 0 : 1 + <u64>varintSize(bytes) + bytes;
}

/** Lengths are nearly always one byte: a well predicted branch is cheaper here than branch-free code. */
function putLength(p: usize, v: u32): usize {
  if (v >= 0x80) return putVarint(p, v);
  store<u8>(p, <u8>v);
  return p + 1;
}
