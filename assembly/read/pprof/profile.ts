/**
 * Reader of a pprof profile. It fills the store in slices: `openPprof` records the positions of all fields, because
 * fields come in any order, and makes rows of the tables; `stepPprof` reads samples.
 *
 *   Profile  1 sample types … · 2 samples … · 3 mappings … · 4 locations … · 5 functions … · 6 strings … ·
 *            7 drop frames · 8 keep frames · 9 time · 10 duration · 11 period type · 12 period · 13 comments … ·
 *            14 default sample type · 15 documentation URL         all texts by string index; times in ns
 *   Sample   1 location ids …, leaf first · 2 values …, one per sample type · 3 labels …
 */

import * as Diagnostic from "../../abi/formats/pprof";
import * as Slice from "../../abi/slice";
import { isText } from "../../memory/ascii";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { endScratch, scratch } from "../../memory/scratch";
import { sliceAt, sliceEnd } from "../../memory/slice";
import { diagnose } from "../../store/diagnostics";
import { eventOf, NO_ROW } from "../../store/profile-lookup";
import { coverTime, Shape } from "../../store/profiles";
import * as LinkRow from "../../store/rows/link-row";
import { append, appendTimeless, coverObservations, rowOf } from "../../store/samples";
import { noteSkippedIn } from "../../store/skipped";
import { internText, links, strings } from "../../store/tables";
import { countSample } from "../counter";
import { beginEncodings, endEncodings } from "../encoded";
import { internStack } from "../kept-stack";
import { internIds } from "../own-ids";
import {
  beginNumbers,
  beginWire,
  DELIMITED,
  field,
  from,
  nextNumber,
  number,
  offsetOf,
  take,
  takeOf,
  to,
  value,
  wire,
} from "../protobuf";
import { filtered, wantsStacks } from "../wanted";
import { byAttributes, wantsAttributes } from "../wanted-attributes";
import { addType, beginGroup, openGroup, setPeriod, typeCount, unitName } from "./group";
import { beginLabels, endLabels, mayBeWanted, setOf, takeLabel, threadOf, time } from "./labels";
import { beginRemarks, noteRemark, remarks } from "./remarks";
import { beginTables, endTables, locationAt, noteElement, readTables, stringAt, Table } from "./tables";

const PROFILE: u64 = 0x1151_4111_1444_4440;
const SAMPLE: u64 = 0x4550;
const VALUE_TYPE: u64 = 0x110;

/** Where the ValueTypes are: | pointer u32 | size u32 |. */
const types: Buffer = ownBuffer(1 << 8);
const packed: Buffer = ownBuffer(1 << 10);
const values: Buffer = ownBuffer(1 << 8);
/** First profile of the group, and | event row u32, for each shape | + 1 of each of its profiles. */
let group: u32 = 0;
/** The only sample type is a count. */
let countsOnly: bool = false;
let events: usize = 0;
let at: usize = 0;
let end: usize = 0;

/** Opens the profile of `n` bytes at `p`; false when no value in it means anything. */
export function openPprof(p: usize, n: u32): bool {
  beginWire(p, Diagnostic.Broken, Diagnostic.Cut, Diagnostic.WireType);
  beginEncodings(n);
  beginTables();
  beginGroup();
  beginRemarks();
  types.size = 0;
  at = p;
  end = p + n;
  let start: u64 = 0;
  let duration: u64 = 0;
  let periodAt: usize = 0;
  let periodEnd: usize = 0;
  let period: i64 = 0;
  while (p < end) {
    const here = p;
    p = takeOf(p, end, PROFILE);
    switch (field) {
      case 1:
        types.u32(<u32>from);
        types.u32(<u32>(to - from));
        break;
      case 3:
      case 4:
      case 5:
      case 6:
        noteElement(<Table>field, from, to);
        break;
      case 9:
        start = value;
        break;
      case 10:
        duration = value;
        break;
      case 11:
        periodAt = from;
        periodEnd = to;
        break;
      case 12:
        period = <i64>value;
        break;
      case 7:
      case 8:
      case 13:
      case 14:
      case 15:
        noteRemark(here);
        break;
      default:
    }
  }
  readTables();
  for (let o: u32 = 0; o < types.size; o += <u32>Slice.BYTES) {
    readType(sliceAt(types.at + o), sliceEnd(types.at + o));
    addType(typeIndex, unitIndex);
  }
  if (types.size === 0 && hasBareSamples(end - n)) {
    addType(internText("samples"), internText("count"));
    types.u64(0);
  }
  if (types.size === 0) {
    diagnose(Diagnostic.NoTypes, 0, 0);
    at = end;
    return false;
  }
  readType(periodAt, periodEnd);
  setPeriod(typeIndex, unitIndex, period);
  if (start !== 0) coverTime(start, start + duration < start ? u64.MAX_VALUE : start + duration);
  countsOnly = typeCount() === 1 && isText(strings.pointer(unitName(0)), strings.size(unitName(0)), "count");
  group = openGroup(remarks());
  events = scratch((typeCount() << 3) + 8);
  return true;
}

