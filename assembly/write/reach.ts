/**
 * Rows that a selection refers to, and their indices in the message. Every table of the store gets a map of one u32 per
 * row: the row's index in the written dictionary, 0 for rows that are not written (and for the zero element). Written
 * rows keep the order of the store, so equal stores give equal bytes, or have that of their first use (columns.ts);
 * each row is written once, and only if it is referenced.
 */

import * as ProfileRow from "../abi/rows/profile-row";
import * as WritePlan from "../abi/write-plan";
import { BytesTable } from "../memory/bytes-table";
import { RowTable } from "../memory/row-table";
import { frameCount, frameOf } from "../store/frames";
import { eventCount, profileAt, profileCount } from "../store/profiles";
import { linkSets } from "../store/roots";
import * as LineRow from "../store/rows/line-row";
import * as SampleRow from "../store/rows/sample-row";
import { sampleCount } from "../store/samples";
import { isDerived, repetition, Table, targetOf, wordCount } from "../store/schema";
import { spanTraceCount } from "../store/span-traces";
import {
  functions,
  links,
  locationDetails,
  locations,
  lookalike,
  mappings,
  sets,
  stacks,
  threads,
} from "../store/tables";
import { attributeCount, attributeWord, stringCount } from "./added";
import { beginCarried, setOf } from "./carried";
import { arrange, at, byUse, mark, marked, number, places, put, rowAt, use } from "./columns";
import { beginLinkTraces, hasLinkTraces, sharedTrace, traceRowOf } from "./link-traces";
import { beginMask, isSelected, maskedAt, maskedRows, sampleOrder } from "./mask";
import { scratch, zeroed } from "./output";
import * as OutputRow from "./output-row";
import { hasPeriod, outputAt, outputCount, readPlan, writtenProfile } from "./plan";
import { beginLists, listOf } from "./set-lists";
import {
  addOwn,
  eventAttributes,
  frameAttribute,
  isLone,
  linkAttributes,
  originBit,
  outputLabels,
  profileTraces,
  SHORT_TRACES,
} from "./writer-attributes";

export let stringMap: usize = 0;
export let functionMap: usize = 0;
export let mappingMap: usize = 0;
export let locationMap: usize = 0;
export let stackMap: usize = 0;
export let linkMap: usize = 0;
export let attributeMap: usize = 0;
/** Orders of the rows (columns.ts), 0 = that of the store; of links, also of those with an attribute in their place. */
export let stringOrder: usize = 0;
export let functionOrder: usize = 0;
export let mappingOrder: usize = 0;
export let locationOrder: usize = 0;
export let stackOrder: usize = 0;
export let linkOrder: usize = 0;
export let attributeOrder: usize = 0;
export let threadOrder: usize = 0;
export let setOrder: usize = 0;
/** Every location keeps its index: a stack's bytes may be written unchanged. */
export let sameLocations: bool = false;

/** Columns: 1 for a thread, set or event row in use; the selected samples of each profile, and their totals. */
export let threadMarks: usize = 0;
export let setMarks: usize = 0;
export let eventMarks: usize = 0;
export let profileSamples: usize = 0;
/** Column per ProfileRow.GROUP: 1 if a type of the pprof file has selected samples; 0 = no pprof file has none. */
let groupMarks: usize = 0;
/** u64 per profile: a sum over its samples that hardly two different profiles share (profile-id.ts). */
export let profileSums: usize = 0;
/** Column per profile: 1 if samples of it are not selected. */
export let profileRests: usize = 0;
/** Origin of the trace ids of each profile, bits of writer-attributes.ts. */
let origins: usize = 0;
/** Sets outside of samples, and details of locations. */
let otherSets: usize = 0;
let detailsMarks: usize = 0;
let anyShortTrace: bool = false;

/**
 * Outputs that are written, and the samples of all of them. A message without a Profile is not valid (rule E05 of
 * docs/validator.md), so without any sample the first output is written without.
 */
export let reachedOutputs: u32 = 0;
export let writtenSamples: u32 = 0;
/** Rows of the store that are selected, and their observations. */
export let reachedSamples: u32 = 0;
/** No output has samples or is to be kept. */
let nothingReached: bool = false;
export let reachedObservations: u32 = 0;
/** Some selected sample has more than one observation. */
export let repeated: bool = false;
/** u32 per link: the attribute set of its root; 0 while no root has one. */
export let rootSets: usize = 0;

