/** What bins of a strip or cells of the heat map hold, in words. */
import type { TimeRange } from "../../core/types.ts";
import type { Strip } from "../../core/view-types.ts";
import { formatCount, formatCounted, formatFigure } from "../words/format.ts";
import type { Measured } from "../words/measure.ts";
import { placeOf } from "./scale.ts";

/** Of a part of a strip. */
export const NO_SAMPLES = "no samples";

/**
 * `16 samples, 160 ms; 11 of them selected, 110 ms` of the bins from `first` to `last`. `marked`: something is left out
 * by the filters.
 */
export function binWords(strip: Strip, first: number, last: number, profile: Measured, marked: boolean): string {
  const sum = (column: ArrayLike<number>) => {
    let all = 0;
    for (let i = first; i <= last; i++) all += column[i] ?? 0;
    return all;
  };
  // The value only where it says more than the number.
  const weighed = (samples: number, counted: string, value: number) => {
    const figure = formatFigure(BigInt(Math.round(value)), profile);
    return samples === 0 || figure === formatCount(samples) ? counted : `${counted}, ${figure}`;
  };
  const samples = sum(strip.samples);
  if (samples === 0) return NO_SAMPLES;
  const all = weighed(samples, formatCounted(samples, "sample"), sum(strip.all));
  if (!marked) return all;
  const chosen = sum(strip.selectedSamples);
  return `${all}; ${weighed(chosen, `${formatCount(chosen)} of them selected`, sum(strip.selected))}`;
}

/** The bin of a strip over `range` that a moment lies in; null outside of all bins. */
export function binAt(range: TimeRange, bins: number, moment: bigint): number | null {
  const bin = Math.floor(placeOf(range, moment) * bins);
  return bin >= 0 && bin < bins ? bin : null;
}
