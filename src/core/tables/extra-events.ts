/** Profiles of events outside of the catalogue, as a user names them. */

import type { ExtraEvent, ReadChoice } from "../types.ts";
import type { ProfileRow } from "./catalogue.ts";

/** The catalogue's texts have at most so many bytes (catalogue-bytes.ts); no event that anyone wrote has more. */
const LONGEST = 255;

/** The profile's type: the event, or the event and the field that is added up. */
export function extraType({ event, value }: ExtraEvent): string {
  return value === undefined ? event : `${event}.${value}`;
}

/** Whether the core can take the event: the longest text derived from it is the name of the second measure. */
export function canBeProfile(extra: ExtraEvent): boolean {
  return new TextEncoder().encode(`${extraType(extra)}-count`).length <= LONGEST;
}

/** A reading of the profiles of the catalogue, with the context that the events state. */
export const PLAIN: ReadChoice = { extra: [], inferred: false };

/** Equal keys, equal readings of the files. */
export function readingKey({ extra, inferred }: ReadChoice): string {
  return JSON.stringify([inferred, ...extra.map(({ event, value }) => [event, value ?? ""])]);
}

/**
 * A separate row for the event. The core determines the unit of a field by its annotation (nanoseconds, bytes, percent,
 * else count). Every field with a text becomes an attribute.
 */
export function extraProfile(extra: ExtraEvent): ProfileRow {
  const { event, value } = extra;
  const type = extraType(extra);
  const second = { name: "events", type: `${type}-count`, unit: "count" };
  return {
    type,
    unit: value === undefined ? "count" : "",
    label: value === undefined ? event : `${event} · ${value}`,
    about: value === undefined ? `Events ${event}, counted.` : `Sum of ${value} over the events ${event}.`,
    setting: "",
    ...(value === undefined ? {} : { second }),
    events: [
      {
        event,
        value: value === undefined ? { rule: "count" } : { rule: "any", field: value },
        ...(value === undefined ? {} : { second: { rule: "count" } }),
        everyText: true,
      },
    ],
  };
}