/**
 * Whether output `i` is written: its profile has selected samples or is a type to be kept without; or no profile has,
 * and it is the first.
 */
export function isReached(i: u32): bool {
  const output = outputAt(i);
  const profile = load<u32>(output, OutputRow.PROFILE);
  const flags = load<u32>(output, OutputRow.FLAGS);
  if (marked(profileSamples, profile) || (flags & WritePlan.OUTPUT_KEPT) !== 0) return true;
  if ((flags & WritePlan.OUTPUT_STATED) !== 0 && marked(groupMarks, load<u32>(profileAt(profile), ProfileRow.GROUP)))
    return true;
  return nothingReached && i === 0;
}

/**
 * Makes the mask of the message (mask.ts) by the plan at `plan` (plan.ts), and numbers the rows that it reaches; `mask`
 * has a 1 for each selected sample, and 0 takes all. `traced`: the format has ids of traces beside the recordings
 * (link-traces.ts), and Resources. All columns are scratch of the message.
 */
export function reach(mask: usize, plan: usize, traced: bool = false): void {
  readPlan(plan);
  beginLinkTraces(traced);
  beginCarried(traced);
  rootSets = linkSets();
  beginMask(mask);
  beginLists();
  markSamples();
  stackOrder = arrange(stackMap, stacks.count);
  linkOrder = arrange(linkMap, links.count);
  threadOrder = arrange(threadMarks, threads.count);
  // Before the columns beside attributes and strings, of which it may add some.
  addOwn(profileSamples, origins, eventMarks, linkMap);
  attributeMap = zeroed(attributeCount());
  stringMap = zeroed(stringCount());
  otherSets = zeroed(sets.count);
  detailsMarks = zeroed(locationDetails.count);
  locationMap = zeroed(locations.count);
  functionMap = zeroed(functions.count);
  mappingMap = zeroed(mappings.count);
  markOutputs();
  markLinks();
  setOrder = arrange(setMarks, sets.count);
  markStacks();
  locationOrder = arrange(locationMap, locations.count);
  followRows(Table.Threads, threads, threadMarks, threadOrder);
  followRows(Table.Locations, locations, locationMap, locationOrder);
  markFrames();
  functionOrder = arrange(functionMap, functions.count);
  mappingOrder = arrange(mappingMap, mappings.count);
  followLists(Table.Details, locationDetails, detailsMarks, arrange(detailsMarks, locationDetails.count));
  followRows(Table.Mappings, mappings, mappingMap, mappingOrder);
  followLists(Table.Sets, sets, setMarks, setOrder);
  followLists(Table.Sets, sets, otherSets, arrange(otherSets, sets.count));
  attributeOrder = arrange(attributeMap, attributeCount());
  markKeys();
  followRows(Table.Functions, functions, functionMap, functionOrder);
  stringOrder = arrange(stringMap, stringCount());
  numberLinks();
  if (byUse) {
    sameLocations = false;
    return;
  }
  number(stackMap, stacks.count);
  number(functionMap, functions.count);
  number(mappingMap, mappings.count);
  number(attributeMap, attributeCount());
  number(stringMap, stringCount());
  sameLocations = number(locationMap, locations.count) === locations.count;
}

/** Turns the marks of links into indices; two that look alike are one Link, that of the first. */
function numberLinks(): void {
  let n: u32 = 1;
  const firstOfTrace = hasLinkTraces() ? zeroed(spanTraceCount) : 0;
  const numbered = anyShortTrace && byUse ? zeroed(links.count) : 0;
  for (let k: u32 = 1; k < places(linkOrder, links.count); k++) {
    const i = rowAt(linkOrder, k);
    if (!marked(linkMap, i)) continue;
    const trace = sharedTrace(i);
    const other = anyShortTrace && trace === 0 ? lookalike(i) : 0;
    const isNumbered = numbered === 0 ? other < i : marked(numbered, other);
    if (trace !== 0 && marked(firstOfTrace, trace)) {
      put(linkMap, i, at(firstOfTrace, trace));
    } else if (other !== 0 && isNumbered && marked(linkMap, other) && traceRowOf(other) === 0) {
      put(linkMap, i, at(linkMap, other));
    } else {
      put(linkMap, i, n);
      if (trace !== 0) put(firstOfTrace, trace, n);
      n++;
    }
    if (numbered !== 0) put(numbered, i, 1);
  }
  put(linkMap, 0, 0);
}

