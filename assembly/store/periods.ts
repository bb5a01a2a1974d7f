/**
 * Sampling periods. If values count samples and the period is a time (`ProfileFlag.Sampled`), an observation is
 * worth its weight × the period of its chunk or message. Each such period has a separate profile row and separate
 * event rows: a sample's event is part of its identity, so samples of different periods are different rows.
 *
 *   family   cpu, 5 ms   the first row: the catalogue's, or the first that a message brought
 *            cpu, 2 ms   rows after the catalogue, in the order first read
 *            cpu, 0      observations whose period is unknown
 *
 * Profiles of another producer have separate rows of the family, too: one for each period and scope (scopes.ts).
 *
 * A row of the catalogue takes the first period that is read. For other values (bytes, durations) the period is
 * information, not a factor: one row states the smallest of its periods, in whatever order they are read.
 */
import * as ProfileRow from "../abi/rows/profile-row";
import {
  addShapedEvent,
  copyProfile,
  eventAt,
  eventCount,
  familyOf,
  MAX_EVENTS,
  MAX_PROFILES,
  ProfileFlag,
  profileAt,
  profileCount,
  profileOfEvent,
  Shape,
} from "./profiles";
import { internText, strings } from "./tables";

/** There was no room for another period: the family is counted, not timed. */
export let crowded: bool = false;

export function periodOf(profile: u32): i64 {
  return load<i64>(profileAt(profile), ProfileRow.PERIOD);
}

export function scopeOf(profile: u32): u32 {
  return load<u32>(profileAt(profile), ProfileRow.SCOPE);
}

/** Samples from elsewhere are added: the row is no longer the one Profile that it was read from. */
export function forgetId(profile: u32): void {
  memory.fill(profileAt(profile) + ProfileRow.ID, 0, 16);
}

export function hasFlag(profile: u32, flag: ProfileFlag): bool {
  return (load<u32>(profileAt(profile), ProfileRow.FLAGS) & <u32>flag) !== 0;
}

function setFlag(profile: u32, flag: ProfileFlag): void {
  const p = profileAt(profile);
  store<u32>(p, load<u32>(p, ProfileRow.FLAGS) | <u32>flag, ProfileRow.FLAGS);
}

/**
 * Types whose values in `count` are numbers of samples, also without a period that is a time. Others count something
 * that a profiler scales: `alloc_objects` of 8 may be one sample.
 */
const COUNTED: StaticArray<string> = [
  "samples",
  "sample",
  "cpu-samples",
  "cpu_samples",
  "wall-samples",
  "wall_samples",
];

/** Whether the string `id` is `text`, or begins with it and a colon. */
function isNamed(id: u32, text: string): bool {
  const p = strings.pointer(id);
  const n = strings.size(id);
  if (n < <u32>text.length || (n > <u32>text.length && load<u8>(p + text.length) !== 0x3a)) return false;
  for (let i = 0; i < text.length; i++) if (<i32>load<u8>(p + i) !== text.charCodeAt(i)) return false;
  return true;
}

function countsSamples(type: u32, unit: u32): bool {
  if (unit === internText("samples")) return true;
  if (unit !== internText("count")) return false;
  for (let i = 0; i < COUNTED.length; i++) if (isNamed(type, COUNTED[i])) return true;
  return false;
}

/** Sets `Sampled` and `Counts` by type and units. To be called for every row of the catalogue and of messages. */
export function noteSampled(profile: u32): void {
  const p = profileAt(profile);
  const unit = load<u32>(p, ProfileRow.UNIT);
  if (countsSamples(load<u32>(p, ProfileRow.TYPE), unit)) setFlag(profile, ProfileFlag.Counts);
  if (load<u32>(p, ProfileRow.PERIOD_UNIT) !== internText("nanoseconds")) return;
  if (unit !== internText("samples") && unit !== internText("count")) return;
  setFlag(profile, ProfileFlag.Sampled);
  setFlag(profile, ProfileFlag.Counts);
}

/**
 * A recording states a period for row `profile` of the catalogue. For a sampled profile, the observations decide its
 * use.
 */
export function statePeriod(profile: u32, period: i64): void {
  const p = profileAt(profile);
  const known = load<i64>(p, ProfileRow.PERIOD);
  if (period <= 0) return;
  if (known === 0 ? !hasFlag(profile, ProfileFlag.Claimed) : period < known && !hasFlag(profile, ProfileFlag.Sampled))
    store<i64>(p, period, ProfileRow.PERIOD);
}

