/** Events of the recording that the catalogue has no profile for, though they have a stack trace. */
import { PROFILES, type ProfileRow } from "../../core/tables/catalogue.ts";
import { canBeProfile, extraProfile } from "../../core/tables/extra-events.ts";
import type { EventType, ExtraEvent } from "../../core/types.ts";

const IN_CATALOGUE = new Set(PROFILES.flatMap(({ events }) => events.map(({ event }) => event)));

/** Settings and configurations: the stack of a thread of the recorder says nothing. */
const OF_RECORDER = /^jdk\.Active|(Setting|Config|Configuration|AvailableProcessorCores)$/;

/** Whether the catalogue has no profile for an event that says what a thread did. */
const isOther = (event: string) => !IN_CATALOGUE.has(event) && !OF_RECORDER.test(event) && canBeProfile({ event });

/** By name, which is how someone looks for one. */
export function otherEvents(types: readonly EventType[]): EventType[] {
  return types
    .filter(({ event, count, stack }) => stack && count > 0 && isOther(event))
    .map((type) => ({ ...type, fields: type.fields.filter((value) => canBeProfile({ event: type.event, value })) }))
    .sort((a, b) => (a.event < b.event ? -1 : 1));
}

/** Events that are neither a profile nor one of `extra`, as profiles: those with a duration by it. */
export function otherTypes(types: readonly EventType[], extra: readonly ExtraEvent[]): ExtraEvent[] {
  const known = new Set(extra.map(({ event }) => event));
  return types
    .filter(({ event, count }) => count > 0 && isOther(event) && !known.has(event))
    .map(({ event, fields }) => (fields.includes("duration") ? { event, value: "duration" } : { event }))
    .filter(canBeProfile);
}

/** The catalogue with a row for each event named besides. */
export function kindsWith(extra: readonly ExtraEvent[]): ProfileRow[] {
  return [...PROFILES, ...extra.map(extraProfile)];
}
