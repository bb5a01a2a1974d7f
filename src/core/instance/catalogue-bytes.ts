/** The catalogue as the compact table that the core reads; its layout is in assembly/read/jfr/catalogue.ts. */
import * as Catalogue from "../../../assembly/abi/catalogue.ts";
import * as Rule from "../../../assembly/abi/value-rule.ts";
import { type EventRow, PROFILES, type ProfileRow, type ValueRule, wireType } from "../tables/catalogue.ts";
import { COUNTERS, LIMIT_SETTINGS, LOSSES } from "../tables/losses.ts";
import { MEASUREMENTS, type MeasurementRow, SERIES_KINDS } from "../tables/measurements.ts";
import { readingOfRow } from "../tables/readings.ts";
import { Packer } from "./packer.ts";
import { FACTS, type FactRow } from "./resource.ts";

const RULES: Record<ValueRule["rule"], number> = {
  count: Rule.Count,
  field: Rule.Field,
  amount: Rule.Amount,
  allocated: Rule.Allocated,
  freed: Rule.Freed,
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
    case "allocated":
      return [value.field, value.address, ""];
    case "freed":
      return [value.address, "", ""];
    case "amount":
      return [value.field, "", value.fallback ?? ""];
    default:
      return [value.field, "", ""];
  }
}

function putList<T>(packer: Packer, items: readonly T[], put: (item: T) => void): void {
  packer.byte(items.length);
  for (const item of items) put(item);
}

function putTexts(packer: Packer, texts: readonly string[]): void {
  putList(packer, texts, (s) => packer.shortText(s));
}

function putRule(packer: Packer, value: ValueRule | undefined): void {
  packer.byte(value === undefined ? Catalogue.NO_RULE : RULES[value.rule]);
  for (const field of value === undefined ? ["", "", ""] : fieldsOf(value)) packer.shortText(field);
}

function putProfile(packer: Packer, row: ProfileRow, wire: string): void {
  const { unit, second, period, snapshot } = row;
  for (const s of [wire, unit, second?.type, second?.unit, period?.type, period?.unit, period?.configField])
    packer.shortText(s ?? "");
  packer.byte(snapshot === true ? Catalogue.CATALOGUE_SNAPSHOT : 0);
  packer.word(period?.unset ?? 0);
  putTexts(packer, [...(period?.settings ?? []), ...(period?.wallSettings ?? []).map((name) => `?${name}`)]);
}

function flagsOf(row: EventRow): number {
  const { event, routed = false, everyText = false, exactLeaf = false, call = false, mapped } = row;
  const isLimited = LOSSES.some((row) => row.event === event && row.limited === true);
  const limited = isLimited ? Catalogue.EVENT_LIMITED : 0;
  const apart = { amount: 0, counter: Catalogue.EVENT_COUNTER, level: Catalogue.EVENT_LEVEL }[readingOfRow(row)];
  const texts = limited | (routed ? Catalogue.EVENT_ROUTED : 0) | (everyText ? Catalogue.EVENT_EVERY_TEXT : 0);
  const own = mapped === undefined ? 0 : Catalogue.EVENT_MAPPED;
  return apart | own | texts | (exactLeaf ? Catalogue.EVENT_EXACT_LEAF : 0) | (call ? Catalogue.EVENT_CALL : 0);
}

/** A route without texts is one by the lack of its field. */
function routeOf(route: EventRow["route"]): { field: string; texts: string[]; where: string } {
  const none = { field: "", texts: [], where: "" };
  if (route === undefined) return none;
  return "lacks" in route ? { ...none, field: route.lacks } : route;
}

function putEvent(packer: Packer, row: EventRow, profile: number): void {
  const { event, value, second, skip, route, attributes = [], known = [], mapped } = row;
  const { field, where, texts } = routeOf(route);
  packer.shortText(event);
  packer.byte(profile);
  packer.byte(flagsOf(row));
  putRule(packer, value);
  putRule(packer, second);
  for (const s of [skip, field, where]) packer.shortText(s ?? "");
  putTexts(packer, texts);
  putList(packer, attributes, ([field, key]) => {
    packer.shortText(field);
    packer.shortText(key);
  });
  putTexts(packer, known);
  for (const s of [mapped?.stack, mapped?.thread, mapped?.unit]) packer.shortText(s ?? "");
}

function putFact(packer: Packer, { event, fields, names }: FactRow): void {
  packer.shortText(event);
  putTexts(packer, fields);
  putTexts(packer, names ?? []);
}

function putMeasurement(packer: Packer, row: Omit<MeasurementRow, "series">, series: number): void {
  const { event, values, where } = row;
  packer.shortText(event);
  packer.byte(series);
  putTexts(packer, values);
  packer.shortText(where?.field ?? "");
  packer.shortText(where?.text ?? "");
}

export function catalogueBytes(profiles: readonly ProfileRow[], facts: readonly FactRow[] = FACTS): Uint8Array {
  const packer = new Packer();
  putList(packer, [...profiles.entries()], ([i, row]) => putProfile(packer, row, wireType(profiles, i)));
  const events = profiles.flatMap((row, i) => row.events.map((event) => [event, i] as const));
  putList(packer, events, ([event, i]) => putEvent(packer, event, i));
  putList(packer, facts, (row) => putFact(packer, row));
  const counters = COUNTERS.map((row, i) => [row, Catalogue.LOSS_SERIES + i] as const);
  const measurements = MEASUREMENTS.map((row) => [row, SERIES_KINDS.indexOf(row.series) + 1] as const);
  putList(packer, [...measurements, ...counters], ([row, series]) => putMeasurement(packer, row, series));
  putList(packer, LIMIT_SETTINGS, ({ name, windows }) => {
    packer.shortText(name);
    packer.byte(windows);
  });
  return packer.taken();
}

let usual: Uint8Array | null = null;

/** That of every core without profiles of its own: packing it takes as long as a small recording. */
export function usualCatalogue(): Uint8Array {
  usual ??= catalogueBytes(PROFILES);
  return usual;
}
