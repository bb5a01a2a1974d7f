/**
 * Groups of Profiles under one instrumentation scope, in the order of their first Profiles. Groups with the schema URL
 * of one resource are next to each other. Profiles that were read from recordings, and those that our writer wrote, are
 * in the group of our own scope (row 0); those of each process, and of each run of a dump, are in a separate Resource.
 *
 *   groups   u32 each: its first profile
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import { profileAt } from "../../store/profiles";
import * as ScopeRow from "../../store/rows/scope-row";
import { isOurScope, resourceOf, scopes } from "../../store/scopes";
import { at, put } from "../columns";
import { scratch } from "../output";
import * as OutputRow from "../output-row";
import { outputAt, outputCount } from "../plan";
import { isReached } from "../reach";

let groups: usize = 0;
export let groupCount: u32 = 0;

/** To be called once a message, when its outputs are known. */
export function beginGroups(): void {
  groups = scratch((<u64>outputCount) << 2);
  groupCount = 0;
  for (let i: u32 = 0; i < outputCount; i++) if (isReached(i)) addGroup(load<u32>(outputAt(i), OutputRow.PROFILE));
}

function scopeOf(profile: u32): u32 {
  return load<u32>(profileAt(profile), ProfileRow.SCOPE);
}

function processOf(profile: u32): u32 {
  return load<u32>(profileAt(profile), ProfileRow.PROCESS);
}

function addGroup(profile: u32): void {
  let to = groupCount;
  for (let g: u32 = 0; g < groupCount; g++) {
    if (isOneGroup(at(groups, g), profile)) return;
    if (isOneResource(at(groups, g), profile)) to = g + 1;
  }
  for (let g = groupCount; g > to; g--) put(groups, g, at(groups, g - 1));
  put(groups, to, profile);
  groupCount++;
}

function isOneGroup(profile: u32, other: u32): bool {
  return scopeOf(profile) === scopeOf(other) && processOf(profile) === processOf(other);
}

function isOneResource(profile: u32, other: u32): bool {
  if (processOf(profile) !== processOf(other)) return false;
  const scope = scopeOf(profile);
  const second = scopeOf(other);
  return resourceUrl(scope) === resourceUrl(second) && resourceOf(scope) === resourceOf(second);
}

function resourceUrl(scope: u32): u32 {
  return isOurScope(scope) ? 0 : scopes.get(scope, ScopeRow.RESOURCE_URL) + 1;
}

/** A profile of group `g`. */
export function profileOfGroup(g: u32): u32 {
  return at(groups, g);
}

/** Row of the scope of group `g`. */
export function scopeOfGroup(g: u32): u32 {
  return scopeOf(at(groups, g));
}

/** Whether output `i` is written, in group `g`. */
export function isIn(i: u32, g: u32): bool {
  return isReached(i) && isOneGroup(load<u32>(outputAt(i), OutputRow.PROFILE), at(groups, g));
}

/** Whether a resource begins with group `g`; with `groupCount`, all have ended. */
export function beginsResource(g: u32): bool {
  return g === 0 || g === groupCount || !isOneResource(at(groups, g), at(groups, g - 1));
}
