/**
 * The current selection by span, by local root or by the values of one attribute, heaviest first: by value, then by
 * observations, then by id (unsigned) or, for attributes, in the order first seen.
 *
 *   row   | span u64 | trace low u64 | trace high u64 | value i64 | observations u32 | label u32 |       40 bytes
 *
 *   span   by span only
 *   trace  by local root: the id itself, a local root where the high half is 0; by span: the trace in the link of the
 *          span's heaviest sample (of equals, the one read first)
 *   label  attribute rows only: an attribute, or LABEL_TEXT | string index for the keys that the event row gives
 *
 * First everything is added up per group, where a group is a small number that a link, set, thread or event stands for:
 *
 *   group | value i64 | heaviest i64 | heaviest sample u32 | observations u32 |           24 bytes, group 0 = no row
 */
import { eventCount } from "../store/profiles";
import { linkSets } from "../store/roots";
import {
  SAMPLE_BYTES,
  SAMPLE_EVENT,
  SAMPLE_LINK,
  SAMPLE_SET,
  SAMPLE_THREAD,
  sampleAt,
  sampleRows,
} from "../store/samples";
import {
  attributes,
  LINK_TRACE_HIGH,
  LINK_TRACE_LOW,
  links,
  sets,
  THREAD_ID,
  THREAD_NAME,
  threads,
} from "../store/tables";
import { Block } from "./block";
import { IdIndex, roots, spans } from "./ids";
import { EVENT_KEY_NONE, eventKey, eventText, findString, matchAttributes } from "./lookup";
import { descending, RECORD_BYTES, sortRecords } from "./order";
import { countOf, maskAt, maskRows, selectionStamp, weightOf } from "./selection";

export const RANK_ROOT: u32 = 0;
export const RANK_SPAN: u32 = 1;
export const RANK_ATTRIBUTE: u32 = 2;

/** Set in a label that is a string index. */
export const LABEL_TEXT: u32 = 0x8000_0000;

const ROW_BYTES: usize = 40;
const GROUP_BYTES: usize = 24;

const rows: Block = changetype<Block>(memory.data(8, 8));
const groups: Block = changetype<Block>(memory.data(8, 8));
const records: Block = changetype<Block>(memory.data(8, 8));
const attributeOk: Block = changetype<Block>(memory.data(8, 8));
const setGroup: Block = changetype<Block>(memory.data(8, 8));
const threadGroup: Block = changetype<Block>(memory.data(8, 8));
const eventGroup: usize = memory.data(256 * 4, 4);

let rowCount: u32 = 0;
let stamp: u32 = 0;
let rankedKind: u32 = 0;
let rankedKey: u32 = 0;
let rankedDerived: u32 = 0;

export function resetRank(): void {
  rows.forget();
  groups.forget();
  records.forget();
  attributeOk.forget();
  setGroup.forget();
  threadGroup.forget();
  rowCount = 0;
  stamp = 0;
}

/** Ranks the current selection and returns the number of rows. The key is that of RANK_ATTRIBUTE. */
export function rankBy(kind: u32, keyAt: usize, keySize: u32): u32 {
  const byAttribute = kind === RANK_ATTRIBUTE;
  const key: u32 = byAttribute ? findString(keyAt, keySize) : 0;
  const derived: u32 = byAttribute ? eventKey(keyAt, keySize) : EVENT_KEY_NONE;
  if (stamp === selectionStamp && rankedKind === kind && rankedKey === key && rankedDerived === derived)
    return rowCount;
  stamp = selectionStamp;
  rankedKind = kind;
  rankedKey = key;
  rankedDerived = derived;

  if (byAttribute) {
    groupByAttribute(key, derived);
    addUp(attributes.count + eventCount, 0);
    order(attributes.count + eventCount);
    writeLabels(derived);
    setGroup.drop();
    threadGroup.drop();
  } else {
    const index = kind === RANK_SPAN ? spans() : roots();
    index.grow(kind === RANK_ROOT);
    addUp(index.count, index.groups.at);
    order(index.count);
    writeIds(index, kind === RANK_SPAN);
  }
  groups.drop();
  records.drop();
  return rowCount;
}

/** Rows of the last ranking; good until the next one. */
export function rankRows(): usize {
  return rows.at;
}

/**
 * Groups by attribute: the first attribute of the set with this key, else the thread's, else what is said of the link's root,
 * else what the event row gives.
 * Events of one text share the group of the first of them.
 */
function groupByAttribute(key: u32, derived: u32): void {
  const ok = attributeOk.fit(attributes.count);
  matchAttributes(ok, key, false);
  const bySet = setGroup.zeroed((<usize>sets.count) << 2);
  for (let s: u32 = 1; s < sets.count; s++) {
    let p = sets.pointer(s);
    const end = p + (sets.size(s) & ~3);
    for (; p < end; p += 4) {
      const a = load<u32>(p);
      if (a >= attributes.count || load<u8>(ok + a) === 0) continue;
      store<u32>(bySet + ((<usize>s) << 2), a);
      break;
    }
  }
  const byThread = threadGroup.zeroed((<usize>threads.count) << 2);
  for (let t: u32 = 1; t < threads.count; t++) {
    const name = threads.get(t, THREAD_NAME);
    const id = threads.get(t, THREAD_ID);
    let a: u32 = 0;
    if (name < attributes.count && load<u8>(ok + name) !== 0) a = name;
    else if (id < attributes.count && load<u8>(ok + id) !== 0) a = id;
    store<u32>(byThread + ((<usize>t) << 2), a);
  }
  memory.fill(eventGroup, 0, 256 * 4);
  if (derived !== EVENT_KEY_NONE) {
    for (let e: u32 = 0; e < eventCount; e++) {
      if (eventText(derived, e) === 0) continue;
      let first: u32 = 0;
      while (eventText(derived, first) !== eventText(derived, e)) first++;
      store<u32>(eventGroup + ((<usize>e) << 2), attributes.count + first);
    }
  }
  attributeOk.drop();
}