/** Whether the profile has samples, the first of which has no value. Profiles of Splunk's agents are such. */
function hasBareSamples(p: usize): bool {
  while (p < end) {
    p = take(p, end);
    if (field !== 2 || wire !== DELIMITED) continue;
    for (let q = from, last = to; q < last; ) {
      q = take(q, last);
      if (field === 2) return false;
    }
    return true;
  }
  return false;
}

let typeIndex: u32 = 0;
let unitIndex: u32 = 0;

/** A ValueType: 1 type · 2 unit. */
function readType(p: usize, last: usize): void {
  typeIndex = 0;
  unitIndex = 0;
  while (p < last) {
    const here = p;
    p = takeOf(p, last, VALUE_TYPE);
    if (field === 1) typeIndex = stringAt(value, here);
    else if (field === 2) unitIndex = stringAt(value, here);
  }
}

/** Goes on for about `budget` bytes. True while there is more. */
export function stepPprof(budget: u32): bool {
  const stop = budget < <u32>(end - at) ? at + budget : end;
  while (at < stop) {
    // `openPprof` has reported fields of other wire types.
    at = take(at, end);
    if (field !== 2 || wire !== DELIMITED) continue;
    readSample(from, to);
    countSample();
  }
  return at < end;
}

export function pprofBytesLeft(): u32 {
  return <u32>(end - at);
}

/** Frees everything of the profile except its rows in the store. */
export function closePprof(): void {
  endTables();
  endEncodings();
  endScratch();
  at = end;
}

function readSample(p: usize, last: usize): void {
  const start = p;
  packed.size = 0;
  values.size = 0;
  beginLabels();
  while (p < last) {
    const here = p;
    p = takeOf(p, last, SAMPLE);
    if (field === 1) {
      beginNumbers();
      while (nextNumber()) packed.varint(locationAt(number, here));
    } else if (field === 2) {
      beginNumbers();
      while (nextNumber()) values.u64(number);
    } else if (field === 3) {
      takeLabel(from, to, group);
    }
  }
  endLabels();
  // A profile that only counts samples has a value without saying so.
  if (values.size === 0 && countsOnly) values.u64(1);
  observeAll(start);
}

/** One observation for each value that is not 0; a sample of zeros only becomes one observation of its first value. */
function observeAll(start: usize): void {
  const n = values.size >> 3;
  if (n !== types.size >> 3) diagnose(Diagnostic.ValueCount, offsetOf(start), n);
  if (filtered && !mayBeWanted()) {
    skip(n);
    return;
  }
  const link = internIds();
  const thread = threadOf();
  const set = setOf(link, start);
  if (filtered && byAttributes && !wantsAttributes(set, thread, links.get64(link, LinkRow.TRACE_LOW))) {
    skip(n);
    return;
  }
  const stack = wantsStacks ? internStack(packed, Diagnostic.StackDeep, offsetOf(start)) : 0;
  let any = false;
  for (let i: u32 = 0; i < min<u32>(n, typeCount()); i++) {
    const v = load<i64>(values.at + ((<usize>i) << 3));
    if (v === 0) continue;
    any = true;
    observe(i, stack, link, thread, set, v);
  }
  if (!any && typeCount() !== 0) observe(0, stack, link, thread, set, 0);
}

/** Keeps of a sample of `n` values what belongs to the facts of the whole profile. */
function skip(n: u32): void {
  if (time !== 0) coverObservations(time, time);
  let any = false;
  for (let i: u32 = 0; i < min<u32>(n, typeCount()); i++) {
    if (load<i64>(values.at + ((<usize>i) << 3)) === 0) continue;
    any = true;
    noteSkippedIn(group + i);
  }
  if (!any && typeCount() !== 0) noteSkippedIn(group);
}

function observe(type: u32, stack: u32, link: u32, thread: u32, set: u32, v: i64): void {
  const event = eventRow(type);
  if (event === NO_ROW) return;
  const row = rowOf(event, stack, link, thread, set);
  if (time === 0) appendTimeless(row, v, 0);
  else append(row, time, v, 0);
}

/** The event row of sample type `type` for samples with a time or without. */
function eventRow(type: u32): u32 {
  const shape = time === 0 ? Shape.Values : Shape.ValuesAndTimes;
  const known = events + ((<usize>type) << 3) + (time === 0 ? 4 : 0);
  if (load<u32>(known) !== 0) return load<u32>(known) - 1;
  const event = eventOf(group + type, 0, shape, true);
  if (event === NO_ROW) diagnose(Diagnostic.TypesMany, 0, typeCount());
  else store<u32>(known, event + 1);
  return event;
}
