/**
 * What a selection reaches, and where it stands on the wire. Every table of the store gets a map of one u32 per row: the
 * row's index in the written dictionary, 0 for what is not written (and for the zero element). Written rows keep the
 * order of the store, so equal stores give equal bytes; nothing is written twice and nothing without a reference.
 */
import {
  EVENT_PROFILE,
  eventAt,
  eventCount,
  PROFILE_PERIOD,
  PROFILE_PERIOD_TYPE,
  PROFILE_PERIOD_UNIT,
  PROFILE_SECOND_STORED,
  PROFILE_SECOND_TYPE,
  PROFILE_SECOND_UNIT,
  PROFILE_TYPE,
  PROFILE_UNIT,
  profileAt,
  profileCount,
} from "../store/profiles";
import { linkSets } from "../store/roots";
import {
  OBSERVATION_VALUE,
  SAMPLE_BYTES,
  SAMPLE_COUNT,
  SAMPLE_EVENT,
  SAMPLE_LINK,
  SAMPLE_SET,
  SAMPLE_STACK,
  SAMPLE_THREAD,
  sampleCount,
  sampleRows,
} from "../store/samples";
import {
  ATTRIBUTE_KEY,
  ATTRIBUTE_UNIT,
  attributes,
  FUNCTION_FILE_NAME,
  FUNCTION_NAME,
  FUNCTION_SYSTEM_NAME,
  functions,
  LOCATION_FUNCTION,
  LOCATION_MAPPING,
  links,
  locations,
  MAPPING_BUILD_ID,
  MAPPING_FILE_NAME,
  mappings,
  sets,
  stacks,
  strings,
  THREAD_ID,
  THREAD_NAME,
  threads,
} from "../store/tables";
import { at, mark, marked, number, put } from "./columns";
import { scratch, zeroed } from "./output";
import {
  eventAttributes,
  frameAttribute,
  internOwn,
  LinkKind,
  linkAttributes,
  linkKind,
  profileTraces,
  profileTypes,
} from "./own";

export let stringMap: usize = 0;
export let functionMap: usize = 0;
export let mappingMap: usize = 0;
export let locationMap: usize = 0;
export let stackMap: usize = 0;
export let linkMap: usize = 0;
export let attributeMap: usize = 0;
/** Every location keeps its index: a stack's bytes may be written as they are. */
export let sameLocations: bool = false;

/** Columns: 1 for a thread, set or event row in use; the selected samples of each profile. */
export let threadMarks: usize = 0;
export let setMarks: usize = 0;
export let eventMarks: usize = 0;
export let profileSamples: usize = 0;
/** 1 for a profile with a Link whose trace id is a local root. */
let localRoots: usize = 0;

export let reachedProfiles: u32 = 0;
export let reachedSamples: u32 = 0;
export let reachedObservations: u32 = 0;
/** Some selected sample has more than one observation. */
export let repeated: bool = false;
/** The profile's second measure is written, in place of its value. */
export let second: bool = false;
/** u32 per link: the attribute set that is said of its root; 0 while no root has one. */
export let rootSets: usize = 0;

/** Whether sample `row` (at `p`) is in the selection `mask`, one byte per sample; mask 0 takes all. */
export function selected(mask: usize, row: u32, p: usize): bool {
  return (mask === 0 || load<u8>(mask + row) === 1) && load<u32>(p, SAMPLE_COUNT) !== 0;
}

/** Whether the profile at `p` says its period: type and period together or neither. */
export function hasPeriod(p: usize): bool {
  return load<u32>(p, PROFILE_PERIOD_TYPE) !== 0 && load<i64>(p, PROFILE_PERIOD) > 0;
}

/** String index of the type of the profile at `p`, and of its unit: those of the measure that is written. */
export function typeOf(p: usize): u32 {
  return second ? load<u32>(p, PROFILE_SECOND_TYPE) : load<u32>(p, PROFILE_TYPE);
}

export function unitOf(p: usize): u32 {
  return second ? load<u32>(p, PROFILE_SECOND_UNIT) : load<u32>(p, PROFILE_UNIT);
}

/**
 * The value to write of the observation at `p`, which is number `i` of a block whose second values are at `seconds` (0 where
 * it has none). `stored`: the profile has second values, else it counts.
 */
export function valueAt(p: usize, i: usize, seconds: usize, stored: bool): u64 {
  if (!second) return load<u64>(p, OBSERVATION_VALUE);
  if (!stored) return 1;
  return seconds === 0 ? 0 : load<u64>(seconds + (i << 3));
}

/** Whether some profile of the message has stored second values: with `second`, there is one profile only. */
export function secondStored(): bool {
  for (let i: u32 = 0; i < profileCount; i++)
    if (marked(profileSamples, i) && load<u32>(profileAt(i), PROFILE_SECOND_STORED) !== 0) return true;
  return false;
}

/**
 * Marks the selection and numbers what it reaches; `mask` as in `selected`. `withSecond` writes the second measure of the one
 * profile that is selected. All columns are scratch of the message.
 */
export function reach(mask: usize, withSecond: bool): void {
  second = withSecond;
  rootSets = linkSets();
  markSamples(mask);
  // Before the columns of attributes and strings, which it may lengthen.
  internOwn(profileSamples, localRoots, eventMarks, linkMap);
  attributeMap = zeroed(attributes.count);
  stringMap = zeroed(strings.count);
  markProfiles();
  markSampleAttributes();
  markStacks();
  markLocations();
  markStrings();
  number(stackMap, stacks.count);
  number(linkMap, links.count);
  number(functionMap, functions.count);
  number(mappingMap, mappings.count);
  number(attributeMap, attributes.count);
  number(stringMap, strings.count);
  sameLocations = number(locationMap, locations.count) === locations.count;
}

