/**
 * Samples as OTLP means them: one row per identity, with its observations beside it.
 *
 *   sample       | event u32 | stack | link | thread | set | count | sum i64 |          32 bytes, row 0 unused
 *   observation  | sample u32 | time i64 (ns since 1970) | value i64 |                  20 bytes, in reading order
 *   second       sum i64 per sample, value i64 per observation, in blocks like these; where none is stored all are 0
 *
 * A link's first sample is found through `firstOfLink`, every other one by hashing its identity: in a trace with a
 * sample or two per span, which is most of them, the hash table is then hardly touched.
 *
 * A sample's event, stack, link, thread and set are its identity; `count` and `sum` run over its observations, so every
 * question that does not ask for time is answered from the samples alone. Observations stand in blocks that never move.
 */
import { alloc, regrow } from "../memory/arena";
import { finish, product } from "../memory/hash";
import { Slots } from "../memory/slots";
import { hashLink, internHashedLink, links } from "./tables";

export const SAMPLE_BYTES: usize = 32;
export const SAMPLE_EVENT: usize = 0;
export const SAMPLE_STACK: usize = 4;
export const SAMPLE_LINK: usize = 8;
export const SAMPLE_THREAD: usize = 12;
export const SAMPLE_SET: usize = 16;
export const SAMPLE_COUNT: usize = 20;
export const SAMPLE_SUM: usize = 24;

export const OBSERVATION_BYTES: usize = 20;
export const OBSERVATION_SAMPLE: usize = 0;
export const OBSERVATION_TIME: usize = 4;
export const OBSERVATION_VALUE: usize = 12;

/** Observations per block: as many as fit into 1 MiB. */
export const BLOCK_ROWS: u32 = (1 << 20) / 20;

/** Samples: rows 1 … sampleCount − 1. */
export let sampleRows: usize = 0;
export let sampleCount: u32 = 0;
let sampleCapacity: u32 = 0;
let slots: Slots = changetype<Slots>(0);
/** u32 per link: its first sample, 0 while it has none. */
let firstOfLink: usize = 0;
let linkCapacity: u32 = 0;

export let observationCount: u32 = 0;
/** u32 pointers, one per block of BLOCK_ROWS observations. */
let blocks: usize = 0;
let blockCount: u32 = 0;
let blockCapacity: u32 = 0;
let next: usize = 0;
let nextEnd: usize = 0;

/** i64 per sample row: sums of second values; 0 until there is one. Grown on its own, so covering `secondRows` rows. */
let secondSums: usize = 0;
let secondRows: u32 = 0;
/** u32 pointers like `blocks`, 0 for a block without second values; 0 until there is one. */
let secondBlocks: usize = 0;
let secondCapacity: u32 = 0;

/** Times of the observations, as unsigned ns; earliest is above latest while there is none. */
export let earliest: u64 = 0;
export let latest: u64 = 0;

export function resetSamples(): void {
  sampleCapacity = 1 << 12;
  sampleRows = alloc(<usize>sampleCapacity * SAMPLE_BYTES);
  memory.fill(sampleRows, 0, SAMPLE_BYTES);
  sampleCount = 1;
  slots = changetype<Slots>(alloc(offsetof<Slots>()));
  slots.init(sampleCapacity);
  linkCapacity = 1 << 12;
  firstOfLink = alloc((<usize>linkCapacity) << 2);
  memory.fill(firstOfLink, 0, (<usize>linkCapacity) << 2);
  stagedCount = 0;
  observationCount = 0;
  blockCapacity = 256;
  blocks = alloc((<usize>blockCapacity) << 2);
  blockCount = 0;
  next = 0;
  nextEnd = 0;
  secondSums = 0;
  secondRows = 0;
  secondBlocks = 0;
  secondCapacity = 0;
  earliest = u64.MAX_VALUE;
  latest = 0;
}

/** Pointer to sample `i`; moves when a sample is added. */
export function sampleAt(i: u32): usize {
  return sampleRows + <usize>i * SAMPLE_BYTES;
}

