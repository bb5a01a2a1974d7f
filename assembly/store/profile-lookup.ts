/**
 * Lookup of the profiles and event rows of a message: equal rows are reused, others are added. A message names its
 * profiles by type and unit, so if the catalogue has that type, its samples join those of recordings.
 */
import * as ProfileRow from "../abi/rows/profile-row";
import { crowded, giveUpPeriod, hasFlag, noteSampled, periodOf, rowOfScope, scopeOf } from "./periods";
import {
  addProfile,
  addShapedEvent,
  cataloguedProfiles,
  eventAt,
  eventCount,
  familyOf,
  MAX_EVENTS,
  MAX_PROFILES,
  ProfileFlag,
  profileAt,
  profileCount,
  Shape,
  setUnit,
} from "./profiles";

/** The tables are full, and nothing alike is in them. */
export const NO_ROW: u32 = 0xffff_ffff;
/** The requested row did not fit, so a row of the same type, or of the same profile, was taken. */
export let merged: bool = false;

function isType(i: u32, type: u32, unit: u32): bool {
  const p = profileAt(i);
  const known = load<u32>(p, ProfileRow.UNIT);
  return (
    load<u32>(p, ProfileRow.TYPE) === type &&
    (known === unit || (known === 0 && i < cataloguedProfiles)) &&
    load<u32>(p, ProfileRow.GROUP) === 0
  );
}

function isPeriodKind(i: u32, type: u32, unit: u32): bool {
  const p = profileAt(i);
  return load<u32>(p, ProfileRow.PERIOD_TYPE) === type && load<u32>(p, ProfileRow.PERIOD_UNIT) === unit;
}

/**
 * The profile of this type, period, attribute set and scope. One of the catalogue takes any period of its kind, as it
 * does from recordings, where it is no factor; every other one is distinguished by it.
 */
export function profileOf(
  type: u32,
  unit: u32,
  periodType: u32,
  periodUnit: u32,
  period: i64,
  set: u32,
  scope: u32,
): u32 {
  merged = false;
  let alike = NO_ROW;
  let first = NO_ROW;
  let ofOtherScope = NO_ROW;
  for (let i: u32 = 0; i < profileCount; i++) {
    if (!isType(i, type, unit)) continue;
    alike = i;
    if (load<u32>(profileAt(i), ProfileRow.SET) !== set) continue;
    if (i < cataloguedProfiles) {
      if (period !== 0 && !isPeriodKind(i, periodType, periodUnit)) continue;
      setUnit(i, unit);
      const row = rowOfScope(i, period, scope);
      merged = crowded;
      return row;
    }
    if (familyOf(i) < cataloguedProfiles || !isPeriodKind(i, periodType, periodUnit)) continue;
    if (periodOf(i) === period) {
      if (scopeOf(i) === scope) return i;
      ofOtherScope = i;
    }
    if (first === NO_ROW) first = familyOf(i);
  }
  // A new row needs an event row, too.
  if (profileCount === MAX_PROFILES || eventCount === MAX_EVENTS) {
    merged = ofOtherScope !== NO_ROW || alike !== NO_ROW;
    if (ofOtherScope !== NO_ROW) return ofOtherScope;
    if (alike !== NO_ROW && hasFlag(alike, ProfileFlag.Sampled)) giveUpPeriod(alike);
    return alike;
  }
  const row = newProfile(type, unit, periodType, periodUnit, period, set);
  store<u32>(profileAt(row), scope, ProfileRow.SCOPE);
  // Values without a type and unit are not known to add up.
  if (first !== NO_ROW && type !== 0) store<u32>(profileAt(row), first, ProfileRow.FAMILY);
  return row;
}

/** A profile that was not requested before; there is room for it. */
export function newProfile(type: u32, unit: u32, periodType: u32, periodUnit: u32, period: i64, set: u32): u32 {
  const i = addProfile(type, unit, 0, 0, periodType, periodUnit);
  store<i64>(profileAt(i), period, ProfileRow.PERIOD);
  store<u32>(profileAt(i), set, ProfileRow.SET);
  noteSampled(i);
  return i;
}

/** The event row of this profile, event name (0 = unknown) and shape. */
export function eventOf(profile: u32, name: u32, shape: Shape, plain: bool): u32 {
  merged = false;
  let alike = NO_ROW;
  let related = NO_ROW;
  let named = name === 0;
  const family = familyOf(profile);
  for (let i: u32 = 0; i < eventCount; i++) {
    const p = eventAt(i);
    const own = load<u32>(p, ProfileRow.EVENT_PROFILE);
    if (familyOf(own) !== family) continue;
    const isNamed = load<u32>(p, ProfileRow.EVENT_NAME) === name;
    named = named || isNamed;
    related = i;
    if (own !== profile) continue;
    alike = i;
    if (!isNamed) continue;
    if (load<u32>(p, ProfileRow.EVENT_SHAPE) === <u32>shape && (load<u32>(p, ProfileRow.EVENT_PLAIN) !== 0) === plain)
      return i;
  }
  if (eventCount === MAX_EVENTS) {
    merged = alike !== NO_ROW || related !== NO_ROW;
    if (alike !== NO_ROW || related === NO_ROW || load<u32>(profileAt(profile), ProfileRow.GROUP) !== 0) return alike;
    const other = load<u32>(eventAt(related), ProfileRow.EVENT_PROFILE);
    if (hasFlag(other, ProfileFlag.Sampled)) giveUpPeriod(other);
    return related;
  }
  const q = profileAt(family);
  if (!named) store<u32>(q, load<u32>(q, ProfileRow.EVENTS) + 1, ProfileRow.EVENTS);
  return addShapedEvent(name, profile, shape, plain);
}

/**
 * Name of the only event that feeds a profile of the catalogue, 0 where there are several or the profile is another.
 */
export function onlyEvent(profile: u32): u32 {
  const first = familyOf(profile);
  if (first >= cataloguedProfiles || load<u32>(profileAt(first), ProfileRow.EVENTS) !== 1) return 0;
  for (let i: u32 = 0; i < eventCount; i++) {
    const p = eventAt(i);
    if (load<u32>(p, ProfileRow.EVENT_PROFILE) === first && load<u32>(p, ProfileRow.EVENT_NAME) !== 0)
      return load<u32>(p, ProfileRow.EVENT_NAME);
  }
  return 0;
}
