/** The catalogue as the compact table that the core takes over; its layout stands in assembly/read/jfr/catalogue.ts. */
import type { EventRow, ProfileRow, ValueRule } from "./catalogue.ts";

const RULES: ValueRule["rule"][] = ["count", "field", "scaled", "duration"];

function fields(value: ValueRule): [string, string, string] {
  switch (value.rule) {
    case "count":
      return ["", "", ""];
    case "scaled":
      return [value.size, value.weight, value.fallback];
    default:
      return [value.field, "", ""];
  }
}

export function catalogueBytes(profiles: ProfileRow[], events: EventRow[]): Uint8Array {
  const out: number[] = [];
  const encoder = new TextEncoder();
  const text = (s: string) => {
    const bytes = encoder.encode(s);
    if (bytes.length > 255) throw new RangeError(`catalogue: text of ${bytes.length} bytes: ${s}`);
    out.push(bytes.length, ...bytes);
  };
  out.push(profiles.length);
  for (const { type, unit, period } of profiles) {
    for (const s of [type, unit, period?.type, period?.unit, period?.configField, period?.setting]) text(s ?? "");
  }
  out.push(events.length);
  for (const { event, profile, value, attributes } of events) {
    const index = profiles.findIndex((row) => row.type === profile);
    if (index < 0) throw new RangeError(`catalogue: ${event} names the profile ${profile}, which there is not`);
    text(event);
    out.push(index, RULES.indexOf(value.rule));
    for (const field of fields(value)) text(field);
    out.push(attributes.length);
    for (const [field, key] of attributes) {
      text(field);
      text(key);
    }
  }
  return Uint8Array.from(out);
}