/** Pointer to the first observation of block `b`; the last block ends at observationCount. */
export function observationBlock(b: u32): usize {
  return <usize>load<u32>(blocks + ((<usize>b) << 2));
}

function addBlock(): void {
  if (blockCount === blockCapacity) {
    const bytes = (<usize>blockCapacity) << 2;
    blocks = regrow(blocks, bytes, bytes, bytes << 1);
    blockCapacity <<= 1;
  }
  next = alloc(<usize>BLOCK_ROWS * OBSERVATION_BYTES);
  nextEnd = next + <usize>BLOCK_ROWS * OBSERVATION_BYTES;
  store<u32>(blocks + ((<usize>blockCount) << 2), <u32>next);
  blockCount++;
}

function addSample(event: u32, stack: u32, link: u32, thread: u32, set: u32): u32 {
  if (sampleCount === sampleCapacity) {
    const bytes = <usize>sampleCapacity * SAMPLE_BYTES;
    sampleRows = regrow(sampleRows, bytes, bytes, bytes << 1);
    sampleCapacity <<= 1;
  }
  const row = sampleCount++;
  const p = sampleAt(row);
  store<u32>(p, event, SAMPLE_EVENT);
  store<u32>(p, stack, SAMPLE_STACK);
  store<u32>(p, link, SAMPLE_LINK);
  store<u32>(p, thread, SAMPLE_THREAD);
  store<u32>(p, set, SAMPLE_SET);
  store<u32>(p, 0, SAMPLE_COUNT);
  store<i64>(p, 0, SAMPLE_SUM);
  return row;
}

function growLinks(link: u32): void {
  const bytes = (<usize>linkCapacity) << 2;
  let capacity = linkCapacity;
  while (capacity <= link) capacity <<= 1;
  firstOfLink = regrow(firstOfLink, bytes, bytes, (<usize>capacity) << 2);
  memory.fill(firstOfLink + bytes, 0, ((<usize>capacity) << 2) - bytes);
  linkCapacity = capacity;
}

function isSample(row: u32, event: u32, stack: u32, link: u32, thread: u32, set: u32): bool {
  const p = sampleAt(row);
  return (
    load<u32>(p, SAMPLE_STACK) === stack &&
    load<u32>(p, SAMPLE_LINK) === link &&
    load<u32>(p, SAMPLE_THREAD) === thread &&
    load<u32>(p, SAMPLE_SET) === set &&
    load<u32>(p, SAMPLE_EVENT) === event
  );
}

function hashOf(event: u32, stack: u32, link: u32, thread: u32, set: u32): u32 {
  return finish(
    product(0, ((<u64>event) << 32) | stack) + product(1, ((<u64>link) << 32) | thread) + product(2, <u64>set),
  );
}

function hashedSample(event: u32, stack: u32, link: u32, thread: u32, set: u32, hash: u32): u32 {
  let i = hash & slots.mask;
  while (true) {
    const slot = load<u64>(slots.at + ((<usize>i) << 3));
    const row = <u32>slot;
    if (row === 0) break;
    if (<u32>(slot >> 32) === hash && isSample(row, event, stack, link, thread, set)) return row;
    i = (i + 1) & slots.mask;
  }
  slots.need();
  const row = addSample(event, stack, link, thread, set);
  slots.insert(row, hash);
  return row;
}

function sampleOf(event: u32, stack: u32, link: u32, thread: u32, set: u32, hash: u32): u32 {
  if (link === 0) return hashedSample(event, stack, link, thread, set, hash);
  if (link >= linkCapacity) growLinks(link);
  const first = firstOfLink + ((<usize>link) << 2);
  const known = load<u32>(first);
  if (known === 0) {
    const row = addSample(event, stack, link, thread, set);
    store<u32>(first, row);
    return row;
  }
  if (isSample(known, event, stack, link, thread, set)) return known;
  return hashedSample(event, stack, link, thread, set, hash);
}

/**
 * Adds one observation to the sample of this identity. `time` is ns since 1970, `value` in the profile's unit, `second` in
 * that of its second measure, 0 where that is not stored.
 */
