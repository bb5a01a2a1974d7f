/**
 * Weighing of values by sampling period. If samples were taken with several periods, an observation is worth its weight
 * × its period, in nanoseconds; all other values stay unchanged.
 *
 *   factors   i64 per event row: multiplier of its values
 */
import { onGiveUp, onReset } from "../memory/resets";
import { hasFlag, periodOf } from "../store/periods";
import {
  eventCount,
  familyOf,
  familyOfEvent,
  MAX_EVENTS,
  MAX_PROFILES,
  ProfileFlag,
  profileCount,
  profileOfEvent,
} from "../store/profiles";
import { sampleCount } from "../store/samples";
import { skippedSamples } from "../store/skipped";
import { eventColumn, eventIn } from "./columns";

/** How the values of a profile are added up; the numbers are the host's. */
enum Weighing {
  /** Unchanged: one period, no period, or values that are not samples. */
  Plain,
  /** Samples of several periods, as times. */
  Timed,
  /** Samples of several periods, unchanged: the period of a part is unknown. */
  Counted,
}

/** MAX_EVENTS entries. */
const factors: usize = memory.data(<i32>MAX_EVENTS * 8, 8);
/** By profile row (MAX_PROFILES entries): 1 where it has samples. */
const sampled: usize = memory.data(<i32>MAX_PROFILES);
/** i64 by profile row: what a sample counts with where that is not the stated period, because of the host's answer. */
const counted: usize = memory.data(<i32>MAX_PROFILES * 8, 8);
/** Samples that `sampled` covers. */
let covered: u32 = 0;

/** The selection's values are times: `factorOf` is not 1. */
export let timed: bool = false;

onGiveUp((): void => {
  memory.fill(sampled, 0, MAX_PROFILES);
  covered = 0;
  timed = false;
});

onReset((): void => {
  memory.fill(counted, 0, (<usize>MAX_PROFILES) << 3);
});

/** Samples of this row count with `period` in all views, not with the stated one; 0: with that. */
export function countWith(profile: u32, period: i64): void {
  store<i64>(counted + ((<usize>profile) << 3), period);
}

/** The period that a sample of this row counts with. */
export function countedPeriod(profile: u32): i64 {
  return load<i64>(counted + ((<usize>profile) << 3)) || periodOf(profile);
}

/** Whether the inputs have samples of this row. */
export function hasSamples(profile: u32): bool {
  const events = eventColumn();
  for (let row = max<u32>(covered, 1); row < sampleCount; row++) {
    store<u8>(sampled + <usize>profileOfEvent(eventIn(events, row)), 1);
  }
  covered = sampleCount;
  return load<u8>(sampled + <usize>profile) !== 0 || skippedSamples(profile) !== 0;
}

/** Whether a message states the type of this row. */
export function isStated(profile: u32): bool {
  return hasFlag(profile, ProfileFlag.Stated);
}

/** Whether a message states the type of any row of the family of `first`. */
export function isStatedFamily(first: u32): bool {
  for (let i = first; i < profileCount; i++) if (familyOf(i) === first && isStated(i)) return true;
  return false;
}

/** How the family of `profile` is weighed. */
export function weighingOf(profile: u32): Weighing {
  const first = familyOf(profile);
  let known: i64 = i64.MIN_VALUE;
  let several: bool = false;
  let without: u32 = 0;
  for (let i = first; i < profileCount; i++) {
    if (familyOf(i) !== first || !hasSamples(i)) continue;
    // Rows of several scopes may have one period.
    if (known !== i64.MIN_VALUE && periodOf(i) !== known) several = true;
    known = periodOf(i);
    if (known <= 0) without++;
  }
  if (!several || !hasFlag(first, ProfileFlag.Sampled)) return Weighing.Plain;
  return without === 0 ? Weighing.Timed : Weighing.Counted;
}

/** Sets the factors for a selection of this profile, -1 for one of all profiles, by its values or not. */
export function setFactors(profile: i32, byValue: bool): void {
  timed = byValue && profile >= 0 && <u32>profile < profileCount && weighingOf(profile) === Weighing.Timed;
  for (let e: u32 = 0; e < eventCount; e++) {
    const isTimed = timed && familyOfEvent(e) === familyOf(<u32>profile);
    store<i64>(factors + ((<usize>e) << 3), isTimed ? countedPeriod(profileOfEvent(e)) : 1);
  }
}

/** Factor of the values of event row `event`. */
export function factorOf(event: u32): i64 {
  return load<i64>(factors + ((<usize>event) << 3));
}
