/**
 * Samples as protobuf, in one pass over the observations. Sample rows are numbered by their first observation, so a row is
 * laid out (header, attributes, room for its values and timestamps) when an observation first names it, and each
 * observation then goes to its row's two cursors: a sample seen once is written while its bytes are in the cache.
 *
 *   Sample  08 stack · 12 n attributes … · 18 link · 22 n values … · 2a n timestamps …          fields 1 to 5
 *
 * Attributes are joined from pieces that are encoded once: the event's, the thread's, the link's lone id, the set's and
 * that of the link's root.
 *
 *   piece   | length u32 | up to 12 bytes |
 */
import { EVENT_PROFILE, eventAt, eventCount, profileCount } from "../store/profiles";
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
  SAMPLE_LINK,
  SAMPLE_SET,
  SAMPLE_STACK,
  SAMPLE_SUM,
  SAMPLE_THREAD,
  sampleCount,
  sampleRows,
  secondBlock,
} from "../store/samples";
import { sets, THREAD_ID, THREAD_NAME, threads } from "../store/tables";
import { at } from "./columns";
import { newRun, Run, scratch, zeroed } from "./output";
import { eventAttributes, linkAttributes, profileTypes } from "./own";
import {
  attributeMap,
  eventMarks,
  linkMap,
  profileSamples,
  repeated,
  rootSets,
  second,
  secondStored,
  selected,
  setMarks,
  stackMap,
  threadMarks,
  valueAt,
} from "./reach";
import { fieldSize, putShort, putVarint, varintSize } from "./wire";

const PIECE: usize = 16;
/** Of one run; no valid message is larger. */
const MAX_BYTES: u64 = 0x7fff_ffff;

let selection: usize = 0;
/** The second measure is written, and has values of its own. */
let stored: bool = false;
/** Per profile and per event row, the run of its profile. */
let runs: usize = 0;
let eventRuns: usize = 0;
/** Per sample: where its next value and its next timestamp go, 0 when it is not selected; before that, bytes of values. */
let cursors: usize = 0;
let eventPieces: usize = 0;
let threadPieces: usize = 0;
/** Per set: | pointer u32 | length u32 |. */
let setPieces: usize = 0;

/** The samples of profile `i`, each a complete `samples` field. */
export function samplesOf(i: u32): Run {
  return changetype<Run>(<usize>at(runs, i));
}

/** Writes what `reach` found for the same mask. */
export function writeSamples(mask: usize): void {
  selection = mask;
  runs = zeroed(profileCount);
  eventRuns = zeroed(eventCount);
  for (let i: u32 = 0; i < profileCount; i++) {
    if (at(profileSamples, i) !== 0) store<u32>(runs + ((<usize>i) << 2), <u32>changetype<usize>(newRun()));
  }
  encodePieces();
  cursors = scratch((<u64>sampleCount) << 3);
  stored = second && secondStored();
  if (repeated || second) sumValueSizes();
  scatter();
  for (let i: u32 = 0; i < profileCount; i++) if (at(runs, i) !== 0) samplesOf(i).finish();
}

function encodePieces(): void {
  eventPieces = scratch(<u64>eventCount * PIECE);
  for (let i: u32 = 0; i < eventCount; i++) {
    if (at(eventMarks, i) === 0) continue;
    const profile = load<u32>(eventAt(i), EVENT_PROFILE);
    store<u32>(eventRuns + ((<usize>i) << 2), at(runs, profile));
    encodePiece(eventPieces + <usize>i * PIECE, at(profileTypes, profile), at(eventAttributes, i));
  }
  threadPieces = scratch(<u64>threads.count * PIECE);
  encodePiece(threadPieces, 0, 0);
  for (let i: u32 = 1; i < threads.count; i++) {
    if (at(threadMarks, i) === 0) continue;
    encodePiece(threadPieces + <usize>i * PIECE, threads.get(i, THREAD_NAME), threads.get(i, THREAD_ID));
  }
  encodeSets();
}

function encodePiece(piece: usize, a: u32, b: u32): void {
  const start = piece + 4;
  let p = start;
  if (a !== 0) p = putVarint(p, at(attributeMap, a));
  if (b !== 0) p = putVarint(p, at(attributeMap, b));
  store<u32>(piece, <u32>(p - start));
}

function encodeSets(): void {
  setPieces = zeroed(sets.count << 1);
  let room: u64 = 0;
  for (let i: u32 = 1; i < sets.count; i++) if (at(setMarks, i) !== 0) room += sets.size(i);
  // Four bytes of an index become at most five; 16 more, for pieces are read 16 bytes at a time.
  let p = scratch(room + (room >> 2) + 16);
  for (let i: u32 = 0; i < sets.count; i++) {
    const piece = setPieces + ((<usize>i) << 3);
    store<u32>(piece, <u32>p);
    if (i === 0 || at(setMarks, i) === 0) continue;
    const from = sets.pointer(i);
    for (let o: u32 = 0; o < sets.size(i); o += 4) p = putVarint(p, at(attributeMap, load<u32>(from + o)));
    store<u32>(piece, <u32>p - load<u32>(piece), 4);
  }
}