export function observe(
  event: u32,
  stack: u32,
  link: u32,
  thread: u32,
  set: u32,
  time: i64,
  value: i64,
  second: i64,
): void {
  append(rowOf(event, stack, link, thread, set), time, value, second);
}

/** The sample of this identity, added when new. */
export function rowOf(event: u32, stack: u32, link: u32, thread: u32, set: u32): u32 {
  return sampleOf(event, stack, link, thread, set, hashOf(event, stack, link, thread, set));
}

/** Adds an observation to sample `row`. */
export function append(row: u32, time: i64, value: i64, second: i64): void {
  keep(row, time, value, second);
  if (<u64>time < earliest) earliest = <u64>time;
  if (<u64>time > latest) latest = <u64>time;
}

/** Adds one that nobody timed: its time is 0, which is not among earliest and latest. */
export function appendTimeless(row: u32, value: i64): void {
  keep(row, 0, value, 0);
}

function keep(row: u32, time: i64, value: i64, second: i64): void {
  // Whatever needs memory comes first: an observation is taken in whole or not at all.
  if (next === nextEnd) addBlock();
  if (second !== 0) keepSecond(row, second);
  const p = sampleAt(row);
  store<u32>(p, load<u32>(p, SAMPLE_COUNT) + 1, SAMPLE_COUNT);
  store<i64>(p, load<i64>(p, SAMPLE_SUM) + value, SAMPLE_SUM);

  store<u32>(next, row, OBSERVATION_SAMPLE);
  store<i64>(next, time, OBSERVATION_TIME);
  store<i64>(next, value, OBSERVATION_VALUE);
  next += OBSERVATION_BYTES;
  observationCount++;
}

/** Second value of the observation that comes next. */
function keepSecond(row: u32, second: i64): void {
  if (row >= secondRows) {
    const bytes = (<usize>secondRows) << 3;
    const rows = max<u32>(sampleCapacity, row + 1);
    secondSums = regrow(secondSums, bytes, bytes, (<usize>rows) << 3);
    memory.fill(secondSums + bytes, 0, ((<usize>rows) << 3) - bytes);
    secondRows = rows;
  }
  const b = observationCount / BLOCK_ROWS;
  if (b >= secondCapacity) {
    const bytes = (<usize>secondCapacity) << 2;
    const capacity = max<u32>(256, max<u32>(secondCapacity << 1, b + 1));
    secondBlocks = regrow(secondBlocks, bytes, bytes, (<usize>capacity) << 2);
    memory.fill(secondBlocks + bytes, 0, ((<usize>capacity) << 2) - bytes);
    secondCapacity = capacity;
  }
  const slot = secondBlocks + ((<usize>b) << 2);
  if (load<u32>(slot) === 0) {
    const block = alloc((<usize>BLOCK_ROWS) << 3);
    memory.fill(block, 0, (<usize>BLOCK_ROWS) << 3);
    store<u32>(slot, <u32>block);
  }
  addSecond(row, second);
  store<i64>(<usize>load<u32>(slot) + ((<usize>(observationCount % BLOCK_ROWS)) << 3), second);
}

/** Sum of the second values of sample `row`. */
export function secondSum(row: u32): i64 {
  return row < secondRows ? load<i64>(secondSums + ((<usize>row) << 3)) : 0;
}

/** Changes that sum for a sample that has one. */
export function addSecond(row: u32, value: i64): void {
  const sum = secondSums + ((<usize>row) << 3);
  store<i64>(sum, load<i64>(sum) + value);
}

/** Pointer to the second values of block `b`, i64 each; 0 where all are 0. */
export function secondBlock(b: u32): usize {
  return b < secondCapacity ? <usize>load<u32>(secondBlocks + ((<usize>b) << 2)) : 0;
}

