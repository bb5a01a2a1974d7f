/**
 * Totals of the store, independent of the selection.
 *
 *   profile | observations u32 | stacks u32 | threads u32 | observations with a span u32 | value i64 | second i64 |
 *           | observations with a local root u32 | own observations u32 | own value i64 |               48 bytes
 *   event   | observations u32 |
 *   key     | string index u32 |
 *   cover   per profile and key, in this order: observations that carry the key, u32
 *
 * Stacks and threads are counted once per profile, the empty ones (index 0) not at all. The first row of a family has
 * the figures of the family, and each row its own observations and their value; values are not multiplied by periods.
 */

import * as ProfileRow from "../abi/rows/profile-row";
import * as SummaryRow from "../abi/rows/summary-row";
import { addTo } from "../memory/sums";
import { isCopy } from "../store/held/copies";
import { eventCount, familyOfEvent, MAX_PROFILES, profileAt, profileCount, profileOfEvent } from "../store/profiles";
import { linkSets } from "../store/roots";
import * as AttributeRow from "../store/rows/attribute-row";
import * as LinkRow from "../store/rows/link-row";
import * as SampleRow from "../store/rows/sample-row";
import { sampleCount, sampleRows } from "../store/samples";
import { secondSum } from "../store/second-sums";
import { attributes, LinkOrigin, links, originOf, sets, stacks, strings, threads } from "../store/tables";
import { Block } from "./block";

const profileRows: Block = changetype<Block>(memory.data(16, 4));
const eventRows: Block = changetype<Block>(memory.data(16, 4));
const keys: Block = changetype<Block>(memory.data(16, 4));
const seenStacks: Block = changetype<Block>(memory.data(16, 4));
const seenThreads: Block = changetype<Block>(memory.data(16, 4));
const seenKeys: Block = changetype<Block>(memory.data(16, 4));
const cover: Block = changetype<Block>(memory.data(16, 4));
/** u32 per set and string: index of the key, + 1. */
const keyIndex: Block = changetype<Block>(memory.data(16, 4));

/** Totals that 64 bits cannot hold are at the limit in views and outputs (memory/sums.ts). */
const LIMIT: f64 = 9.223372036854775808e18; // 2^63
/** f64 per profile row (MAX_PROFILES entries). */
const totals: usize = memory.data(<i32>MAX_PROFILES * 8, 8);

/** Computes the rows of all profiles and events. */
export function summarize(): void {
  const out = profileRows.zeroed(<usize>profileCount * SummaryRow.BYTES);
  const perEvent = eventRows.zeroed((<usize>eventCount) << 2);
  // One bit per profile for every stack and thread.
  const words: u32 = (profileCount + 31) >> 5;
  seenStacks.zeroed((<usize>(stacks.count * words)) << 2);
  seenThreads.zeroed((<usize>(threads.count * words)) << 2);
  let p = sampleRows;
  for (let row: u32 = 1; row < sampleCount; row++) {
    p += SampleRow.BYTES;
    const event = load<u32>(p, SampleRow.EVENT);
    if (event >= eventCount || isCopy(row)) continue;
    const profile = familyOfEvent(event);
    const count = load<u32>(p, SampleRow.COUNT);
    if (count === 0) continue;
    const q = out + <usize>profile * SummaryRow.BYTES;
    store<u32>(q, load<u32>(q, SummaryRow.SAMPLES) + count, SummaryRow.SAMPLES);
    if (firstTime(seenStacks.at, load<u32>(p, SampleRow.STACK), words, profile))
      store<u32>(q, load<u32>(q, SummaryRow.STACKS) + 1, SummaryRow.STACKS);
    if (firstTime(seenThreads.at, load<u32>(p, SampleRow.THREAD), words, profile))
      store<u32>(q, load<u32>(q, SummaryRow.THREADS) + 1, SummaryRow.THREADS);
    const link = load<u32>(p, SampleRow.LINK);
    if (link !== 0) {
      if (links.get64(link, LinkRow.SPAN) !== 0)
        store<u32>(q, load<u32>(q, SummaryRow.WITH_SPAN) + count, SummaryRow.WITH_SPAN);
      if (originOf(link) !== LinkOrigin.None)
        store<u32>(q, load<u32>(q, SummaryRow.WITH_ROOT) + count, SummaryRow.WITH_ROOT);
    }
    addTo(q + SummaryRow.VALUE, load<i64>(p, SampleRow.SUM));
    const second = load<u32>(profileAt(profile), ProfileRow.SECOND_STORED) !== 0 ? secondSum(row) : <i64>count;
    addTo(q + SummaryRow.SECOND, second);
    const own = out + <usize>profileOfEvent(event) * SummaryRow.BYTES;
    store<u32>(own, load<u32>(own, SummaryRow.OWN_SAMPLES) + count, SummaryRow.OWN_SAMPLES);
    addTo(own + SummaryRow.OWN_VALUE, load<i64>(p, SampleRow.SUM));
    const e = perEvent + ((<usize>event) << 2);
    store<u32>(e, load<u32>(e) + count);
  }
  seenStacks.drop();
  seenThreads.drop();
}

