/**
 * The samples that the other views count: one byte per sample row, 1 where every predicate holds.
 *
 *   selectBegin ─► selectSpan, selectRoot, selectAttribute … ─► selectEnd
 *                  each marks rows of a small table              one scan of the samples
 *
 *   sample | event | stack | link | thread | set |
 *             │               │       │       │
 *          eventOk         linkOk   bits    bits     attribute predicate i sets bit i; it may hold by the set, by the
 *          bits            bits                      thread, by the event or by what is said of the link's root, so a
 *                                                    sample has it when any of them does
 *
 * Samples read after selectEnd are not selected: select again after reading more.
 */
import {
  eventCount,
  PROFILE_SECOND_STORED,
  PROFILE_SECOND_TYPE,
  profileAt,
  profileCount,
  profileOfEvent,
} from "../store/profiles";
import { linkSets } from "../store/roots";
import {
  SAMPLE_BYTES,
  SAMPLE_COUNT,
  SAMPLE_EVENT,
  SAMPLE_LINK,
  SAMPLE_SET,
  SAMPLE_SUM,
  SAMPLE_THREAD,
  sampleCount,
  sampleRows,
  secondSum,
} from "../store/samples";
import {
  attributes,
  LINK_SPAN,
  LINK_TRACE_HIGH,
  LINK_TRACE_LOW,
  links,
  sets,
  THREAD_ID,
  THREAD_NAME,
  threads,
} from "../store/tables";
import { Block } from "./block";
import { EVENT_KEY_NONE, eventKey, eventText, findString, matchAttributes, NO_STRING, wantValue } from "./lookup";

const mask: Block = changetype<Block>(memory.data(8, 8));
const linkOk: Block = changetype<Block>(memory.data(8, 8));
const setBits: Block = changetype<Block>(memory.data(8, 8));
const threadBits: Block = changetype<Block>(memory.data(8, 8));
const linkBits: Block = changetype<Block>(memory.data(8, 8));
const attributeOk: Block = changetype<Block>(memory.data(8, 8));
/** MAX_EVENTS entries each. */
const eventOk: usize = memory.data(256);
const eventBits: usize = memory.data(256 * 4, 4);

/** Attribute predicates that one scan can tell apart. */
const BITS: u32 = 32;

/** Rows that the mask covers, row 0 included; 0 while nothing was selected. */
export let maskRows: u32 = 0;
/** The mask, with 8 zero bytes behind the last row, so that a scan may go by eights. */
export let maskAt: usize = 0;
/** Changes with every selection, so that what was computed from one can be kept as long as it stands. */
export let selectionStamp: u32 = 1;

/** What a sample weighs: the sum of its values, of its second values, or the number of its observations. */
export enum Measure {
  Value,
  Second,
  Count,
}

let measure: Measure = Measure.Value;
let building: u32 = 0;
let predicates: u32 = 0;
let count: u32 = 0;
let value: i64 = 0;

export function resetSelection(): void {
  mask.forget();
  linkOk.forget();
  setBits.forget();
  threadBits.forget();
  linkBits.forget();
  attributeOk.forget();
  measure = Measure.Value;
  maskRows = 0;
  maskAt = 0;
  building = 0;
  predicates = 0;
  count = 0;
  value = 0;
  selectionStamp++;
}

/** What sample `row`, whose row is at `p`, weighs in the current selection. */
export function weightOf(row: u32, p: usize): i64 {
  if (measure === Measure.Value) return load<i64>(p, SAMPLE_SUM);
  return measure === Measure.Second ? secondSum(row) : <i64>load<u32>(p, SAMPLE_COUNT);
}

/**
 * Starts a selection of the samples of one profile, or of all with -1. With `second`, they weigh by the profile's second
 * measure, if it has one. Until selectEnd nothing is selected.
 */
export function selectBegin(profile: i32, second: bool): void {
  selectionStamp++;
  measure = Measure.Value;
  if (second && profile >= 0 && <u32>profile < profileCount) {
    const p = profileAt(profile);
    if (load<u32>(p, PROFILE_SECOND_TYPE) !== 0)
      measure = load<u32>(p, PROFILE_SECOND_STORED) !== 0 ? Measure.Second : Measure.Count;
  }
  maskRows = 0;
  count = 0;
  value = 0;
  building = sampleCount;
  predicates = 0;
  linkOk.drop();
  maskAt = mask.fit(<usize>building + 8);
  memory.fill(maskAt, 1, building);
  store<u8>(maskAt, 0);
  store<u64>(maskAt + building, 0);
  for (let e: u32 = 0; e < eventCount; e++) {
    store<u8>(eventOk + e, profile < 0 || profileOfEvent(e) === <u32>profile ? 1 : 0);
  }
}

/** Only samples of this span. No sample has a span 0. */
export function selectSpan(span: u64): void {
  narrowLinks(LINK_SPAN, span);
}

/**
 * Only samples whose trace id ends in this local root span id. No sample has a local root 0. With a high half, only those of
 * that very trace; without, also those of a trace of 128 bits that ends so, for it is how the low half alone is passed on.
 */
