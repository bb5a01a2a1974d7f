/** The overview of a whole chart: how many levels are open in each part of its time. */
import type { ChartColumns } from "./columns.ts";

/** Levels open at the deepest moment of each of `bins` equal parts. */
export function levelBins({ span, lane, depth, start, duration, lanes }: ChartColumns, bins: number): Float64Array {
  const levels = new Float64Array(bins);
  const lanesIn = new Float64Array(bins);
  const width = Math.max(1, span) / bins;
  const binOf = (moment: number) => Math.min(bins - 1, Math.max(0, Math.floor(moment / width)));
  for (let of = 0, box = 0; of < lanes.length; of++) {
    lanesIn.fill(0);
    for (; box < lane.length && lane[box] === of; box++) {
      const last = binOf(start[box] + duration[box]);
      const level = depth[box] + 1;
      for (let bin = binOf(start[box]); bin <= last; bin++) if (lanesIn[bin] < level) lanesIn[bin] = level;
    }
    for (let bin = 0; bin < bins; bin++) levels[bin] += lanesIn[bin];
  }
  return levels;
}
