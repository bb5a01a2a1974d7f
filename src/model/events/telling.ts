/** Which fields of an event tell most. */
import { PROFILES } from "../../core/tables/catalogue.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS } from "../lists/request-keys.ts";

/** Frames of the stack of an event that are shown, from the leaf on. */
export const MOST_FRAMES = 200;

/** Fields of the events of the catalogue, and their keys. */
const KNOWN = new Map<string, string[]>();
for (const { events } of PROFILES)
  for (const { event, attributes = [] } of events)
    KNOWN.set(event, [...(KNOWN.get(event) ?? []), ...attributes.flat()]);

/** All events of a request have them. */
const OF_REQUEST: readonly string[] = [...ENDPOINT_KEYS, ...OPERATION_KEYS];

/**
 * The fields of an event, those that tell most first: of a type of the catalogue its own, then the longest text. What
 * the request has is last.
 */
export function telling(type: string, fields: Readonly<Record<string, string>>): [name: string, value: string][] {
  const known = KNOWN.get(type) ?? [];
  const placeOf = (name: string) => {
    if (known.includes(name)) return known.indexOf(name);
    return known.length + Number(OF_REQUEST.includes(name));
  };
  return Object.entries(fields).sort(
    ([a, text], [b, other]) => placeOf(a) - placeOf(b) || other.length - text.length || (a < b ? -1 : 1),
  );
}