/**
 * Observations on their way in, read before their link and sample are looked up. Both tables outgrow the caches, and a
 * lookup that waits for memory costs more than decoding an event; in groups the waits overlap (docs/performance.md).
 *
 *   | event u32 | stack | thread | set | root u64 | span u64 | time i64 | value i64 | link or its hash | sample hash | second i64 |
 *                                                                                        64 bytes
 */
export const STAGED_BYTES: usize = 64;
const STAGED: u32 = 64;
const staged: usize = memory.data(64 * 64, 8);
let stagedCount: u32 = 0;
/** Where touched slots go, so that the loads are not optimised away. */
let sink: u32 = 0;

/** Adds one observation that carries a local root and a span id (0 = none). It counts from the next `settle` on. */
export function stage(
  event: u32,
  stack: u32,
  root: u64,
  span: u64,
  thread: u32,
  set: u32,
  time: i64,
  value: i64,
  second: i64,
): void {
  fillStaged(staged + <usize>stagedCount * STAGED_BYTES, event, stack, root, span, thread, set, time, value, second);
  stagedCount++;
  if (stagedCount === STAGED) settle();
}

/** Writes the arguments of `stage` as one row of STAGED_BYTES at `p`. */
export function fillStaged(
  p: usize,
  event: u32,
  stack: u32,
  root: u64,
  span: u64,
  thread: u32,
  set: u32,
  time: i64,
  value: i64,
  second: i64,
): void {
  store<u32>(p, event);
  store<u32>(p, stack, 4);
  store<u32>(p, thread, 8);
  store<u32>(p, set, 12);
  store<u64>(p, root, 16);
  store<u64>(p, span, 24);
  store<i64>(p, time, 32);
  store<i64>(p, value, 40);
  store<i64>(p, second, 56);
}

/** Forgets what is staged: memory ran out while it was taken in, or before. */
export function dropStaged(): void {
  stagedCount = 0;
}

/** Stages a row that `fillStaged` wrote. */
export function stageRow(p: usize): void {
  memory.copy(staged + <usize>stagedCount * STAGED_BYTES, p, STAGED_BYTES);
  stagedCount++;
  if (stagedCount === STAGED) settle();
}

/**
 * Takes in what is staged: the slots of all links are fetched, then the links and the slots of all samples, then the
 * sample rows, and only then anything waits for what it fetched.
 */
export function settle(): void {
  const end = staged + <usize>stagedCount * STAGED_BYTES;
  let touched = sink;
  for (let p = staged; p < end; p += STAGED_BYTES) {
    if ((load<u64>(p, 16) | load<u64>(p, 24)) === 0) continue;
    const hash = hashLink(0, load<u64>(p, 16), load<u64>(p, 24));
    store<u32>(p, hash, 48);
    touched += links.touch(hash);
  }
  for (let p = staged; p < end; p += STAGED_BYTES) {
    let link: u32 = 0;
    if ((load<u64>(p, 16) | load<u64>(p, 24)) !== 0) {
      link = internHashedLink(0, load<u64>(p, 16), load<u64>(p, 24), load<u32>(p, 48));
      if (link >= linkCapacity) growLinks(link);
    }
    const hash = hashOf(load<u32>(p), load<u32>(p, 4), link, load<u32>(p, 8), load<u32>(p, 12));
    store<u32>(p, link, 48);
    store<u32>(p, hash, 52);
    const first = load<u32>(firstOfLink + ((<usize>link) << 2));
    if (first !== 0) touched += load<u32>(sampleAt(first));
    if (first !== 0 || link === 0) touched += slots.touch(hash);
  }
  for (let p = staged; p < end; p += STAGED_BYTES) touched += load<u32>(sampleAt(slots.likely(load<u32>(p, 52))));
  sink = touched;
  for (let p = staged; p < end; p += STAGED_BYTES) {
    const row = sampleOf(
      load<u32>(p),
      load<u32>(p, 4),
      load<u32>(p, 48),
      load<u32>(p, 8),
      load<u32>(p, 12),
      load<u32>(p, 52),
    );
    append(row, load<i64>(p, 32), load<i64>(p, 40), load<i64>(p, 56));
  }
  stagedCount = 0;
}
