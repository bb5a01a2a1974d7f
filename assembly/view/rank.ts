/**
 * The current selection by span, by local root or by the values of one attribute, in one of the orders below.
 *
 *   row   | span u64 | trace low u64 | trace high u64 | value i64 | observations u32 | label u32 |
 *         | ~first u64 | last u64 | sample u32 | inferred u32 | requests (requests.ts)               96 bytes
 *
 *   span     by span: its id; by attribute: the group
 *   trace    by local root: the id itself, a local root where the high half is 0; by span: the trace of `sample`'s link
 *   label    attribute rows only: an attribute, or RankRow.LABEL_TEXT | string index for the keys that the event row
 *   gives
 *   first    of the times of its observations, and the last; both words are 0 if no observation has a time
 *   sample   the heaviest (of equals, the one read first)
 *   inferred observations with inferred context
 *
 * First all weights are added up per group. A group is a small number that a link, set, thread or event maps to:
 *
 *   group | value i64 | heaviest i64 | heaviest sample u32 | observations u32 | ~first u64 | last u64 |
 *         | inferred u32 | 0 |                                                 48 bytes, group 0 = no row
 *
 * Then the host may exclude groups and set another order, by a u32 per group (`rankKeys`): 0 excludes the group, and
 * under RankOrder.Key lower keys are first. Groups ascend by id, so the lower id is first among equals; values of an
 * attribute are in the order first seen. Rows are written page by page.
 */

