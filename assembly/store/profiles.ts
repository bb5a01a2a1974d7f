/**
 * Profiles and the events that fill them. A profile is one sample type over all files; an event row names the kind of
 * measurement (usually a JFR event) that an observation came from. Both come from the catalogue that the host passes.
 *
 *   profile | type | unit | period type | period unit | events | second type | period i64 | second unit | stored |
 *           | set | group | flags | family | profile id 16 bytes | scope | process | from u64 | to u64 |    96 bytes
 *   event   | name | profile | shape | plain |                                         16 bytes; names are strings
 *
 * A profile may have a second measure: the number of its observations, or separate values (`stored`, see samples.ts).
 *
 * Messages bring profiles that the catalogue has no row for (profile-lookup.ts). Those of one pprof file are a *group*:
 * consecutive rows, one per sample type in the file's order, `group` being the first row + 1. A pprof sample is one
 * observation in each profile of its group for which its value is not 0 (in the first where all are 0): what shares
 * stack, link, thread, set and time within a group is one sample of the file, its values side by side.
 *
 * Rows that differ in their period and scope only are a *family*, which users see as one profile: `family` is its first
 * row (periods.ts).
 */
import * as ProfileRow from "../abi/rows/profile-row";
import { alloc } from "../memory/arena";
import { onReset } from "../memory/resets";

/** Each run of a dump takes four. */
export const MAX_PROFILES: u32 = 1024;
export const MAX_EVENTS: u32 = 1024;

/** The form in which its file stated facts that the store has one form for; and the use of its period. */
export enum ProfileFlag {
  /** pprof: `span id` and `local root span id` are decimal text (Go), not numbers. */
  IdsAsText = 1,
  /** pprof: the time is `timestamp_ns` (dd-otel-host-profiler), not `end_timestamp_ns`. */
  TimestampNs = 2,
  /** OTLP: that its trace ids are local roots. */
  LocalRoots = 4,
  /** Values count samples, and the period of a sample is a time. */
  Sampled = 8,
  /** Observations of this very period were read. */
  Claimed = 16,
  /** Values are numbers of samples: of `Sampled` profiles always. */
  Counts = 32,
  /** A message states the type, so it is a profile even without samples. */
  Stated = 64,
}

/**
 * The columns that a message has for the observations of a sample. Recordings have both; of values alone the store has
 * their sum.
 */
export enum Shape {
  ValuesAndTimes,
  Values,
  Times,
}

let profiles: usize = 0;
export let profileCount: u32 = 0;
let events: usize = 0;
export let eventCount: u32 = 0;
/** Profiles of the catalogue: the first ones. */
export let cataloguedProfiles: u32 = 0;

/** Start and end of all chunks read, unsigned ns since 1970; start is above end before the first chunk. */
export let recordingStart: u64 = 0;
export let recordingEnd: u64 = 0;
/** Start and end of the chunk or message that was opened last. */
export let openedStart: u64 = u64.MAX_VALUE;
export let openedEnd: u64 = 0;

onReset((): void => {
  profiles = alloc(<usize>MAX_PROFILES * ProfileRow.BYTES);
  events = alloc(<usize>MAX_EVENTS * ProfileRow.EVENT_BYTES);
  profileCount = 0;
  eventCount = 0;
  cataloguedProfiles = 0;
  recordingStart = u64.MAX_VALUE;
  recordingEnd = 0;
});

/** Pointer to profile `i`. */
export function profileAt(i: u32): usize {
  return profiles + <usize>i * ProfileRow.BYTES;
}

/** Pointer to event row `i`. */
export function eventAt(i: u32): usize {
  return events + <usize>i * ProfileRow.EVENT_BYTES;
}

/** Profile of event row `event`. */
export function profileOfEvent(event: u32): u32 {
  return load<u32>(eventAt(event), ProfileRow.EVENT_PROFILE);
}

/** First row of the family of `profile`. */
export function familyOf(profile: u32): u32 {
  return load<u32>(profileAt(profile), ProfileRow.FAMILY);
}

