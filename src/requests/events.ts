/**
 * The events that a user maps to profiles, as the option `events` of the library and a file of the command line have
 * them: `{ "my.Event": { "type": "io", "value": "bytes" } }`, or a list of mappings that name their events.
 */
import { SpanflameError } from "../core/instance/error.ts";
import { PROFILES } from "../core/tables/catalogue.ts";
import { canBeProfile, extraType } from "../core/tables/extra-events.ts";
import type { ExtraEvent } from "../core/types.ts";

/** The catalogue has at most 255 rows, and an event a limited number of fields. */
const MOST_EVENTS = 100;
const MOST_ATTRIBUTES = 20;
const TEXTS = ["event", "type", "value", "unit", "stack", "thread"] as const satisfies readonly (keyof ExtraEvent)[];
const KEYS: readonly string[] = [...TEXTS, "attributes"];

/** The mappings, checked. Throws `option.unknown` and `option.value`; `option` names what is wrong. */
export function eventsOf(given: unknown, option = "events"): ExtraEvent[] {
  if (!isObject(given)) return refuse(`${option} must be an object, or a list of objects`);
  const entries = Array.isArray(given)
    ? given.map((mapping, i) => [`${option}[${i}]`, mapping] as const)
    : Object.entries(given).map(([event, mapping]) => [`${option}.${event}`, named(event, mapping)] as const);
  if (entries.length > MOST_EVENTS) refuse(`${option} has more than ${MOST_EVENTS} events`);
  const types = new Set(PROFILES.map(({ type }) => type));
  return entries.map(([place, mapping]) => {
    checkMapping(mapping, place);
    if (!canBeProfile(mapping)) refuse(`${place} has too long a name`);
    const type = extraType(mapping);
    if (types.has(type)) refuse(`${place}: there is another profile of the type ${JSON.stringify(type)}`);
    types.add(type);
    return mapping;
  });
}

function named(event: string, mapping: unknown): unknown {
  return isObject(mapping) && !Array.isArray(mapping) ? { ...mapping, event } : mapping;
}

function checkMapping(mapping: unknown, place: string): asserts mapping is ExtraEvent {
  if (!isObject(mapping) || Array.isArray(mapping)) refuse(`${place} must be an object`);
  const unknown = Object.keys(mapping).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const text = `${place} has no option ${JSON.stringify(unknown)}; its options are ${KEYS.join(", ")}`;
    throw new SpanflameError("option.unknown", text);
  }
  for (const key of TEXTS) if (mapping[key] !== undefined) checkText(mapping[key], `${place}: ${key}`);
  if (mapping.event === undefined) refuse(`${place}: event is missing`);
  if (mapping.unit !== undefined && mapping.value === undefined)
    refuse(`${place}: a unit needs a value; without one, events are counted`);
  if (mapping.attributes !== undefined) checkAttributes(mapping.attributes, `${place}: attributes`);
}

function checkAttributes(given: unknown, place: string): void {
  if (!isObject(given)) refuse(`${place} must be a list of fields, or an object with a key for each field`);
  const texts = Array.isArray(given) ? given : Object.entries(given).flat();
  for (const text of texts) checkText(text, place);
  if (Object.keys(given).length > MOST_ATTRIBUTES) refuse(`${place} has more than ${MOST_ATTRIBUTES} fields`);
}

function checkText(text: unknown, place: string): void {
  if (typeof text !== "string" || text === "") refuse(`${place} must be a text that is not empty`);
  if (!canBeProfile({ event: text })) refuse(`${place} is too long`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function refuse(message: string): never {
  throw new SpanflameError("option.value", message);
}
