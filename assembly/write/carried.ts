/**
 * Attributes of Resources that samples carry (store/scopes.ts): a format with Resources writes the samples without
 * them.
 *
 *   carried   u32 per event row: the resource that its samples carry, 0 for none
 */
import { scopeOf } from "../store/periods";
import { eventCount, profileOfEvent } from "../store/profiles";
import { carriedOf, writtenSet } from "../store/scopes";
import { at, put } from "./columns";
import { zeroed } from "./output";

/** 0 if no samples carry a resource. */
let carried: usize = 0;

/** To be called once a message. */
export function beginCarried(hasResources: bool): void {
  carried = 0;
  for (let e: u32 = 0; hasResources && e < eventCount; e++) {
    const resource = carriedOf(scopeOf(profileOfEvent(e)));
    if (resource === 0) continue;
    if (carried === 0) carried = zeroed(eventCount);
    put(carried, e, resource);
  }
}

/** The set that a sample of this event and set is written with. */
export function setOf(event: u32, set: u32): u32 {
  if (carried === 0) return set;
  const resource = at(carried, event);
  return resource === 0 ? set : writtenSet(set, resource);
}
