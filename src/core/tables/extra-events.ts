/** Profiles of events outside of the catalogue, as a user names them. */

import type { ExtraEvent, ReadChoice } from "../types.ts";
import type { ProfileRow } from "./catalogue.ts";

/** The catalogue's texts have at most so many bytes (catalogue-bytes.ts); no event that anyone wrote has more. */
const LONGEST = 255;

/** The profile's type: the event, or the event and the field that is added up, if none is stated. */
export function extraType({ event, value, type }: ExtraEvent): string {
  return type ?? (value === undefined ? event : `${event}.${value}`);
}

/** Whether the core can take the event: the longest text derived from it is the name of the second measure. */
export function canBeProfile(extra: ExtraEvent): boolean {
  return new TextEncoder().encode(`${extraType(extra)}-count`).length <= LONGEST;
}

/** A reading of the profiles of the catalogue, with the context of events that state none. */
export const PLAIN: ReadChoice = { extra: [], inferred: true };

/** Equal keys, equal readings of the files. */
export function readingKey({ extra, inferred }: ReadChoice): string {
  return JSON.stringify([inferred, ...extra.map(({ event, value }) => [event, value ?? ""])]);
}

/** Units as annotations of fields spell them. */
const ANNOTATED = ["nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"];

/**
 * A separate row for the event. The core determines the unit of a field by its annotation (nanoseconds, bytes,
 * percent), else it is the stated one, else count. Without a list of attributes, every field with a text becomes one.
 */
export function extraProfile(extra: ExtraEvent): ProfileRow {
  const { event, value, unit, stack, thread, attributes } = extra;
  const type = extraType(extra);
  const second = { name: "events", type: `${type}-count`, unit: "count" };
  const label = value === undefined ? event : `${event} · ${value}`;
  const named = Array.isArray(attributes)
    ? attributes.map((field) => [field, field])
    : Object.entries(attributes ?? {});
  return {
    type,
    unit: value === undefined ? "count" : "",
    label: extra.type ?? label,
    about: value === undefined ? `Events ${event}, counted.` : `Sum of ${value} over the events ${event}.`,
    setting: "",
    ...(value === undefined ? {} : { second }),
    events: [
      {
        event,
        value: value === undefined ? { rule: "count" } : { rule: "any", field: value },
        ...(value === undefined ? {} : { second: { rule: "count" } }),
        attributes: named as [string, string][],
        everyText: attributes === undefined,
        mapped: { stack, thread, unit: unit !== undefined && ANNOTATED.includes(unit) ? unit.toUpperCase() : unit },
      },
    ],
  };
}