export function selectRoot(root: u64, high: u64): void {
  if (high === 0) {
    narrowLinks(LINK_TRACE_LOW, root);
    return;
  }
  narrowLinks(LINK_TRACE_HIGH, high);
  for (let i: u32 = 0; i < links.count; i++) if (links.get64(i, LINK_TRACE_LOW) !== root) store<u8>(linkOk.at + i, 0);
}

function narrowLinks(word: u32, id: u64): void {
  if (linkOk.at === 0) memory.fill(linkOk.fit(links.count), 1, links.count);
  const ok = linkOk.at;
  let p = links.rows + ((<usize>word) << 2);
  const bytes = (<usize>links.words) << 2;
  for (let i: u32 = 0; i < links.count; i++) {
    if (id === 0 || load<u64>(p) !== id) store<u8>(ok + i, 0);
    p += bytes;
  }
}

/** Only samples that carry this attribute with a value that reads as this text. */
export function selectAttribute(keyAt: usize, keySize: u32, valueAt: usize, valueSize: u32): void {
  if (predicates === BITS) {
    scan();
    predicates = 0;
  }
  if (predicates === 0) {
    setBits.zeroed((<usize>sets.count) << 2);
    threadBits.zeroed((<usize>threads.count) << 2);
    linkBits.drop();
    if (linkSets() !== 0) linkBits.zeroed((<usize>links.count) << 2);
    memory.fill(eventBits, 0, 256 * 4);
  }
  const bit: u32 = (<u32>1) << predicates;
  predicates++;

  const text = wantValue(valueAt, valueSize);
  const ok = attributeOk.fit(attributes.count);
  matchAttributes(ok, findString(keyAt, keySize), true);
  for (let s: u32 = 1; s < sets.count; s++) {
    let p = sets.pointer(s);
    const end = p + (sets.size(s) & ~3);
    for (; p < end; p += 4) {
      const a = load<u32>(p);
      if (a < attributes.count && load<u8>(ok + a) !== 0) {
        addBit(setBits.at, s, bit);
        break;
      }
    }
  }
  if (linkBits.at !== 0) {
    const bySet = setBits.at;
    const column = linkSets();
    for (let i: u32 = 1; i < links.count; i++) {
      const set = load<u32>(column + ((<usize>i) << 2));
      if (set !== 0 && (load<u32>(bySet + ((<usize>set) << 2)) & bit) !== 0) addBit(linkBits.at, i, bit);
    }
  }
  for (let t: u32 = 1; t < threads.count; t++) {
    const name = threads.get(t, THREAD_NAME);
    const id = threads.get(t, THREAD_ID);
    if ((name < attributes.count && load<u8>(ok + name) !== 0) || (id < attributes.count && load<u8>(ok + id) !== 0)) {
      addBit(threadBits.at, t, bit);
    }
  }
  const derived = eventKey(keyAt, keySize);
  if (derived === EVENT_KEY_NONE || text === NO_STRING) return;
  for (let e: u32 = 0; e < eventCount; e++) {
    if (eventText(derived, e) === text) addBit(eventBits, e, bit);
  }
}

function addBit(at: usize, i: u32, bit: u32): void {
  const p = at + ((<usize>i) << 2);
  store<u32>(p, load<u32>(p) | bit);
}

/** Computes the mask and the totals. */
export function selectEnd(): void {
  scan();
  linkOk.drop();
  setBits.drop();
  threadBits.drop();
  linkBits.drop();
  attributeOk.drop();
  maskRows = building;
  selectionStamp++;
}

/** Clears the mask where a predicate made so far does not hold, and sums up what is left. */
function scan(): void {
  const wanted: u32 = predicates === BITS ? 0xffff_ffff : ((<u32>1) << predicates) - 1;
  const ok = linkOk.at;
  const bySet = setBits.at;
  const byThread = threadBits.at;
  const byLink = linkBits.at;
  count = 0;
  value = 0;
  let p = sampleRows;
  for (let row: u32 = 1; row < building; row++) {
    p += SAMPLE_BYTES;
    const event = load<u32>(p, SAMPLE_EVENT);
    let keep = load<u8>(eventOk + event) !== 0;
    if (keep && ok !== 0) keep = load<u8>(ok + load<u32>(p, SAMPLE_LINK)) !== 0;
    if (keep && wanted !== 0) {
      let bits =
        load<u32>(bySet + ((<usize>load<u32>(p, SAMPLE_SET)) << 2)) |
        load<u32>(byThread + ((<usize>load<u32>(p, SAMPLE_THREAD)) << 2)) |
        load<u32>(eventBits + ((<usize>event) << 2));
      if (byLink !== 0) bits |= load<u32>(byLink + ((<usize>load<u32>(p, SAMPLE_LINK)) << 2));
      keep = (bits & wanted) === wanted;
    }
    if (!keep) {
      store<u8>(maskAt + row, 0);
    } else if (load<u8>(maskAt + row) !== 0) {
      count += load<u32>(p, SAMPLE_COUNT);
      value += weightOf(row, p);
    }
  }
}

/** Observations of the selected samples. */
export function selectedSamples(): u32 {
  return count;
}

/** What they weigh. */
export function selectedValue(): i64 {
  return value;
}

/** One byte per sample row; good until the next selectBegin. */
export function selectionMask(): usize {
  return maskAt;
}

/** Rows of the mask, row 0 included. */
export function selectionRows(): u32 {
  return maskRows;
}
