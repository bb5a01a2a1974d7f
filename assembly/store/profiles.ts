/**
 * Profiles and the events that fill them. A profile is one sample type over all files; an event row names the kind of
 * measurement (usually a JFR event) that an observation came from. Both come from the catalogue that the host hands over.
 *
 *   profile | type | unit | period type | period unit | events | second type | period i64 | second unit | stored |
 *   event   | name | profile | shape | 0 |                                           strings; 40 and 16 bytes
 *
 * A profile may have a second measure: the number of its observations, or values of its own (`stored`, see samples.ts).
 */
import { alloc } from "../memory/arena";

export const MAX_PROFILES: u32 = 256;
export const MAX_EVENTS: u32 = 256;

const PROFILE_BYTES: usize = 40;
export const PROFILE_TYPE: usize = 0;
export const PROFILE_UNIT: usize = 4;
export const PROFILE_PERIOD_TYPE: usize = 8;
export const PROFILE_PERIOD_UNIT: usize = 12;
/** Event rows that feed it: above 1 a sample says its event in `jfr.event`. */
export const PROFILE_EVENTS: usize = 16;
/** 0 = the profile has no second measure. */
export const PROFILE_SECOND_TYPE: usize = 20;
export const PROFILE_PERIOD: usize = 24;
export const PROFILE_SECOND_UNIT: usize = 32;
/** 1 = the second measure is in the samples' second values, 0 = it is their number. */
export const PROFILE_SECOND_STORED: usize = 36;

const EVENT_BYTES: usize = 16;
export const EVENT_NAME: usize = 0;
export const EVENT_PROFILE: usize = 4;
/** A Shape: what OTLP's samples of this event consist of. */
export const EVENT_SHAPE: usize = 8;

/** What a message says of the observations of a sample. Recordings say both; of values alone there is their sum. */
export enum Shape {
  ValuesAndTimes,
  Values,
  Times,
}

let profiles: usize = 0;
export let profileCount: u32 = 0;
let events: usize = 0;
export let eventCount: u32 = 0;

/** Start and end of all chunks read, unsigned ns since 1970; start is above end while there is none. */
export let recordingStart: u64 = 0;
export let recordingEnd: u64 = 0;

export function resetProfiles(): void {
  profiles = alloc(<usize>MAX_PROFILES * PROFILE_BYTES);
  events = alloc(<usize>MAX_EVENTS * EVENT_BYTES);
  profileCount = 0;
  eventCount = 0;
  recordingStart = u64.MAX_VALUE;
  recordingEnd = 0;
}

/** Pointer to profile `i`. */
export function profileAt(i: u32): usize {
  return profiles + <usize>i * PROFILE_BYTES;
}

/** Pointer to event row `i`. */
export function eventAt(i: u32): usize {
  return events + <usize>i * EVENT_BYTES;
}

/** Profile of event row `event`. */
export function profileOfEvent(event: u32): u32 {
  return load<u32>(eventAt(event), EVENT_PROFILE);
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
  store<u32>(p, type, PROFILE_TYPE);
  store<u32>(p, unit, PROFILE_UNIT);
  store<u32>(p, periodType, PROFILE_PERIOD_TYPE);
  store<u32>(p, periodUnit, PROFILE_PERIOD_UNIT);
  store<u32>(p, 0, PROFILE_EVENTS);
  store<u32>(p, secondType, PROFILE_SECOND_TYPE);
  store<i64>(p, 0, PROFILE_PERIOD);
  store<u32>(p, secondUnit, PROFILE_SECOND_UNIT);
  store<u32>(p, 0, PROFILE_SECOND_STORED);
  return profileCount++;
}

/** `stored`: the event has second values of its own. */
export function addEvent(name: u32, profile: u32, stored: bool): u32 {
  const p = eventAt(eventCount);
  store<u32>(p, name, EVENT_NAME);
  store<u32>(p, profile, EVENT_PROFILE);
  store<u32>(p, Shape.ValuesAndTimes, EVENT_SHAPE);
  const q = profileAt(profile);
  store<u32>(q, load<u32>(q, PROFILE_EVENTS) + 1, PROFILE_EVENTS);
  if (stored) store<u32>(q, 1, PROFILE_SECOND_STORED);
  return eventCount++;
}

/** The first recording that names a period decides it. */
export function setPeriod(profile: u32, period: i64): void {
  const p = profileAt(profile);
  if (period > 0 && load<i64>(p, PROFILE_PERIOD) === 0) store<i64>(p, period, PROFILE_PERIOD);
}

/** Unit of a profile whose catalogue row leaves it to the event's metadata; the first chunk decides it. */
export function setUnit(profile: u32, unit: u32): void {
  const p = profileAt(profile);
  if (load<u32>(p, PROFILE_UNIT) === 0) store<u32>(p, unit, PROFILE_UNIT);
}

/** Widens the recorded time by a chunk's header. */
export function coverTime(start: u64, end: u64): void {
  if (start < recordingStart) recordingStart = start;
  if (end > recordingEnd) recordingEnd = end;
}
