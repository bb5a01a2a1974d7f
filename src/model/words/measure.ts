/** The measures of a profile: bytes or objects, time or contentions. What is on screen is weighed by one of them. */

import { isErrorKnown } from "../../core/tables/quantities.ts";
import { usualMeasure } from "../../core/tables/usual-measure.ts";
import type { ProfileSummary } from "../../core/types.ts";

/** A profile whose values may be exact. */
export interface Profiled extends ProfileSummary {
  /** Of calls of dumps and of spans: values are measured, not sampled, so they have no sampling error. */
  exact?: "calls" | "spans";
}

/** A profile as one of its measures sees it: `unit` and `value` are the measure's. */
export interface Measured extends Profiled {
  /** Index into `measures`. */
  measure: number;
}

/** What the words for a value need to know of its profile. */
export type Weighed = Pick<
  Measured,
  "unit" | "value" | "samples" | "period" | "periodUnit" | "measures" | "measure" | "exact" | "meaning"
>;

/** `measure` by index; the period tells the distance of samples, which is nothing a second measure counts in. */
export function measured(profile: Profiled, measure: number): Measured {
  const chosen = profile.measures[measure];
  if (measure === 0 || chosen === undefined) return { ...profile, measure: 0 };
  return { ...profile, unit: chosen.unit, value: chosen.value, period: 0n, measure };
}

/** The measure of this name, else the usual one. */
export function chooseMeasure(profile: ProfileSummary, name: string): number {
  const wanted = profile.measures.findIndex((measure) => measure.name === name);
  return wanted >= 0 ? wanted : usualMeasure(profile);
}

/** The profile by its usual measure. */
export function usually(profile: Profiled): Measured {
  return measured(profile, usualMeasure(profile));
}

/** `time`, `bytes`, `objects`: one word for a choice or the head of a column. */
export function measureWord({ measures }: ProfileSummary, measure: number): string {
  const { name = "", unit = "" } = measures[measure] ?? {};
  if (unit === "nanoseconds") return "time";
  // A number that the recording gives no unit, beside the number of events.
  return name === "count" || name === "" ? "value" : name;
}

/** What a value of a counting measure counts: `objects` of allocations. "" where it is a number of nothing known. */
export function countedWord({ measures, measure, exact, meaning }: Weighed): string {
  if (exact) return "invocations";
  const name = measures[measure]?.name ?? "";
  if (name !== "count" && name !== "") return name;
  return measures.length > 1 || meaning.each === null ? "" : "samples";
}

/** Unit of values in a table. Weights that cannot be numbers of samples have none. */
export function unitOf({ measures, unit, meaning, otlpType }: ProfileSummary, measure: number): string {
  return isErrorKnown({ meaning, otlpType }) ? (measures[measure]?.unit ?? unit) : "units";
}

/** What the measure is called in a file name: the profile's type, or the measure's own. */
export function measureType({ type, measures, measure }: Measured): string {
  return measure === 0 ? type : (measures[measure]?.type ?? type);
}
