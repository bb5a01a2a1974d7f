import type { ProfileSummary } from "../types.ts";

/** The measure of a profile where none is named: the first that has a value, because 0 everywhere is no value. */
export function usualMeasure({ measures }: Pick<ProfileSummary, "measures">): number {
  return Math.max(
    0,
    measures.findIndex((measure) => measure.value !== 0n),
  );
}