function firstTime(seen: usize, i: u32, words: u32, profile: u32): bool {
  if (i === 0) return false;
  const p = seen + ((<usize>(i * words + (profile >> 5))) << 2);
  const bit: u32 = (<u32>1) << (profile & 31);
  const bits = load<u32>(p);
  if ((bits & bit) !== 0) return false;
  store<u32>(p, bits | bit);
  return true;
}

/** One row per profile of the store. */
export function summaryProfiles(): usize {
  return profileRows.at;
}

/** One u32 per event row of the store. */
export function summaryEvents(): usize {
  return eventRows.at;
}

/** Collects the distinct keys of all attribute sets, in the order first seen, and returns their number. */
export function attributeKeys(): u32 {
  const seen = seenKeys.zeroed(strings.count);
  let n: u32 = 0;
  for (let s: u32 = 1; s < sets.count; s++) {
    let p = sets.pointer(s);
    const end = p + (sets.size(s) & ~3);
    for (; p < end; p += 4) {
      const a = load<u32>(p);
      if (a === 0 || a >= attributes.count) continue;
      const key = attributes.get(a, AttributeRow.KEY);
      if (key >= strings.count || load<u8>(seen + key) !== 0) continue;
      store<u8>(seen + key, 1);
      store<u32>(keys.keep((<usize>(n + 1)) << 2, (<usize>n) << 2) + ((<usize>n) << 2), key);
      n++;
    }
  }
  seenKeys.drop();
  return n;
}

/** Keys of the last call, one u32 each. */
export function attributeKeyRows(): usize {
  return keys.at;
}

/**
 * Counts, per profile, the observations that carry each of the keys of the last `attributeKeys`, which returned `n`.
 */
export function attributeCover(n: u32): usize {
  const out = cover.zeroed((<usize>(profileCount * n + 1)) << 2);
  const index = keyIndex.zeroed((<usize>strings.count) << 2);
  for (let i: u32 = 0; i < n; i++) {
    store<u32>(index + ((<usize>load<u32>(keys.at + ((<usize>i) << 2))) << 2), i + 1);
  }
  const rootSets = linkSets();
  let p = sampleRows;
  for (let row: u32 = 1; row < sampleCount; row++) {
    p += SampleRow.BYTES;
    const event = load<u32>(p, SampleRow.EVENT);
    if (event >= eventCount || isCopy(row)) continue;
    const to = out + ((<usize>(familyOfEvent(event) * n)) << 2);
    const count = load<u32>(p, SampleRow.COUNT);
    coverSet(to, load<u32>(p, SampleRow.SET), count, index);
    if (rootSets !== 0) coverSet(to, load<u32>(rootSets + ((<usize>load<u32>(p, SampleRow.LINK)) << 2)), count, index);
  }
  keyIndex.drop();
  return out;
}

function coverSet(to: usize, set: u32, count: u32, index: usize): void {
  if (set === 0) return;
  let p = sets.pointer(set);
  const end = p + (sets.size(set) & ~3);
  for (; p < end; p += 4) {
    const key = load<u32>(index + ((<usize>attributes.get(load<u32>(p), AttributeRow.KEY)) << 2));
    if (key === 0) continue;
    const q = to + ((<usize>(key - 1)) << 2);
    store<u32>(q, load<u32>(q) + count);
  }
}

/** The first profile row whose family has a total at the limit in the samples from row `first` on, -1 without one. */
export function profileAtLimit(first: u32): i32 {
  memory.fill(totals, 0, (<usize>MAX_PROFILES) << 3);
  let p = sampleRows + <usize>(first - 1) * SampleRow.BYTES;
  for (let row: u32 = first; row < sampleCount; row++) {
    p += SampleRow.BYTES;
    if (isCopy(row)) continue;
    const q = totals + ((<usize>familyOfEvent(load<u32>(p, SampleRow.EVENT))) << 3);
    store<f64>(q, load<f64>(q) + <f64>load<i64>(p, SampleRow.SUM));
  }
  for (let i: u32 = 0; i < profileCount; i++) {
    if (Math.abs(load<f64>(totals + ((<usize>i) << 3))) >= LIMIT) return i;
  }
  return -1;
}