/** The direct references of the samples, and the totals. */
function markSamples(): void {
  stackMap = zeroed(stacks.count);
  linkMap = zeroed(links.count);
  threadMarks = zeroed(threads.count);
  setMarks = zeroed(sets.count);
  eventMarks = zeroed(eventCount);
  profileSamples = zeroed(profileCount);
  profileSums = zeroed(profileCount << 1);
  profileRests = zeroed(profileCount);
  origins = zeroed(profileCount);
  reachedSamples = 0;
  reachedObservations = 0;
  repeated = false;

  const bits = scratch(links.count);
  anyShortTrace = false;
  for (let i: u32 = 0; i < links.count; i++) {
    const bit = originBit(i);
    store<u8>(bits + i, <u8>bit);
    if (bit === SHORT_TRACES) anyShortTrace = true;
  }

  if (sampleOrder !== 0) {
    for (let row: u32 = 1; row < sampleCount; row++) {
      const p = maskedAt(row);
      if (!isSelected(row, p)) mark(profileRests, writtenProfile(load<u32>(p, SampleRow.EVENT)));
    }
  }
  let p = maskedRows;
  for (let k: u32 = 1; k < places(sampleOrder, sampleCount); k++) {
    const row = rowAt(sampleOrder, k);
    if (sampleOrder !== 0) p = maskedAt(row);
    else p += SampleRow.BYTES;
    const event = load<u32>(p, SampleRow.EVENT);
    if (!isSelected(row, p)) {
      mark(profileRests, writtenProfile(event));
      continue;
    }
    const link = load<u32>(p, SampleRow.LINK);
    const count = load<u32>(p, SampleRow.COUNT);
    const profile = writtenProfile(event);
    mark(eventMarks, event);
    mark(stackMap, load<u32>(p, SampleRow.STACK));
    mark(linkMap, link);
    mark(threadMarks, load<u32>(p, SampleRow.THREAD));
    mark(setMarks, setOf(event, load<u32>(p, SampleRow.SET)));
    put(profileSamples, profile, at(profileSamples, profile) + 1);
    addToSum(profile, load<u64>(p, SampleRow.SUM) ^ ((<u64>count) << 40));
    put(origins, profile, at(origins, profile) | load<u8>(bits + link));
    reachedSamples++;
    reachedObservations += count;
    if (count > 1) repeated = true;
  }

  groupMarks = zeroed(profileCount + 1);
  for (let i: u32 = 0; i < profileCount; i++) {
    if (marked(profileSamples, i)) mark(groupMarks, load<u32>(profileAt(i), ProfileRow.GROUP));
  }
  put(groupMarks, 0, 0);
  nothingReached = reachedSamples === 0;
  for (let i: u32 = 0; i < outputCount; i++) {
    if ((load<u32>(outputAt(i), OutputRow.FLAGS) & WritePlan.OUTPUT_KEPT) !== 0) nothingReached = false;
  }
  reachedOutputs = 0;
  writtenSamples = 0;
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    reachedOutputs++;
    writtenSamples += at(profileSamples, load<u32>(outputAt(i), OutputRow.PROFILE));
  }
}

/**
 * Adds a mix of `v` (Knuth's multiplier, the high bits XORed into the low ones), so that the order of samples does not
 * matter.
 */
function addToSum(profile: u32, v: u64): void {
  const sum = profileSums + ((<usize>profile) << 3);
  const mixed = (v + 1) * 0x5851_f42d_4c95_7f2d;
  store<u64>(sum, load<u64>(sum) + (mixed ^ (mixed >> 29)));
}

function markOutputs(): void {
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    const output = outputAt(i);
    const profile = load<u32>(output, OutputRow.PROFILE);
    mark(attributeMap, at(outputLabels, i));
    mark(attributeMap, at(profileTraces, profile));
    mark(otherSets, load<u32>(profileAt(profile), ProfileRow.SET));
    mark(stringMap, load<u32>(output, OutputRow.TYPE));
    mark(stringMap, load<u32>(output, OutputRow.UNIT));
    if (!hasPeriod(output)) continue;
    mark(stringMap, load<u32>(output, OutputRow.PERIOD_TYPE));
    mark(stringMap, load<u32>(output, OutputRow.PERIOD_UNIT));
  }
  for (let i: u32 = 0; i < eventCount; i++) mark(attributeMap, at(eventAttributes, i));
}

