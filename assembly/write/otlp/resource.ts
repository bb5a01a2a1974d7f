/**
 * Attributes of the Resource of a profile: those of the plan, which all Resources of the message have, then those that
 * only this one has: of its process, and of the Resource of its scope.
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import { profileAt } from "../../store/profiles";
import * as AttributeRow from "../../store/rows/attribute-row";
import { carriedOf, resourceOf } from "../../store/scopes";
import { sets } from "../../store/tables";
import { attributeWord } from "../added";
import { at, put } from "../columns";
import { scratch } from "../output";
import { decidesKey, processAttribute, processCount, resourceAttribute, resourceCount } from "../plan";

let list: usize = 0;
let room: u32 = 0;
/** Attributes of the profile that `listResource` was called for. */
export let listed: u32 = 0;

/** To be called once a message. */
export function beginResources(): void {
  room = 0;
}

/** Lists the attributes of the Resource of this profile, each key once. */
export function listResource(profile: u32): void {
  const set = resourceOf(load<u32>(profileAt(profile), ProfileRow.SCOPE));
  const process = load<u32>(profileAt(profile), ProfileRow.PROCESS);
  const own = sets.size(set) >> 2;
  const most = resourceCount + own + processCount(process);
  if (most > room) {
    list = scratch((<u64>most) << 3);
    room = most << 1;
  }
  listed = 0;
  for (let i: u32 = 0; i < resourceCount; i++) put(list, listed++, resourceAttribute(i));
  for (let i: u32 = 0; i < own; i++) addOwn(at(sets.pointer(set), i));
  for (let i: u32 = 0; i < processCount(process); i++) addOwn(processAttribute(process, i));
}

function addOwn(attribute: u32): void {
  const key = attributeWord(attribute, AttributeRow.KEY);
  if (decidesKey(key)) return;
  for (let i = resourceCount; i < listed; i++) if (attributeWord(listedAttribute(i), AttributeRow.KEY) === key) return;
  put(list, listed++, attribute);
}

/** An attribute of the listed ones. */
export function listedAttribute(i: u32): u32 {
  return at(list, i);
}

/** Whether the Resource of this profile has attributes that others of the message do not have. */
export function isSeparate(profile: u32): bool {
  listResource(profile);
  return listed > resourceCount;
}

/** Whether the Resource is separate and its samples do not carry the attributes: readers then must not, either. */
export function isMarked(profile: u32): bool {
  return carriedOf(load<u32>(profileAt(profile), ProfileRow.SCOPE)) === 0 && isSeparate(profile);
}
