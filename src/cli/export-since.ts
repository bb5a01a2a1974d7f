/** Value of `export --since`: a moment, or an age such as `36h` or `7d`. */
import { UsageError } from "./exit.ts";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds since 1970; without a value the beginning of all times. Throws UsageError. */
export function sinceOf(text: string | undefined, now = Date.now()): number {
  if (text === undefined) return Number.NEGATIVE_INFINITY;
  const age = /^(\d{1,6})([mhd])$/.exec(text);
  if (age !== null) return now - Number(age[1]) * UNITS[age[2]!]!;
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment))
    throw new UsageError(`--since: ${JSON.stringify(text)} is neither a date (2026-11-23) nor an age (36h, 7d)`);
  return moment;
}