import * as RankKind from "../abi/rank-kind";
import * as RankOrder from "../abi/rank-order";
import * as RankRow from "../abi/rows/rank-row";
import { addTo } from "../memory/sums";
import { hasInferred, Inferred, inferredOf } from "../store/inferred";
import { linkSets } from "../store/roots";
import * as LinkRow from "../store/rows/link-row";
import * as SampleRow from "../store/rows/sample-row";
import { sampleAt, sampleCount } from "../store/samples";
import { attributes, links, sets, traceHighOf } from "../store/tables";
import { groupByAttribute, groupOf, inSet, resetAttributeGroups } from "./attribute-groups";
import { Block } from "./block";
import { wordColumn } from "./columns";
import { IdIndex, roots, spans } from "./ids";
import { EVENT_KEY_NONE, eventKey, eventText, findString } from "./lookup";
import { descending, RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "./order";
import { addRequest, beginRequests, endRequests, isOfWork, requestsOf, rootExtents } from "./requests";
import { countAt, isOfAll, maskAt, maskRows, needWeights, selectionStamp, weightAt } from "./selection";
import { sampleTimes, TIMES_BYTES, TIMES_FIRST, TIMES_LAST } from "./times";

/** A group while it is added up. */
const GROUP_VALUE: usize = 0;
const GROUP_HEAVIEST: usize = 8;
const GROUP_SAMPLE: usize = 16;
const GROUP_SAMPLES: usize = 20;
const GROUP_FIRST: usize = 24;
const GROUP_LAST: usize = 32;
const GROUP_INFERRED: usize = 40;
const GROUP_BYTES: usize = 48;

const rows: Block = changetype<Block>(memory.data(16, 4));
const groups: Block = changetype<Block>(memory.data(16, 4));
const records: Block = changetype<Block>(memory.data(16, 4));
const keys: Block = changetype<Block>(memory.data(16, 4));

/** The largest value of the rows as ordered last; 0 where all are below. */
export let heaviest: i64 = 0;
/** All values are unsigned numbers of 32 bits. */
let packed: bool = false;
let groupCount: u32 = 0;
let rowCount: u32 = 0;
let stamp: u32 = 0;
let rankedKind: u32 = 0;
let rankedKey: u32 = 0;
let rankedDerived: u32 = 0;
/** The ranking has requests (requests.ts). */
let hasRequests: bool = false;
let rankedIndex: IdIndex = changetype<IdIndex>(0);

/**
 * Adds the current selection up and returns the number of groups, group 0 included. The key is that of
 * RankKind.Attribute. `withRequests`: rows of attributes have their requests, which takes one more pass.
 */
export function rankBy(kind: u32, keyAt: usize, keySize: u32, withRequests: bool): u32 {
  const byAttribute = kind === RankKind.Attribute;
  const key: u32 = byAttribute ? findString(keyAt, keySize) : 0;
  const derived: u32 = byAttribute ? eventKey(keyAt, keySize) : EVENT_KEY_NONE;
  const isSame = rankedKind === kind && rankedKey === key && rankedDerived === derived;
  if (stamp === selectionStamp && isSame && hasRequests === (byAttribute && withRequests)) return groupCount;
  stamp = selectionStamp;
  hasRequests = byAttribute && withRequests;
  rankedKind = kind;
  rankedKey = key;
  rankedDerived = derived;

  if (byAttribute) {
    groupCount = groupByAttribute(key, derived);
    if (withRequests) {
      roots().grow(true);
      beginRequests();
    }
    addUp(0);
    if (withRequests) endRequests(groupCount);
    resetAttributeGroups();
  } else {
    rankedIndex = kind === RankKind.Span ? spans() : roots();
    rankedIndex.grow(kind === RankKind.LocalRoot);
    groupCount = rankedIndex.count;
    addUp(rankedIndex.groups.at);
  }
  return groupCount;
}

/** How many spans the current selection has: a ranking takes 64 bytes of each. */
export function countSpans(): u32 {
  needWeights();
  const index = spans();
  index.grow(false);
  const seen = rows.zeroed(index.count);
  const linkOf = wordColumn(SampleRow.LINK);
  let count: u32 = 0;
  for (let row: u32 = 1; row < maskRows; row++) {
    const i = (<usize>row) << 2;
    if (load<u8>(maskAt + row) === 0 || load<u32>(countAt + i) === 0) continue;
    const group = load<u32>(index.groups.at + ((<usize>load<u32>(linkOf + i)) << 2));
    if (group === 0 || load<u8>(seen + group) !== 0) continue;
    store<u8>(seen + group, 1);
    count++;
  }
  return count;
}

/** Has the groups of a ranking by local root have the extents of their roots over all profiles. */
export function rankExtents(): void {
  const extents = rootExtents();
  for (let group: u32 = 1; group < groupCount; group++) {
    const q = groups.at + <usize>group * GROUP_BYTES;
    memory.copy(q + GROUP_FIRST, extents + <usize>group * TIMES_BYTES, TIMES_BYTES);
  }
}

/** Low u64 and high u64 per group of a ranking by id, ascending. */
export function rankIds(): usize {
  return rankedIndex.ids.at;
}

/** A u32 per group, all 0, for the host to write into; valid for the next `rankOrder`. */
export function rankKeys(): usize {
  return keys.zeroed((<usize>groupCount) << 2);
}

/** Adds the selected samples up per group: by link where `byLink` is given, else by set, thread and event. */
function addUp(byLink: usize): void {
  needWeights();
  const times = sampleTimes();
  const at = groups.zeroed(<usize>groupCount * GROUP_BYTES);
  const linkOf = byLink !== 0 || hasRequests ? wordColumn(SampleRow.LINK) : 0;
  const rootOf = roots().groups.at;
  const inferred = inferredSets();
  // A row of an id has a span or a root, which may be recorded beside inferred attributes.
  const counted: u32 = byLink !== 0 ? Inferred.Link : Inferred.Any;
  const setOf = inferred !== 0 ? wordColumn(SampleRow.SET) : 0;
  for (let first: u32 = 0; first < maskRows; first += 8) {
    if (load<u64>(maskAt + first) === 0) continue;
    for (let row = first; row < first + 8; row++) {
      if (load<u8>(maskAt + row) === 0) continue;
      const i = (<usize>row) << 2;
      const group = byLink !== 0 ? load<u32>(byLink + ((<usize>load<u32>(linkOf + i)) << 2)) : groupOf(row);
      if (group === 0) continue;
      if (hasRequests) addRequest(group, load<u32>(rootOf + ((<usize>load<u32>(linkOf + i)) << 2)));
      const q = at + <usize>group * GROUP_BYTES;
      const value = load<i64>(weightAt + (i << 1));
      const count = load<u32>(q, GROUP_SAMPLES);
      addTo(q + GROUP_VALUE, value);
      store<u32>(q, count + load<u32>(countAt + i), GROUP_SAMPLES);
      if (inferred !== 0 && (load<u8>(inferred + load<u32>(setOf + i)) & counted) !== 0) {
        store<u32>(q, load<u32>(q, GROUP_INFERRED) + load<u32>(countAt + i), GROUP_INFERRED);
      }
      if (count === 0 || value > load<i64>(q, GROUP_HEAVIEST)) {
        store<i64>(q, value, GROUP_HEAVIEST);
        store<u32>(q, row, GROUP_SAMPLE);
      }
      // A selection of one profile has the times that this states.
      if (isOfAll && !isOfWork(row)) continue;
      const t = times + <usize>row * TIMES_BYTES;
      store<u64>(q, max<u64>(load<u64>(q, GROUP_FIRST), load<u64>(t, TIMES_FIRST)), GROUP_FIRST);
      store<u64>(q, max<u64>(load<u64>(q, GROUP_LAST), load<u64>(t, TIMES_LAST)), GROUP_LAST);
    }
  }
}

/** Puts the groups that have observations, with `keyed` those that the host lets in, in order; the number of rows. */
export function rankOrder(by: u32, keyed: bool): u32 {
  const start = records.fit(<usize>groupCount * RECORD_BYTES);
  let p = start;
  heaviest = 0;
  let bits: i64 = 0;
  for (let group: u32 = 1; group < groupCount; group++) {
    const q = groups.at + <usize>group * GROUP_BYTES;
    if (load<u32>(q, GROUP_SAMPLES) === 0) continue;
    if (keyed && load<u32>(keys.at + ((<usize>group) << 2)) === 0) continue;
    store<u64>(p, group, RECORD_PAYLOAD);
    p += RECORD_BYTES;
    heaviest = max<i64>(heaviest, load<i64>(q, GROUP_VALUE));
    bits |= load<i64>(q, GROUP_VALUE);
  }
  rowCount = <u32>((p - start) / RECORD_BYTES);
  // Two numbers of 32 bits are one key, which saves a million rows half of the time.
  packed = bits >>> 32 === 0;
  if (by === RankOrder.Value && !packed) sortBy(RankOrder.Samples);
  if (by === RankOrder.Samples && !packed) sortBy(RankOrder.Value);
  if (by !== RankOrder.Key || keyed) sortBy(by);
  keys.drop();
  return rowCount;
}

function sortBy(order: u32): void {
  const end = records.at + <usize>rowCount * RECORD_BYTES;
  for (let r = records.at; r < end; r += RECORD_BYTES) {
    const group = load<u32>(r, RECORD_PAYLOAD);
    store<u64>(r, keyOf(order, group, groups.at + <usize>group * GROUP_BYTES));
  }
  sortRecords(records.at, rowCount);
}

function keyOf(order: u32, group: u32, q: usize): u64 {
  if (packed && order <= <u32>RankOrder.Samples) {
    const value = 0xffff_ffff - <u64>load<u32>(q, GROUP_VALUE);
    const samples = 0xffff_ffff - <u64>load<u32>(q, GROUP_SAMPLES);
    return order === RankOrder.Value ? (value << 32) | samples : (samples << 32) | value;
  }
  if (order === RankOrder.Value) return descending(load<i64>(q, GROUP_VALUE));
  if (order === RankOrder.Samples) return descending(load<u32>(q, GROUP_SAMPLES));
  if (order === RankOrder.Key) return load<u32>(keys.at + ((<usize>group) << 2));
  if (!hasRequests && order >= <u32>RankOrder.Requests) return 0;
  if (order === RankOrder.Requests) return descending(load<u32>(requestsOf(group), RankRow.REQUEST_COUNT));
  if (order === RankOrder.Slowest) return descending(<i64>load<u64>(requestsOf(group), RankRow.REQUEST_P95));
  const first = ~load<u64>(q, GROUP_FIRST);
  return order === RankOrder.First ? first : ~(load<u64>(q, GROUP_LAST) - first);
}

/** Rows [offset, offset + limit) as ordered last, as far as there are any; good until the next call. */
export function rankRows(offset: u32, limit: u32): usize {
  const from = min<u32>(offset, rowCount);
  const n = min<u32>(limit, rowCount - from);
  const start = rows.zeroed(<usize>n * RankRow.BYTES);
  let r = records.at + <usize>from * RECORD_BYTES;
  for (let out = start; out < start + <usize>n * RankRow.BYTES; out += RankRow.BYTES, r += RECORD_BYTES) {
    const group = load<u32>(r, RECORD_PAYLOAD);
    const q = groups.at + <usize>group * GROUP_BYTES;
    store<i64>(out, load<i64>(q, GROUP_VALUE), RankRow.VALUE);
    store<u32>(out, load<u32>(q, GROUP_SAMPLES), RankRow.SAMPLES);
    // The first time and the last.
    memory.copy(out + RankRow.FIRST, q + GROUP_FIRST, TIMES_BYTES);
    const sample = load<u32>(q, GROUP_SAMPLE);
    store<u32>(out, sample, RankRow.SAMPLE);
    store<u32>(out, load<u32>(q, GROUP_INFERRED), RankRow.INFERRED);
    if (rankedKind === RankKind.Attribute) {
      store<u64>(out, group, RankRow.GROUP);
      if (hasRequests) memory.copy(out + RankRow.REQUESTS, requestsOf(group), RankRow.REQUEST_BYTES);
      store<u32>(
        out,
        group < attributes.count ? group : RankRow.LABEL_TEXT | eventText(rankedDerived, group - attributes.count),
        RankRow.LABEL,
      );
      continue;
    }
    const id = rankedIndex.ids.at + <usize>group * RankRow.ID_BYTES;
    if (rankedKind === RankKind.Span) {
      const link = load<u32>(sampleAt(sample), SampleRow.LINK);
      store<u64>(out, load<u64>(id, RankRow.ID_LOW), RankRow.SPAN);
      store<u64>(out, links.get64(link, LinkRow.TRACE_LOW), RankRow.TRACE_LOW);
      store<u64>(out, traceHighOf(link), RankRow.TRACE_HIGH);
    } else {
      memory.copy(out + RankRow.TRACE_LOW, id, RankRow.ID_BYTES);
    }
  }
  return start;
}

/** The attribute with this key that sample `row` has, directly or through its root; 0 if it has no such attribute. */
export function carriedAttribute(row: u32, key: u32): u32 {
  if (row >= sampleCount) return 0;
  const p = sampleAt(row);
  const own = inSet(load<u32>(p, SampleRow.SET), key);
  const rootSets = linkSets();
  if (own !== 0 || rootSets === 0) return own;
  return inSet(load<u32>(rootSets + ((<usize>load<u32>(p, SampleRow.LINK)) << 2)), key);
}

/** Bits of `Inferred` of the attribute sets: u8 per set. Sets never change; only new ones are read. */
const marks: Block = changetype<Block>(memory.data(16, 4));
/** Sets that `marks` covers. */
/** 0 where no sample has inferred context; else the bits of each set. */
function inferredSets(): usize {
  if (!hasInferred()) return 0;
  const covered = marks.covered;
  if (covered === sets.count) return marks.at;
  const at = marks.keep(sets.count, covered);
  for (let row = covered; row < sets.count; row++) store<u8>(at + row, inferredOf(row));
  marks.covered = sets.count;
  return at;
}