/** The attribute sets of local roots, and the attributes in place of lone ids or beside traces. */
function markLinks(): void {
  for (let k: u32 = 1; k < places(linkOrder, links.count); k++) {
    const i = rowAt(linkOrder, k);
    if (!marked(linkMap, i)) continue;
    if (rootSets !== 0) mark(setMarks, at(rootSets, i));
    if (!marked(linkAttributes, i)) continue;
    mark(attributeMap, at(linkAttributes, i));
    if (isLone(i)) put(linkMap, i, 0);
  }
}

/** Where the rows of a table are marked that rows of other tables refer to; 0 for tables that are not followed. */
function marksOf(table: Table): usize {
  switch (table) {
    case Table.Strings:
      return stringMap;
    case Table.Attributes:
      return attributeMap;
    case Table.Sets:
      return otherSets;
    case Table.Mappings:
      return mappingMap;
    case Table.Details:
      return detailsMarks;
    default:
      // Functions are those of the frames, whatever the rows have (store/frames.ts).
      return 0;
  }
}

/**
 * Marks the rows that the rows marked in `marks` refer to, by the schema of their table. Derived words are not written.
 */
function followRows(table: Table, rows: RowTable, marks: usize, order: usize): void {
  for (let w: u32 = 0; w < wordCount(table); w++) {
    const to = marksOf(targetOf(table, w));
    if (to === 0) continue;
    for (let k: u32 = 1; k < places(order, rows.count); k++) {
      const i = rowAt(order, k);
      if (marked(marks, i)) mark(to, rows.get(i, w));
    }
  }
}

/** `followRows` for a table whose rows are lists. */
function followLists(table: Table, lists: BytesTable, marks: usize, order: usize): void {
  for (let w: u32 = 0; w < wordCount(table); w++) {
    const to = marksOf(targetOf(table, w));
    if (to === 0 || isDerived(table, w)) continue;
    const step = (<usize>repetition(table, w)) << 2;
    for (let k: u32 = 1; k < places(order, lists.count); k++) {
      const i = rowAt(order, k);
      if (!marked(marks, i)) continue;
      const start = table === Table.Sets ? listOf(i) : lists.pointer(i);
      const end = start + lists.size(i);
      for (let p = start + ((<usize>w) << 2); p < end; p += step) mark(to, load<u32>(p));
    }
  }
}

function markStacks(): void {
  const map = locationMap;
  const inUse = byUse;
  for (let k: u32 = 1; k < places(stackOrder, stacks.count); k++) {
    const i = rowAt(stackOrder, k);
    if (!marked(stackMap, i)) continue;
    let p = stacks.pointer(i);
    const end = p + stacks.size(i);
    // Written out, not takeVarint: most of the time of `reach` is spent here.
    while (p < end) {
      let b: u32 = load<u8>(p);
      p += 1;
      let v = b & 0x7f;
      for (let shift: u32 = 7; b >= 0x80; shift += 7) {
        b = load<u8>(p);
        p += 1;
        v |= (b & 0x7f) << shift;
      }
      if (inUse) use(map, v);
      else put(map, v, 1);
    }
  }
  put(map, 0, 0);
}

/** The functions of the frames, and the attributes in place of frame types. */
function markFrames(): void {
  for (let n: u32 = 1; n < places(locationOrder, locations.count); n++) {
    const i = rowAt(locationOrder, n);
    if (!marked(locationMap, i)) continue;
    for (let k = frameCount(i); k > 0; k--) mark(functionMap, load<u32>(frameOf(i, k - 1), LineRow.FUNCTION));
    mark(attributeMap, frameAttribute(i));
  }
}

/**
 * Keys and units of attributes. Values are written in place (AnyValue.string_value), so they are no strings of the
 * table.
 */
function markKeys(): void {
  for (let w: u32 = 0; w < wordCount(Table.Attributes); w++) {
    const to = marksOf(targetOf(Table.Attributes, w));
    if (to === 0) continue;
    for (let k: u32 = 1; k < places(attributeOrder, attributeCount()); k++) {
      const i = rowAt(attributeOrder, k);
      if (marked(attributeMap, i)) mark(to, attributeWord(i, w));
    }
  }
}
