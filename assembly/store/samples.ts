/**
 * Samples as OTLP means them: one row per identity, with its observations beside it.
 *
 *   sample       | event u32 | stack | link | thread | set | count | sum i64 |          32 bytes, row 0 unused
 *   observation  | sample u32 | time i64 (ns since 1970) | value i64 |                  20 bytes, in reading order
 *   second       second values are apart (seconds.ts)
 *
 * A link's first sample is found through `firstOfLink`, every other one by hashing its identity: in a trace with a
 * sample or two per span, which is most of them, the hash table is then hardly touched.
 *
 * A sample's event, stack, link, thread and set are its identity; `count` and `sum` run over its observations, so every
 * request without a time range is answered from the samples alone. Observations are in blocks that never move.
 */

import { alloc, growth, regrow, release } from "../memory/arena";
import { giveRun } from "../memory/free-blocks";
import { onReset } from "../memory/resets";
import { Slots } from "../memory/slots";
import { addTo } from "../memory/sums";
import { apart } from "./apart";
import * as ObservationRow from "./rows/observation-row";
import * as SampleRow from "./rows/sample-row";
import {
  addToSum,
  clearSums,
  coverSums,
  keepSecond,
  releaseSeconds,
  secondBlock,
  setSummedTo,
  summedTo,
} from "./seconds";
import { hashOf, Identity, Staged } from "./staged";
import { hashLink, internHashedLink, links } from "./tables";

/** Samples: rows 1 … sampleCount − 1. */
export let sampleRows: usize = 0;
export let sampleCount: u32 = 0;
let sampleCapacity: u32 = 0;
const FEWEST_SAMPLES: u32 = 1 << 12;
let slots: Slots = changetype<Slots>(0);
/** u32 per link: its first sample, 0 before there is one. */
let firstOfLink: usize = 0;
let linkCapacity: u32 = 0;

export let observationCount: u32 = 0;
/** u32 pointers, one per block of ObservationRow.BLOCK_ROWS observations. */
let blocks: usize = 0;
let blockCount: u32 = 0;
let blockCapacity: u32 = 0;
let next: usize = 0;
let nextEnd: usize = 0;

/** Observations of the reader are counted in their samples, and not kept: the answer needs none of them. */
let counting: bool = false;
export let countedOnly: u32 = 0;

/** Lookups find the samples from here on: those of the process that is read. */
export let ownFrom: u32 = 1;

/** Times of the observations, as unsigned ns; earliest is above latest before the first. */
export let earliest: u64 = 0;
export let latest: u64 = 0;

/** Some sample may have no observation: its last one was moved. */
export let hasEmpty: bool = false;

const STAGED: u32 = 64;
const staged: usize = memory.data(64 * 72, 8);
let stagedCount: u32 = 0;

onReset((): void => {
  sampleCapacity = FEWEST_SAMPLES;
  sampleRows = alloc(<usize>sampleCapacity * SampleRow.BYTES);
  memory.fill(sampleRows, 0, SampleRow.BYTES);
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
  earliest = u64.MAX_VALUE;
  latest = 0;
  hasEmpty = false;
  counting = false;
  countedOnly = 0;
  ownFrom = 1;
});

/** Samples that are added from now on are others than those before, also with the same identity. */
export function separateSamples(): void {
  ownFrom = sampleCount;
  if (slots.at !== 0) slots.clear();
}

/**
 * Has observations counted in their samples from now on, until the next reset, or kept. Counted ones have no number,
 * and no place. An instance that reads apart keeps them for the other one. Returns what held before.
 */
export function countObservations(isOn: bool): bool {
  const before = counting;
  counting = isOn;
  return before;
}

/** A sample as `row` is, of another event and without observations. Lookups do not find it. */
export function copySample(row: u32, event: u32): u32 {
  memory.copy(changetype<usize>(wanted), sampleAt(row), offsetof<Identity>());
  wanted.event = event;
  return addSample(wanted);
}

/** Drops the samples from `rows` on, which lookups do not find and which have no observations. */
export function dropCopies(rows: u32): void {
  if (rows < sampleCount) sampleCount = rows;
}

/** Pointer to sample `i`; moves when a sample is added. */
export function sampleAt(i: u32): usize {
  return sampleRows + <usize>i * SampleRow.BYTES;
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
  next = alloc(<usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES);
  nextEnd = next + <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES;
  store<u32>(blocks + ((<usize>blockCount) << 2), <u32>next);
  blockCount++;
}

