/**
 * Requests per value of an attribute: how many local roots have selected samples of a value, and the percentiles of
 * their extents. The extent of a root is the time from its first observation to its last, in all profiles whose times
 * are those of work for it.
 *
 *   group | requests u32 | 0 | p50 u64 | p95 u64 | longest u64 |     32 bytes, nanoseconds; nearest rank
 *
 * `rank.ts` notes a pair (group, root) for each selected sample, except if the last pair of the group has the same
 * root. Sorting makes the pairs of a group neighbours.
 */

import * as RankRow from "../abi/rows/rank-row";
import { onGiveUp } from "../memory/resets";
import { MAX_EVENTS } from "../store/profiles";
import * as SampleRow from "../store/rows/sample-row";
import { observationCount, sampleAt, sampleCount } from "../store/samples";
import { Block } from "./block";
import { wordColumn } from "./columns";
import { roots } from "./ids";
import { RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "./order";
import { sampleTimes, TIMES_BYTES, TIMES_FIRST, TIMES_LAST } from "./times";
import { windowed } from "./window";

const FIRST_PAIRS: u32 = 1024;

/** First and last time of each root, as in `times.ts`. */
/** Covers as many observations and samples; 0 where it is of a range of time. */
const extents: Block = changetype<Block>(memory.data(16, 4));
/** Group of each root that was noted last, u32. */
const groupOf: Block = changetype<Block>(memory.data(16, 4));
const pairs: Block = changetype<Block>(memory.data(16, 4));
const requests: Block = changetype<Block>(memory.data(16, 4));

let pairCount: u32 = 0;
let capacity: u32 = 0;

export function beginRequests(): void {
  pairCount = 0;
  capacity = FIRST_PAIRS;
  groupOf.zeroed((<usize>roots().count) << 2);
  pairs.fit(FIRST_PAIRS * <u32>RECORD_BYTES);
}

/** A selected sample of a group has this root, 0 for no root. */
export function addRequest(group: u32, root: u32): void {
  const last = groupOf.at + ((<usize>root) << 2);
  if (root === 0 || load<u32>(last) === group) return;
  store<u32>(last, group);
  if (pairCount === capacity) {
    pairs.keep(<usize>pairCount * (RECORD_BYTES << 1), <usize>pairCount * RECORD_BYTES);
    capacity <<= 1;
  }
  store<u64>(pairs.at + <usize>pairCount * RECORD_BYTES, ((<u64>group) << 32) | root);
  pairCount++;
}

/** Rows for groups [0, groupCount), from the pairs since `beginRequests`. */
export function endRequests(groupCount: u32): void {
  const at = requests.zeroed(<usize>groupCount * RankRow.REQUEST_BYTES);
  const times = rootExtents();
  const start = pairs.at;
  sortRecords(start, pairCount);
  const n = dropRepeated();
  // By extent first: the order by group keeps it within a group.
  for (let p = start; p < start + <usize>n * RECORD_BYTES; p += RECORD_BYTES) {
    const pair = load<u64>(p);
    const t = times + (<usize>pair & 0xffff_ffff) * TIMES_BYTES;
    const last = load<u64>(t, TIMES_LAST);
    store<u64>(p, pair >> 32, RECORD_PAYLOAD);
    store<u64>(p, last === 0 ? 0 : last - ~load<u64>(t, TIMES_FIRST));
  }
  sortRecords(start, n);
  for (let p = start; p < start + <usize>n * RECORD_BYTES; p += RECORD_BYTES) {
    const extent = load<u64>(p);
    store<u64>(p, load<u64>(p, RECORD_PAYLOAD));
    store<u64>(p, extent, RECORD_PAYLOAD);
  }
  sortRecords(start, n);
  let from: u32 = 0;
  while (from < n) {
    const group = load<u64>(start + <usize>from * RECORD_BYTES);
    let to = from + 1;
    while (to < n && load<u64>(start + <usize>to * RECORD_BYTES) === group) to++;
    const q = at + <usize>group * RankRow.REQUEST_BYTES;
    store<u32>(q, to - from, RankRow.REQUEST_COUNT);
    store<u64>(q, ranked(from, to, 50), RankRow.REQUEST_P50);
    store<u64>(q, ranked(from, to, 95), RankRow.REQUEST_P95);
    store<u64>(q, ranked(from, to, 100), RankRow.REQUEST_LONGEST);
    from = to;
  }
  groupOf.drop();
  pairs.drop();
}

/** The row of a group, after `endRequests`. */
export function requestsOf(group: u32): usize {
  return requests.at + <usize>group * RankRow.REQUEST_BYTES;
}

/** The extent with this nearest rank, in percent, among pairs [from, to). */
function ranked(from: u32, to: u32, percent: u32): u64 {
  const rank = <u32>((<u64>(to - from) * percent + 99) / 100);
  return load<u64>(pairs.at + <usize>(from + max<u32>(rank, 1) - 1) * RECORD_BYTES, RECORD_PAYLOAD);
}

/** Pairs are in order; answers how many different ones are in front. */
function dropRepeated(): u32 {
  const start = pairs.at;
  let n: u32 = 0;
  let before: u64 = 0;
  for (let i: u32 = 0; i < pairCount; i++) {
    const pair = load<u64>(start + <usize>i * RECORD_BYTES);
    if (pair === before) continue;
    before = pair;
    store<u64>(start + <usize>n * RECORD_BYTES, pair);
    n++;
  }
  return n;
}

/** First and last time of each root, over the samples of all profiles; of the groups of `roots()`. */
export function rootExtents(): usize {
  const rows = observationCount + sampleCount;
  if (extents.covered === rows && !windowed) return extents.at;
  extents.covered = 0;
  const index = roots();
  const times = sampleTimes();
  const at = extents.zeroed(<usize>index.count * TIMES_BYTES);
  const links = wordColumn(SampleRow.LINK);
  for (let row: u32 = 0; row < sampleCount; row++) {
    if (!isOfWork(row)) continue;
    const link = load<u32>(links + ((<usize>row) << 2));
    const q = at + <usize>load<u32>(index.groups.at + ((<usize>link) << 2)) * TIMES_BYTES;
    const t = times + <usize>row * TIMES_BYTES;
    store<u64>(q, max<u64>(load<u64>(q, TIMES_FIRST), load<u64>(t, TIMES_FIRST)), TIMES_FIRST);
    store<u64>(q, max<u64>(load<u64>(q, TIMES_LAST), load<u64>(t, TIMES_LAST)), TIMES_LAST);
  }
  if (!windowed) extents.covered = rows;
  return at;
}

/** u8 per row of events: 1 for events of work. Rows after the last one are of work. */
const events: usize = memory.data(<i32>MAX_EVENTS);
/** Rows that the host distinguished. */
export let workEventCount: u32 = 0;

/**
 * Events whose times are those of work for a request. A live object is noted at the end of its file, and a wait in a
 * queue begins before the work, so neither tells how long a request took.
 */
onGiveUp((): void => {
  workEventCount = 0;
});

/** The host tells them in order, by their profiles, as it knows the catalogue. */
export function tellWorkEvent(event: u32, isOfWork: bool): void {
  store<u8>(events + event, u8(isOfWork));
  workEventCount = event + 1;
}

export function isOfWork(row: u32): bool {
  const event = load<u32>(sampleAt(row), SampleRow.EVENT);
  return event >= workEventCount || load<u8>(events + event) !== 0;
}