/** The row for observations of row `profile` of the catalogue that were taken with this period; 0 = unknown. */
function rowOfPeriod(profile: u32, period: i64): u32 {
  crowded = false;
  if (!hasFlag(profile, ProfileFlag.Sampled)) {
    statePeriod(profile, period);
    return profile;
  }
  if (!hasFlag(profile, ProfileFlag.Claimed)) {
    setFlag(profile, ProfileFlag.Claimed);
    store<i64>(profileAt(profile), period, ProfileRow.PERIOD);
    return profile;
  }
  for (let i = profile; i < profileCount; i++) if (isRow(i, profile, period, 0)) return i;
  return addPeriod(profile, period);
}

function isRow(i: u32, family: u32, period: i64, scope: u32): bool {
  return familyOf(i) === family && periodOf(i) === period && scopeOf(i) === scope;
}

/**
 * The row for samples that another producer took with this period and wrote under `scope`. The row of the catalogue
 * where there is no room: its samples then lose their scope.
 */
export function rowOfScope(profile: u32, period: i64, scope: u32): u32 {
  if (scope === 0) return rowOfPeriod(profile, period);
  const sampled = hasFlag(profile, ProfileFlag.Sampled);
  for (let i = profile; i < profileCount; i++) {
    if (!isRow(i, profile, sampled ? period : periodOf(i), scope)) continue;
    if (!sampled) statePeriod(i, period);
    return i;
  }
  if (profileCount === MAX_PROFILES || eventCount === MAX_EVENTS) {
    const row = rowOfPeriod(profile, period);
    crowded = true;
    return row;
  }
  crowded = false;
  const row = copyProfile(profile);
  const p = profileAt(row);
  store<i64>(p, period, ProfileRow.PERIOD);
  store<u32>(p, scope, ProfileRow.SCOPE);
  store<u32>(p, load<u32>(p, ProfileRow.FLAGS) & <u32>(ProfileFlag.Sampled | ProfileFlag.Counts), ProfileRow.FLAGS);
  forgetId(row);
  return row;
}

/** The row for `event` of the catalogue with `period`, in the profile row of that period. */
export function eventOfPeriod(event: u32, period: i64): u32 {
  const profile = profileOfEvent(event);
  const row = rowOfPeriod(profile, period);
  forgetId(row);
  if (row === profile) return event;
  const name = load<u32>(eventAt(event), ProfileRow.EVENT_NAME);
  for (let e: u32 = 0; e < eventCount; e++) {
    if (profileOfEvent(e) === row && isRecorded(e) && load<u32>(eventAt(e), ProfileRow.EVENT_NAME) === name) return e;
  }
  return event;
}

/** Without a period no sum of the family is a time, so nothing wrong is shown. */
export function giveUpPeriod(profile: u32): void {
  crowded = true;
  store<i64>(profileAt(profile), 0, ProfileRow.PERIOD);
}

/** A row like `first` with another period, and its event rows; `first` itself where there is no room. */
function addPeriod(first: u32, period: i64): u32 {
  const known = eventCount;
  if (profileCount === MAX_PROFILES || known + load<u32>(profileAt(first), ProfileRow.EVENTS) > MAX_EVENTS) {
    giveUpPeriod(first);
    return first;
  }
  const row = copyProfile(first);
  const p = profileAt(row);
  store<i64>(p, period, ProfileRow.PERIOD);
  const counts = load<u32>(p, ProfileRow.FLAGS) & <u32>ProfileFlag.Counts;
  store<u32>(p, counts | <u32>ProfileFlag.Sampled | <u32>ProfileFlag.Claimed, ProfileRow.FLAGS);
  forgetId(row);
  for (let e: u32 = 0; e < known; e++) {
    if (profileOfEvent(e) === first && isRecorded(e))
      addShapedEvent(load<u32>(eventAt(e), ProfileRow.EVENT_NAME), row, Shape.ValuesAndTimes, false);
  }
  return row;
}

/** Whether the event row is as recordings have them. */
function isRecorded(event: u32): bool {
  const p = eventAt(event);
  return (
    load<u32>(p, ProfileRow.EVENT_SHAPE) === <u32>Shape.ValuesAndTimes && load<u32>(p, ProfileRow.EVENT_PLAIN) === 0
  );
}