function addSample(identity: Identity): u32 {
  if (sampleCount === sampleCapacity) {
    const bytes = <usize>sampleCapacity * SampleRow.BYTES;
    const shift = growth(bytes);
    sampleRows = regrow(sampleRows, bytes, bytes, bytes << shift);
    sampleCapacity <<= shift;
  }
  const row = sampleCount++;
  const p = sampleAt(row);
  store<u32>(p, identity.event, SampleRow.EVENT);
  store<u32>(p, identity.stack, SampleRow.STACK);
  store<u32>(p, identity.link, SampleRow.LINK);
  store<u32>(p, identity.thread, SampleRow.THREAD);
  store<u32>(p, identity.set, SampleRow.SET);
  store<u32>(p, 0, SampleRow.COUNT);
  store<i64>(p, 0, SampleRow.SUM);
  return row;
}

/**
 * Gives back the memory of lookups, which only adding samples and links needs: for a host that reads nothing more. They
 * are made again where something is added.
 */
export function forgetLookups(): void {
  links.forgetSlots();
  if (slots.at === 0) return;
  slots.free();
  release(firstOfLink, (<usize>linkCapacity) << 2);
  firstOfLink = 0;
  linkCapacity = 0;
}

function findable(): void {
  if (slots.at !== 0) return;
  slots.init(sampleCount);
  linkCapacity = 1 << 12;
  while (linkCapacity < links.count) linkCapacity <<= 1;
  firstOfLink = alloc((<usize>linkCapacity) << 2);
  findSamplesAgain();
}

function growLinks(link: u32): void {
  const bytes = (<usize>linkCapacity) << 2;
  let capacity = linkCapacity;
  while (capacity <= link) capacity <<= 1;
  firstOfLink = regrow(firstOfLink, bytes, bytes, (<usize>capacity) << 2);
  memory.fill(firstOfLink + bytes, 0, ((<usize>capacity) << 2) - bytes);
  linkCapacity = capacity;
}

function isSample(row: u32, identity: Identity): bool {
  const p = sampleAt(row);
  return (
    load<u32>(p, SampleRow.STACK) === identity.stack &&
    load<u32>(p, SampleRow.LINK) === identity.link &&
    load<u32>(p, SampleRow.THREAD) === identity.thread &&
    load<u32>(p, SampleRow.SET) === identity.set &&
    load<u32>(p, SampleRow.EVENT) === identity.event
  );
}

function hashedSample(identity: Identity, hash: u32): u32 {
  let i = hash & slots.mask;
  while (true) {
    const slot = load<u64>(slots.at + ((<usize>i) << 3));
    const row = <u32>slot;
    if (row === 0) break;
    if (<u32>(slot >> 32) === hash && isSample(row, identity)) return row;
    i = (i + 1) & slots.mask;
  }
  slots.need();
  const row = addSample(identity);
  slots.insert(row, hash);
  return row;
}

function sampleOf(identity: Identity, hash: u32): u32 {
  const link = identity.link;
  if (link === 0) return hashedSample(identity, hash);
  if (link >= linkCapacity) growLinks(link);
  const first = firstOfLink + ((<usize>link) << 2);
  const known = load<u32>(first);
  if (known < ownFrom) {
    const row = addSample(identity);
    store<u32>(first, row);
    return row;
  }
  if (isSample(known, identity)) return known;
  return hashedSample(identity, hash);
}

const wanted: Identity = changetype<Identity>(memory.data(20, 8));

/** The sample of this identity, added when new. */
export function rowOf(event: u32, stack: u32, link: u32, thread: u32, set: u32): u32 {
  findable();
  wanted.event = event;
  wanted.stack = stack;
  wanted.link = link;
  wanted.thread = thread;
  wanted.set = set;
  return sampleOf(wanted, hashOf(wanted));
}

/**
 * Adds an observation to sample `row`. `time` is ns since 1970, `value` in the profile's unit, `second` in that of its
 * second measure, 0 where that is not stored.
 */
export function append(row: u32, time: i64, value: i64, second: i64): void {
  keep(row, time, value, second);
  if (<u64>time < earliest) earliest = <u64>time;
  if (<u64>time > latest) latest = <u64>time;
}

/** Widens the times of the observations by those of some that are not kept. */
export function coverObservations(first: i64, last: i64): void {
  if (<u64>first < earliest) earliest = <u64>first;
  if (<u64>last > latest) latest = <u64>last;
}

/** Adds an observation without a time: its time is 0, which is not among earliest and latest. */
export function appendTimeless(row: u32, value: i64, second: i64): void {
  keep(row, 0, value, second);
}