/** Bytes of all values of each sample. Counted for every sample: a branch for the selected ones costs more. */
function sumValueSizes(): void {
  const sizes = cursors;
  memory.fill(sizes, 0, (<usize>sampleCount) << 3);
  let left = observationCount;
  for (let b: u32 = 0; left !== 0; b++) {
    const n = min<u32>(left, BLOCK_ROWS);
    left -= n;
    const first = observationBlock(b);
    const seconds = secondBlock(b);
    let p = first;
    for (const end = p + <usize>n * OBSERVATION_BYTES; p < end; p += OBSERVATION_BYTES) {
      const size = sizes + ((<usize>load<u32>(p, OBSERVATION_SAMPLE)) << 3);
      const value = second
        ? valueAt(p, (p - first) / OBSERVATION_BYTES, seconds, stored)
        : load<u64>(p, OBSERVATION_VALUE);
      store<u32>(size, load<u32>(size) + varintSize(value));
    }
  }
}

function scatter(): void {
  const column = cursors;
  let placed: u32 = 0;
  let left = observationCount;
  for (let b: u32 = 0; left !== 0; b++) {
    const n = min<u32>(left, BLOCK_ROWS);
    left -= n;
    const first = observationBlock(b);
    const seconds = secondBlock(b);
    let p = first;
    for (const end = p + <usize>n * OBSERVATION_BYTES; p < end; p += OBSERVATION_BYTES) {
      const sample = load<u32>(p, OBSERVATION_SAMPLE);
      while (placed < sample) {
        placed++;
        place(placed);
      }
      const cursor = column + ((<usize>sample) << 3);
      const values = <usize>load<u32>(cursor);
      if (values === 0) continue;
      const times = <usize>load<u32>(cursor, 4);
      const value = second
        ? valueAt(p, (p - first) / OBSERVATION_BYTES, seconds, stored)
        : load<u64>(p, OBSERVATION_VALUE);
      if (value < 0x80) {
        store<u8>(values, <u8>value);
        store<u32>(cursor, <u32>values + 1);
      } else {
        store<u32>(cursor, <u32>putVarint(values, value));
      }
      store<u64>(times, load<u64>(p, OBSERVATION_TIME));
      store<u32>(cursor, <u32>(times + 8), 4);
    }
  }
}

/** Lays out sample `row`. */
function place(row: u32): void {
  const p = sampleRows + <usize>row * SAMPLE_BYTES;
  const cursor = cursors + ((<usize>row) << 3);
  if (!selected(selection, row, p)) {
    store<u64>(cursor, 0);
    return;
  }
  const count = load<u32>(p, SAMPLE_COUNT);
  const event = load<u32>(p, SAMPLE_EVENT);
  const link = load<u32>(p, SAMPLE_LINK);
  const stackIndex = at(stackMap, load<u32>(p, SAMPLE_STACK));
  const linkIndex = at(linkMap, link);
  // A Link and a lone id exclude each other: mostly this saves two loads far apart.
  const lone: u32 = linkIndex !== 0 ? 0 : at(attributeMap, at(linkAttributes, link));

  const eventPiece = eventPieces + <usize>event * PIECE;
  const threadPiece = threadPieces + <usize>load<u32>(p, SAMPLE_THREAD) * PIECE;
  const setPiece = setPieces + ((<usize>load<u32>(p, SAMPLE_SET)) << 3);
  const eventSize = load<u32>(eventPiece);
  const threadSize = load<u32>(threadPiece);
  const setSize = load<u32>(setPiece, 4);
  const rootPiece = rootSets === 0 ? setPieces : setPieces + ((<usize>at(rootSets, link)) << 3);
  const rootSize = load<u32>(rootPiece, 4);
  const attributes = eventSize + threadSize + setSize + rootSize + (lone !== 0 ? varintSize(lone) : 0);
  // One observation: its value is the sum.
  const values = count === 1 && !second ? varintSize(load<u64>(p, SAMPLE_SUM)) : load<u32>(cursor);
  const times = (<u64>count) << 3;

  const fixed = fieldSize(stackIndex) + fieldSize(linkIndex) + varintSize(attributes) + varintSize(values);
  const size = <u64>(3 + fixed + varintSize(times)) + <u64>attributes + <u64>values + times;
  const run = changetype<Run>(<usize>at(eventRuns, event));
  let q = run.need(size > MAX_BYTES ? u64.MAX_VALUE >> 1 : size + 6);

  store<u8>(q, 0x12);
  q = putLength(q + 1, <u32>size);
  run.at = q + <usize>size;
  if (stackIndex !== 0) {
    store<u8>(q, 0x08);
    q = putShort(q + 1, stackIndex);
  }
  store<u8>(q, 0x12);
  q = putLength(q + 1, attributes);
  v128.store(q, v128.load(eventPiece, 4));
  q += eventSize;
  v128.store(q, v128.load(threadPiece, 4));
  q += threadSize;
  if (lone !== 0) q = putShort(q, lone);
  const set = <usize>load<u32>(setPiece);
  if (setSize <= 16) v128.store(q, v128.load(set));
  else memory.copy(q, set, setSize);
  q += setSize;
  if (rootSize !== 0) memory.copy(q, <usize>load<u32>(rootPiece), rootSize);
  q += rootSize;
  if (linkIndex !== 0) {
    store<u8>(q, 0x18);
    q = putShort(q + 1, linkIndex);
  }
  store<u8>(q, 0x22);
  q = putLength(q + 1, values);
  store<u32>(cursor, <u32>q);
  q += values;
  store<u8>(q, 0x2a);
  q = putLength(q + 1, <u32>times);
  store<u32>(cursor, <u32>q, 4);
}

/** Lengths are nearly always one byte: a branch that predicts well is cheaper here than none. */
function putLength(p: usize, v: u32): usize {
  if (v >= 0x80) return putVarint(p, v);
  store<u8>(p, <u8>v);
  return p + 1;
}
