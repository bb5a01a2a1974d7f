/**
 * Samples that a reader skipped because a filter excludes them (read/wanted.ts): how many, by event row. They have no
 * row among the samples, but belong to the facts of a profile: that it has samples, and with which periods.
 *
 *   counts      u32 per event row
 *   ofMessages  u32 per profile row, of messages, whose samples decide their event row
 */
import { onReset } from "../memory/resets";
import {
  eventCount,
  familyOf,
  familyOfEvent,
  MAX_EVENTS,
  MAX_PROFILES,
  profileCount,
  profileOfEvent,
} from "./profiles";

/** MAX_EVENTS entries. */
const counts: usize = memory.data(<i32>MAX_EVENTS * 4, 4);
/** MAX_PROFILES entries. */
const ofMessages: usize = memory.data(<i32>MAX_PROFILES * 4, 4);
let any: bool = false;

export function resetSkipped(): void {
  memory.fill(counts, 0, MAX_EVENTS * 4);
  memory.fill(ofMessages, 0, MAX_PROFILES * 4);
  any = false;
}
onReset(resetSkipped);

export function noteSkipped(event: u32, samples: u32): void {
  const p = counts + ((<usize>event) << 2);
  store<u32>(p, load<u32>(p) + samples);
  if (samples !== 0) any = true;
}

/** A sample of profile row `profile`, of a message. */
export function noteSkippedIn(profile: u32): void {
  const p = ofMessages + ((<usize>profile) << 2);
  store<u32>(p, load<u32>(p) + 1);
  any = true;
}

function skippedIn(profile: u32): u32 {
  return load<u32>(ofMessages + ((<usize>profile) << 2));
}

/** Samples of event row `event` that were skipped. */
export function skippedOf(event: u32): u32 {
  return load<u32>(counts + ((<usize>event) << 2));
}

/** Samples of profile row `profile` that were skipped. */
export function skippedSamples(profile: u32): u32 {
  if (!any) return 0;
  let n = skippedIn(profile);
  for (let e: u32 = 0; e < eventCount; e++)
    if (profileOfEvent(e) === profile) n += load<u32>(counts + ((<usize>e) << 2));
  return n;
}

/** Skipped samples of the whole family of `profile`, its first row. */
export function skippedInFamily(profile: u32): u32 {
  if (!any) return 0;
  let n: u32 = 0;
  for (let p: u32 = 0; p < profileCount; p++) if (familyOf(p) === profile) n += skippedIn(p);
  for (let e: u32 = 0; e < eventCount; e++)
    if (familyOfEvent(e) === profile) n += load<u32>(counts + ((<usize>e) << 2));
  return n;
}
