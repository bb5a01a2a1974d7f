/** Events of the recording that the catalogue has no profile for, though they have a stack trace. */
import { PROFILES, type ProfileRow } from "../../core/tables/catalogue.ts";
import { canBeProfile, extraProfile } from "../../core/tables/extra-events.ts";
import type { EventType, ExtraEvent } from "../../core/types.ts";

const IN_CATALOGUE = new Set(PROFILES.flatMap(({ events }) => events.map(({ event }) => event)));

/** Settings and configurations: the stack of a thread of the recorder says nothing. */
const OF_RECORDER = /^jdk\.Active|(Setting|Config|Configuration|AvailableProcessorCores)$/;

/** Whether the catalogue has no profile for an event that says what a thread did. */
export const isOther = (event: string) =>
  !IN_CATALOGUE.has(event) && !OF_RECORDER.test(event) && canBeProfile({ event });

/** By name, which is how someone looks for one. */
export function otherEvents(types: readonly EventType[]): EventType[] {
  return types
    .filter(({ event, count, stack }) => stack && count > 0 && isOther(event))
    .map((type) => ({ ...type, fields: type.fields.filter((value) => canBeProfile({ event: type.event, value })) }))
    .sort((a, b) => (a.event < b.event ? -1 : 1));
}

/** The catalogue with a row for each event named besides. */
export function kindsWith(extra: readonly ExtraEvent[]): ProfileRow[] {
  return [...PROFILES, ...extra.map(extraProfile)];
}
