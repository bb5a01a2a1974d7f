/** The catalogue as the compact table that the core takes over; its layout stands in assembly/read/jfr/catalogue.ts. */
import { type EventRow, type ProfileRow, type ValueRule, wireType } from "./catalogue.ts";
import { FACTS, type FactRow } from "./resource.ts";

const RULES: ValueRule["rule"][] = [
  "count",
  "field",
  "amount",
  "rounded",
  "scaled",
  "duration",
  "scaled-duration",
  "any",
];
const NO_RULE = 255;

function fieldsOf(value: ValueRule): [string, string, string] {
  switch (value.rule) {
    case "count":
      return ["", "", ""];
    case "scaled":
      return [value.size, value.weight, value.fallback];
    case "scaled-duration":
      return [value.field, value.weight, ""];
    case "amount":
      return [value.field, "", value.fallback ?? ""];
    default:
      return [value.field, "", ""];
  }
}

/** Bytes and texts in a row. */
class Packer {
  readonly out: number[] = [];
  private readonly encoder = new TextEncoder();

  byte(n: number): void {
    if (!Number.isInteger(n) || n < 0 || n > 255) throw new RangeError(`catalogue: ${n} is no byte`);
    this.out.push(n);
  }

  text(s: string): void {
    const bytes = this.encoder.encode(s);
    if (bytes.length > 255) throw new RangeError(`catalogue: text of ${bytes.length} bytes: ${s}`);
    this.out.push(bytes.length, ...bytes);
  }

  list<T>(items: readonly T[], one: (item: T) => void): void {
    this.byte(items.length);
    for (const item of items) one(item);
  }

  rule(value: ValueRule | undefined): void {
    this.byte(value === undefined ? NO_RULE : RULES.indexOf(value.rule));
    for (const field of value === undefined ? ["", "", ""] : fieldsOf(value)) this.text(field);
  }

  profile(row: ProfileRow, wire: string): void {
    const { unit, second, period, snapshot } = row;
    for (const s of [wire, unit, second?.type, second?.unit, period?.type, period?.unit, period?.configField])
      this.text(s ?? "");
    this.byte(snapshot === true ? 1 : 0);
    this.list(period?.settings ?? [], (s) => this.text(s));
  }

  event(row: EventRow, profile: number): void {
    const { event, value, second, skip, route, routed, everyText, attributes = [], known = [] } = row;
    this.text(event);
    this.byte(profile);
    this.byte((routed === true ? 1 : 0) | (everyText === true ? 2 : 0));
    this.rule(value);
    this.rule(second);
    for (const s of [skip, route?.field, route?.where]) this.text(s ?? "");
    this.list(route?.texts ?? [], (s) => this.text(s));
    this.list(attributes, ([field, key]) => {
      this.text(field);
      this.text(key);
    });
    this.list(known, (s) => this.text(s));
  }

  fact({ event, fields, names }: FactRow): void {
    this.text(event);
    this.list(fields, (s) => this.text(s));
    this.list(names ?? [], (s) => this.text(s));
  }
}

export function catalogueBytes(profiles: readonly ProfileRow[], facts: readonly FactRow[] = FACTS): Uint8Array {
  const packer = new Packer();
  packer.byte(profiles.length);
  for (const [i, row] of profiles.entries()) packer.profile(row, wireType(profiles, i));
  const events = profiles.flatMap((row, i) => row.events.map((event) => [event, i] as const));
  packer.list(events, ([event, i]) => packer.event(event, i));
  packer.list(facts, (row) => packer.fact(row));
  return Uint8Array.from(packer.out);
}
