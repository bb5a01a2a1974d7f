/** The catalogue as the compact table that the core takes over; its layout is in assembly/read/jfr/catalogue.ts. */
import { CATALOGUE_SNAPSHOT, EVENT_EVERY_TEXT, EVENT_ROUTED, NO_RULE } from "../../assembly/abi/catalogue.ts";
import * as Rule from "../../assembly/abi/value-rule.ts";
import { type EventRow, type ProfileRow, type ValueRule, wireType } from "./catalogue.ts";
import { FACTS, type FactRow } from "./resource.ts";

const RULES: Record<ValueRule["rule"], number> = {
  count: Rule.Count,
  field: Rule.Field,
  amount: Rule.Amount,
  rounded: Rule.Rounded,
  scaled: Rule.Scaled,
  duration: Rule.Duration,
  "scaled-duration": Rule.ScaledDuration,
  any: Rule.Any,
};

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
    this.byte(value === undefined ? NO_RULE : RULES[value.rule]);
    for (const field of value === undefined ? ["", "", ""] : fieldsOf(value)) this.text(field);
  }

  profile(row: ProfileRow, wire: string): void {
    const { unit, second, period, snapshot } = row;
    for (const s of [wire, unit, second?.type, second?.unit, period?.type, period?.unit, period?.configField])
      this.text(s ?? "");
    this.byte(snapshot === true ? CATALOGUE_SNAPSHOT : 0);
    this.list(period?.settings ?? [], (s) => this.text(s));
  }

  event(row: EventRow, profile: number): void {
    const { event, value, second, skip, route, routed, everyText, attributes = [], known = [] } = row;
    this.text(event);
    this.byte(profile);
    this.byte((routed === true ? EVENT_ROUTED : 0) | (everyText === true ? EVENT_EVERY_TEXT : 0));
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
