/**
 * What values are evidence of: their number of observations and their time. The one place from which errors, "too few"
 * and significance are computed; where the number of observations is unknown, there is no error.
 */
import type { Meaning, SelectionTotals } from "../types.ts";

/** A profile by one of its measures. */
export interface Quantity {
  meaning: Meaning;
  /** The first, by default. */
  measure?: number;
}

/** Number of observations in some samples and their value; null if it is unknown. */
export function observationsOf({ meaning, measure = 0 }: Quantity, { samples, value }: SelectionTotals): number | null {
  const { each } = meaning;
  if (each === 0 || samples === 0) return samples;
  // Second measures count or add up something else.
  if (each === null || measure > 0) return null;
  return Math.max(samples, Math.round(Math.abs(Number(value)) / each));
}

/** Mean time of an observation in nanoseconds; null if values are no time, or the number of observations is unknown. */
export function nanosOfEach({ meaning, samples, value }: { meaning: Meaning } & SelectionTotals): number | null {
  const observations = observationsOf({ meaning }, { samples, value });
  if (meaning.nanos === null || observations === null || observations === 0) return null;
  return (meaning.each || Number(value) / observations) * meaning.nanos;
}

/**
 * Whether an error is known at all. The number of observations in sums of bytes or times may be unknown: each sum is at
 * least one, which bounds the error. Weights that claim to count samples and cannot have no unit, so nothing bounds it.
 */
export function isErrorKnown({ meaning, otlpType }: { meaning: Meaning; otlpType: string }): boolean {
  return meaning.each !== null || !/^samples?\b/.test(otlpType);
}

/** Observations that errors are computed from: a lower bound where their number is unknown, 0 without one. */
export function leastObservations(profile: Quantity & { otlpType: string }, totals: SelectionTotals): number {
  return observationsOf(profile, totals) ?? (isErrorKnown(profile) ? totals.samples : 0);
}