/** Adds the selected samples up per group: by link where `byLink` is given, else by set, thread and event. */
function addUp(count: u32, byLink: usize): void {
  const at = groups.zeroed(<usize>count * GROUP_BYTES);
  const bySet = setGroup.at;
  const byThread = threadGroup.at;
  const rootSets = linkSets();
  for (let first: u32 = 0; first < maskRows; first += 8) {
    if (load<u64>(maskAt + first) === 0) continue;
    for (let row = first; row < first + 8; row++) {
      if (load<u8>(maskAt + row) === 0) continue;
      const p = sampleRows + <usize>row * SAMPLE_BYTES;
      let group: u32 = 0;
      if (byLink !== 0) {
        group = load<u32>(byLink + ((<usize>load<u32>(p, SAMPLE_LINK)) << 2));
      } else {
        group = load<u32>(bySet + ((<usize>load<u32>(p, SAMPLE_SET)) << 2));
        if (group === 0) group = load<u32>(byThread + ((<usize>load<u32>(p, SAMPLE_THREAD)) << 2));
        if (group === 0 && rootSets !== 0) {
          const set = load<u32>(rootSets + ((<usize>load<u32>(p, SAMPLE_LINK)) << 2));
          group = load<u32>(bySet + ((<usize>set) << 2));
        }
        if (group === 0) group = load<u32>(eventGroup + ((<usize>load<u32>(p, SAMPLE_EVENT)) << 2));
      }
      if (group === 0) continue;
      const q = at + <usize>group * GROUP_BYTES;
      const value = weightOf(row, p);
      const count = load<u32>(q, 20);
      store<i64>(q, load<i64>(q) + value);
      store<u32>(q, count + countOf(row, p), 20);
      if (count === 0 || value > load<i64>(q, 8)) {
        store<i64>(q, value, 8);
        store<u32>(q, row, 16);
      }
    }
  }
}

/** Puts the groups that have observations into `records`, heaviest first; groups come ascending by id. */
function order(count: u32): void {
  const start = records.fit(<usize>count * RECORD_BYTES);
  let p = start;
  let q = groups.at;
  for (let group: u32 = 1; group < count; group++) {
    q += GROUP_BYTES;
    const observations = load<u32>(q, 20);
    if (observations === 0) continue;
    store<u64>(p, descending(observations));
    store<u64>(p, group, 8);
    p += RECORD_BYTES;
  }
  rowCount = <u32>((p - start) / RECORD_BYTES);
  sortRecords(start, rowCount);
  for (let r = start; r < p; r += RECORD_BYTES) {
    store<u64>(r, descending(load<i64>(groups.at + <usize>load<u32>(r, 8) * GROUP_BYTES)));
  }
  sortRecords(start, rowCount);
}

function writeIds(index: IdIndex, bySpan: bool): void {
  let out = rows.fit(<usize>rowCount * ROW_BYTES);
  const end = records.at + <usize>rowCount * RECORD_BYTES;
  for (let r = records.at; r < end; r += RECORD_BYTES) {
    const group = <usize>load<u32>(r, 8);
    const q = groups.at + group * GROUP_BYTES;
    const id = index.ids.at + (group << 4);
    const link = load<u32>(sampleAt(load<u32>(q, 16)), SAMPLE_LINK);
    store<u64>(out, bySpan ? load<u64>(id) : 0);
    store<u64>(out, bySpan ? links.get64(link, LINK_TRACE_LOW) : load<u64>(id), 8);
    store<u64>(out, bySpan ? links.get64(link, LINK_TRACE_HIGH) : load<u64>(id, 8), 16);
    store<i64>(out, load<i64>(q), 24);
    store<u32>(out, load<u32>(q, 20), 32);
    store<u32>(out, 0, 36);
    out += ROW_BYTES;
  }
}

function writeLabels(derived: u32): void {
  let out = rows.fit(<usize>rowCount * ROW_BYTES);
  const end = records.at + <usize>rowCount * RECORD_BYTES;
  for (let r = records.at; r < end; r += RECORD_BYTES) {
    const group = load<u32>(r, 8);
    const q = groups.at + <usize>group * GROUP_BYTES;
    const label = group < attributes.count ? group : LABEL_TEXT | eventText(derived, group - attributes.count);
    memory.fill(out, 0, 24);
    store<i64>(out, load<i64>(q), 24);
    store<u32>(out, load<u32>(q, 20), 32);
    store<u32>(out, label, 36);
    out += ROW_BYTES;
  }
}