/** What the samples name themselves, and the totals. */
function markSamples(mask: usize): void {
  stackMap = zeroed(stacks.count);
  linkMap = zeroed(links.count);
  threadMarks = zeroed(threads.count);
  setMarks = zeroed(sets.count);
  eventMarks = zeroed(eventCount);
  profileSamples = zeroed(profileCount);
  localRoots = zeroed(profileCount);
  reachedSamples = 0;
  reachedObservations = 0;
  repeated = false;

  const kinds = scratch(links.count);
  for (let i: u32 = 0; i < links.count; i++) store<u8>(kinds + i, <u8>linkKind(i));

  let p = sampleRows;
  for (let row: u32 = 1; row < sampleCount; row++) {
    p += SAMPLE_BYTES;
    if (!selected(mask, row, p)) continue;
    const event = load<u32>(p, SAMPLE_EVENT);
    const link = load<u32>(p, SAMPLE_LINK);
    const count = load<u32>(p, SAMPLE_COUNT);
    const profile = load<u32>(eventAt(event), EVENT_PROFILE);
    mark(eventMarks, event);
    mark(stackMap, load<u32>(p, SAMPLE_STACK));
    mark(linkMap, link);
    mark(threadMarks, load<u32>(p, SAMPLE_THREAD));
    mark(setMarks, load<u32>(p, SAMPLE_SET));
    put(profileSamples, profile, at(profileSamples, profile) + 1);
    if (!marked(localRoots, profile) && load<u8>(kinds + link) === <u8>LinkKind.LocalRoot) mark(localRoots, profile);
    reachedSamples++;
    reachedObservations += count;
    if (count > 1) repeated = true;
  }

  reachedProfiles = 0;
  for (let i: u32 = 0; i < profileCount; i++) if (marked(profileSamples, i)) reachedProfiles++;
}

function markProfiles(): void {
  for (let i: u32 = 0; i < profileCount; i++) {
    if (!marked(profileSamples, i)) continue;
    const p = profileAt(i);
    mark(attributeMap, at(profileTypes, i));
    mark(attributeMap, at(profileTraces, i));
    mark(stringMap, typeOf(p));
    mark(stringMap, unitOf(p));
    if (!hasPeriod(p)) continue;
    mark(stringMap, load<u32>(p, PROFILE_PERIOD_TYPE));
    mark(stringMap, load<u32>(p, PROFILE_PERIOD_UNIT));
  }
  for (let i: u32 = 0; i < eventCount; i++) mark(attributeMap, at(eventAttributes, i));
}

function markSampleAttributes(): void {
  for (let i: u32 = 1; i < threads.count; i++) {
    if (!marked(threadMarks, i)) continue;
    mark(attributeMap, threads.get(i, THREAD_NAME));
    mark(attributeMap, threads.get(i, THREAD_ID));
  }
  if (rootSets !== 0) {
    for (let i: u32 = 1; i < links.count; i++) if (marked(linkMap, i)) mark(setMarks, at(rootSets, i));
  }
  for (let i: u32 = 1; i < sets.count; i++) {
    if (!marked(setMarks, i)) continue;
    const p = sets.pointer(i);
    for (let o: u32 = 0; o < sets.size(i); o += 4) mark(attributeMap, load<u32>(p + o));
  }
  for (let i: u32 = 1; i < links.count; i++) {
    if (!marked(linkAttributes, i)) continue;
    mark(attributeMap, at(linkAttributes, i));
    put(linkMap, i, 0);
  }
}

function markStacks(): void {
  locationMap = zeroed(locations.count);
  const map = locationMap;
  for (let i: u32 = 1; i < stacks.count; i++) {
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
      mark(map, v);
    }
  }
  put(map, 0, 0);
}

function markLocations(): void {
  functionMap = zeroed(functions.count);
  mappingMap = zeroed(mappings.count);
  for (let i: u32 = 1; i < locations.count; i++) {
    if (!marked(locationMap, i)) continue;
    mark(functionMap, locations.get(i, LOCATION_FUNCTION));
    mark(mappingMap, locations.get(i, LOCATION_MAPPING));
    mark(attributeMap, frameAttribute(i));
  }
  for (let i: u32 = 1; i < mappings.count; i++) {
    if (!marked(mappingMap, i)) continue;
    mark(attributeMap, mappings.get(i, MAPPING_BUILD_ID));
    mark(stringMap, mappings.get(i, MAPPING_FILE_NAME));
  }
}

/** Values of attributes are written in place (AnyValue.string_value), so only keys and units are strings of the table. */
function markStrings(): void {
  for (let i: u32 = 1; i < attributes.count; i++) {
    if (!marked(attributeMap, i)) continue;
    mark(stringMap, attributes.get(i, ATTRIBUTE_KEY));
    mark(stringMap, attributes.get(i, ATTRIBUTE_UNIT));
  }
  for (let i: u32 = 1; i < functions.count; i++) {
    if (!marked(functionMap, i)) continue;
    mark(stringMap, functions.get(i, FUNCTION_NAME));
    mark(stringMap, functions.get(i, FUNCTION_SYSTEM_NAME));
    mark(stringMap, functions.get(i, FUNCTION_FILE_NAME));
  }
}