function keep(row: u32, time: i64, value: i64, second: i64): void {
  // All memory is allocated first: an observation is added completely or not at all.
  if (next === nextEnd) addBlock();
  if (second !== 0) keepSecond(observationCount, second);
  const p = sampleAt(row);
  store<u32>(p, load<u32>(p, SampleRow.COUNT) + 1, SampleRow.COUNT);
  addTo(p + SampleRow.SUM, value);

  store<u32>(next, row, ObservationRow.SAMPLE);
  store<i64>(next, time, ObservationRow.TIME);
  store<i64>(next, value, ObservationRow.VALUE);
  next += ObservationRow.BYTES;
  observationCount++;
}

/** Keeps an observation, or counts it in its sample. */
function take(row: u32, time: i64, value: i64, second: i64): void {
  if (!counting || apart) {
    keep(row, time, value, second);
    return;
  }
  if (second !== 0) coverSums(row + 1);
  count(row, 1, value);
  if (second !== 0) addToSum(row, second);
  countedOnly++;
}

/**
 * Takes back the samples from `rows` on and the observations from `observations` on, which were added last and have no
 * second values. Allocates nothing.
 */
export function shrinkSamples(rows: u32, observations: u32): void {
  for (let i = observations; i < observationCount; i++) {
    const p =
      observationBlock(i / ObservationRow.BLOCK_ROWS) + <usize>(i % ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES;
    const row = load<u32>(p, ObservationRow.SAMPLE);
    if (row >= rows) continue;
    const q = sampleAt(row);
    store<u32>(q, load<u32>(q, SampleRow.COUNT) - 1, SampleRow.COUNT);
    store<i64>(q, load<i64>(q, SampleRow.SUM) - load<i64>(p, ObservationRow.VALUE), SampleRow.SUM);
  }
  if (summedTo > observations) setSummedTo(observations);
  endAt(observations);
  sampleCount = rows;
  ownFrom = min(ownFrom, rows);
  if (slots.at !== 0) findSamplesAgain();
}

/** Gives back the memory of the observations from number `observations` on. */
export function endAt(observations: u32): void {
  observationCount = observations;
  while (blockCount * ObservationRow.BLOCK_ROWS >= observations + ObservationRow.BLOCK_ROWS) {
    release(observationBlock(--blockCount), <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES);
  }
  next = 0;
  nextEnd = 0;
  if (blockCount !== 0) {
    const block = observationBlock(blockCount - 1);
    next = block + <usize>(observations - (blockCount - 1) * ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES;
    nextEnd = block + <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES;
  }
}

/** Drops all samples and observations, whose times are those of none. Allocates nothing. */
export function clearSamples(): void {
  for (let b: u32 = 0; b < blockCount; b++) {
    release(observationBlock(b), <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES);
    releaseSeconds(b);
  }
  clearSums();
  blockCount = 0;
  observationCount = 0;
  next = 0;
  nextEnd = 0;
  sampleCount = 1;
  ownFrom = 1;
  if (slots.at !== 0) findSamplesAgain();
  earliest = u64.MAX_VALUE;
  latest = 0;
}

/** Gives back the observations of block `b`: a message that is the last use of the samples has them already. */
export function giveBlockUp(b: u32): void {
  const block = observationBlock(b);
  if (block === 0) return;
  store<u32>(blocks + ((<usize>b) << 2), 0);
  release(block, <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES);
  releaseSeconds(b);
}

/**
 * Gives back all samples and observations, whose times stay: a message that is their last use has them. Memory of
 * sample rows that was never touched stays out of use until the next reset, so that touched memory is used first.
 */
export function giveSamplesUp(): void {
  const fresh = alloc(<usize>FEWEST_SAMPLES * SampleRow.BYTES);
  memory.fill(fresh, 0, SampleRow.BYTES);
  for (let b: u32 = 0; b < blockCount; b++) giveBlockUp(b);
  blockCount = 0;
  observationCount = 0;
  next = 0;
  nextEnd = 0;
  clearSums();
  giveRun(sampleRows, sampleCount * <u32>SampleRow.BYTES);
  sampleRows = fresh;
  sampleCapacity = FEWEST_SAMPLES;
  sampleCount = 1;
  ownFrom = 1;
  if (slots.at !== 0) findSamplesAgain();
}

/**
 * Adds `n` observations of another store, whose rows are at `p` and whose second values, i64 each, at `seconds` (0: all
 * are 0). Its `count` samples are at `samples`, with row 0, and have the ids of this store; their rows here go to
 * `rows`. The observations' times are covered by `coverObservations`.
 */
export function adoptObservations(p: usize, n: u32, seconds: usize, samples: usize, count: u32, rows: usize): void {
  // Where memory runs out, the new samples have no observations.
  findable();
  const before = hasEmpty;
  hasEmpty = true;
  adoptSamples(samples, count, rows);
  if (seconds !== 0) {
    for (let i: u32 = 0; i < n; i++) {
      const row = load<u32>(rows + ((<usize>load<u32>(p, ObservationRow.SAMPLE)) << 2));
      const second = load<i64>(seconds + ((<usize>i) << 3));
      take(row, load<i64>(p, ObservationRow.TIME), load<i64>(p, ObservationRow.VALUE), second);
      p += ObservationRow.BYTES;
    }
  } else {
    if (counting) countedOnly += n;
    else {
      reserveBlocks(n);
      adoptRows(p, n, rows);
    }
    for (let i: u32 = 1; i < count; i++) {
      const from = samples + <usize>i * SampleRow.BYTES;
      const to = sampleAt(load<u32>(rows + ((<usize>i) << 2)));
      store<u32>(to, load<u32>(to, SampleRow.COUNT) + load<u32>(from, SampleRow.COUNT), SampleRow.COUNT);
      addTo(to + SampleRow.SUM, load<i64>(from, SampleRow.SUM));
    }
  }
  hasEmpty = before;
}

const adoptedHashes: usize = memory.data(64 * 4, 4);

/** Looks the samples up in groups, as `settle` does. */
function adoptSamples(p: usize, count: u32, rows: usize): void {
  let touched = sink;
  for (let i: u32 = 1; i < count; i += STAGED) {
    const group = p + <usize>i * SampleRow.BYTES;
    const n = min<u32>(STAGED, count - i);
    for (let k: u32 = 0; k < n; k++) {
      const identity = changetype<Identity>(group + <usize>k * SampleRow.BYTES);
      if (identity.link >= linkCapacity) growLinks(identity.link);
      const hash = hashOf(identity);
      store<u32>(adoptedHashes + ((<usize>k) << 2), hash);
      const first = load<u32>(firstOfLink + ((<usize>identity.link) << 2));
      if (first !== 0) touched += load<u32>(sampleAt(first));
      if (first !== 0 || identity.link === 0) touched += slots.touch(hash);
    }
    for (let k: u32 = 0; k < n; k++) {
      touched += load<u32>(sampleAt(slots.likely(load<u32>(adoptedHashes + ((<usize>k) << 2)))));
    }
    for (let k: u32 = 0; k < n; k++) {
      const identity = changetype<Identity>(group + <usize>k * SampleRow.BYTES);
      const row = sampleOf(identity, load<u32>(adoptedHashes + ((<usize>k) << 2)));
      store<u32>(rows + ((<usize>(i + k)) << 2), row);
    }
  }
  sink = touched;
}

/** Has memory for the blocks of `n` more observations, which `addBlock` then finds free. */
function reserveBlocks(n: u32): void {
  const wanted = n / ObservationRow.BLOCK_ROWS + 1;
  while (blockCount + wanted > blockCapacity) {
    const bytes = (<usize>blockCapacity) << 2;
    blocks = regrow(blocks, bytes, bytes, bytes << 1);
    blockCapacity <<= 1;
  }
  let free: usize = 0;
  for (let i: u32 = 0; i < wanted; i++) {
    const block = alloc(<usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES);
    store<u32>(block, <u32>free);
    free = block;
  }
  while (free !== 0) {
    const block = free;
    free = <usize>load<u32>(block);
    release(block, <usize>ObservationRow.BLOCK_ROWS * ObservationRow.BYTES);
  }
}

function adoptRows(p: usize, n: u32, rows: usize): void {
  for (const end = p + <usize>n * ObservationRow.BYTES; p < end; ) {
    if (next === nextEnd) addBlock();
    const stop = min<usize>(end, p + (nextEnd - next));
    let q = next;
    for (; p < stop; p += ObservationRow.BYTES) {
      const row = load<u32>(rows + ((<usize>load<u32>(p, ObservationRow.SAMPLE)) << 2));
      store<u32>(q, row, ObservationRow.SAMPLE);
      store<i64>(q, load<i64>(p, ObservationRow.TIME), ObservationRow.TIME);
      store<i64>(q, load<i64>(p, ObservationRow.VALUE), ObservationRow.VALUE);
      q += ObservationRow.BYTES;
    }
    next = q;
  }
  observationCount += n;
}

/** Makes the ways to the samples again. */
function findSamplesAgain(): void {
  slots.clear();
  memory.fill(firstOfLink, 0, (<usize>linkCapacity) << 2);
  for (let row = ownFrom; row < sampleCount; row++) {
    const p = sampleAt(row);
    const link = load<u32>(p, SampleRow.LINK);
    const first = firstOfLink + ((<usize>link) << 2);
    if (link !== 0 && load<u32>(first) === 0) store<u32>(first, row);
    else slots.insert(row, hashOf(changetype<Identity>(p)));
  }
}

/**
 * Moves observation `i` to the sample of this identity, which is added when new. Its number, time and values stay.
 */
export function moveObservation(i: u32, event: u32, stack: u32, link: u32, thread: u32, set: u32): void {
  const to = rowOf(event, stack, link, thread, set);
  const b = i / ObservationRow.BLOCK_ROWS;
  const p = observationBlock(b) + <usize>(i % ObservationRow.BLOCK_ROWS) * ObservationRow.BYTES;
  const from = load<u32>(p, ObservationRow.SAMPLE);
  if (from === to) return;
  const seconds = secondBlock(b);
  const second = seconds === 0 ? 0 : load<i64>(seconds + ((<usize>(i % ObservationRow.BLOCK_ROWS)) << 3));
  const value = load<i64>(p, ObservationRow.VALUE);
  if (second !== 0 && i < summedTo) {
    // All memory is allocated before the first change.
    coverSums(max<u32>(from, to) + 1);
    addToSum(from, -second);
    addToSum(to, second);
  }
  uncount(from, value);
  count(to, 1, value);
  store<u32>(p, to, ObservationRow.SAMPLE);
}

/** An observation of this value is no longer of sample `row`. */
export function uncount(row: u32, value: i64): void {
  count(row, -1, -value);
  if (load<u32>(sampleAt(row), SampleRow.COUNT) === 0) hasEmpty = true;
}

function count(row: u32, observations: i32, value: i64): void {
  const p = sampleAt(row);
  store<u32>(p, load<u32>(p, SampleRow.COUNT) + observations, SampleRow.COUNT);
  addTo(p + SampleRow.SUM, value);
}

/** Where touched slots go, so that the loads are not optimised away. */
let sink: u32 = 0;

function stagedAt(i: u32): usize {
  return staged + <usize>i * offsetof<Staged>();
}

/** A row to fill, all of it but link and hash, and to hand to `stage`. */
export function freeStaged(): Staged {
  return changetype<Staged>(stagedAt(stagedCount));
}

/** Adds the observation in the row of `freeStaged`. It counts from the next `settle` on. */
export function stage(): void {
  stagedCount++;
  if (stagedCount === STAGED) settle();
}

/** Number of the observation that is staged next. */
export function nextObservation(): u32 {
  return observationCount + stagedCount;
}

/** Drops the staged observations: memory ran out while they were added, or before. */
export function dropStaged(): void {
  stagedCount = 0;
}

/**
 * Adds the staged observations. It prefetches the slots of all links, then the links and the slots of all samples, then
 * the sample rows; only after that it waits for any of them.
 */
export function settle(): void {
  if (stagedCount === 0) return;
  findable();
  links.findable();
  const end = stagedAt(stagedCount);
  let touched = sink;
  for (let p = staged; p < end; p += offsetof<Staged>()) {
    const row = changetype<Staged>(p);
    if ((row.high | row.root | row.span) === 0) continue;
    row.hash = hashLink(row.high, row.root, row.span);
    touched += links.touch(row.hash);
  }
  for (let p = staged; p < end; p += offsetof<Staged>()) {
    const row = changetype<Staged>(p);
    let link: u32 = 0;
    if ((row.high | row.root | row.span) !== 0) {
      link = internHashedLink(row.high, row.root, row.span, row.hash);
      if (link >= linkCapacity) growLinks(link);
    }
    row.link = link;
    row.hash = hashOf(row);
    const first = load<u32>(firstOfLink + ((<usize>link) << 2));
    if (first !== 0) touched += load<u32>(sampleAt(first));
    if (first !== 0 || link === 0) touched += slots.touch(row.hash);
  }
  for (let p = staged; p < end; p += offsetof<Staged>()) {
    touched += load<u32>(sampleAt(slots.likely(changetype<Staged>(p).hash)));
  }
  sink = touched;
  for (let p = staged; p < end; p += offsetof<Staged>()) {
    const row = changetype<Staged>(p);
    take(sampleOf(row, row.hash), row.time, row.value, row.second);
    coverObservations(row.time, row.time);
  }
  stagedCount = 0;
}