/** First row of the family that event row `event` feeds. */
export function familyOfEvent(event: u32): u32 {
  return familyOf(profileOfEvent(event));
}

export function addProfile(
  type: u32,
  unit: u32,
  secondType: u32,
  secondUnit: u32,
  periodType: u32,
  periodUnit: u32,
): u32 {
  const p = profileAt(profileCount);
  memory.fill(p, 0, ProfileRow.BYTES);
  store<u32>(p, type, ProfileRow.TYPE);
  store<u32>(p, unit, ProfileRow.UNIT);
  store<u32>(p, periodType, ProfileRow.PERIOD_TYPE);
  store<u32>(p, periodUnit, ProfileRow.PERIOD_UNIT);
  store<u32>(p, secondType, ProfileRow.SECOND_TYPE);
  store<u32>(p, secondUnit, ProfileRow.SECOND_UNIT);
  store<u32>(p, profileCount, ProfileRow.FAMILY);
  return profileCount++;
}

/** A row with all that row `i` has; they are of one family. */
export function copyProfile(i: u32): u32 {
  memory.copy(profileAt(profileCount), profileAt(i), ProfileRow.BYTES);
  return profileCount++;
}

/** Drops the rows after the first so many, which no sample refers to. */
export function shrinkProfiles(keptProfiles: u32, keptEvents: u32): void {
  profileCount = keptProfiles;
  eventCount = keptEvents;
}

/** The profiles so far are those of the catalogue. */
export function endCatalogue(): void {
  cataloguedProfiles = profileCount;
}

/** `stored`: the event has separate second values. */
export function addEvent(name: u32, profile: u32, stored: bool): u32 {
  const q = profileAt(profile);
  store<u32>(q, load<u32>(q, ProfileRow.EVENTS) + 1, ProfileRow.EVENTS);
  if (stored) store<u32>(q, 1, ProfileRow.SECOND_STORED);
  return addShapedEvent(name, profile, Shape.ValuesAndTimes, false);
}

/** An event row outside of the catalogue; the caller updates ProfileRow.EVENTS. */
export function addShapedEvent(name: u32, profile: u32, shape: Shape, plain: bool): u32 {
  const p = eventAt(eventCount);
  store<u32>(p, name, ProfileRow.EVENT_NAME);
  store<u32>(p, profile, ProfileRow.EVENT_PROFILE);
  store<u32>(p, shape, ProfileRow.EVENT_SHAPE);
  store<u32>(p, plain ? 1 : 0, ProfileRow.EVENT_PLAIN);
  return eventCount++;
}

/** Unit of a profile whose catalogue row leaves it to the event's metadata; the first chunk decides it. */
export function setUnit(profile: u32, unit: u32): void {
  const p = profileAt(profile);
  if (load<u32>(p, ProfileRow.UNIT) === 0) store<u32>(p, unit, ProfileRow.UNIT);
}

/** Widens the time of a profile in a separate Resource. */
export function coverProfile(profile: u32, start: u64, end: u64): void {
  const p = profileAt(profile);
  const from = load<u64>(p, ProfileRow.FROM);
  if (from === 0 || start < from) store<u64>(p, start, ProfileRow.FROM);
  if (end > load<u64>(p, ProfileRow.TO)) store<u64>(p, end, ProfileRow.TO);
}

/** A chunk or message is opened. */
export function beginTime(): void {
  openedStart = u64.MAX_VALUE;
  openedEnd = 0;
}

/** Widens the recorded time by what a chunk's header or a message states. */
export function coverTime(start: u64, end: u64): void {
  if (start < openedStart) openedStart = start;
  if (end > openedEnd) openedEnd = end;
  if (start < recordingStart) recordingStart = start;
  if (end > recordingEnd) recordingEnd = end;
}

/** Sets the recorded time back to an earlier one. */
export function setRecordedTime(start: u64, end: u64): void {
  recordingStart = start;
  recordingEnd = end;
}
