/** The grid of the timeline of calls: columns are starts, rows are durations on a logarithmic scale. */

/** Row of a duration in ms, 0 for the shortest; `longest` is in the last row. */
export function durationRow(duration: number, longest: number, rows: number): number {
  const share = Math.log2(1 + Math.max(0, duration)) / Math.log2(2 + Math.max(0, longest));
  return Math.min(rows - 1, Math.floor(share * rows));
}

/** How strong a cell is drawn: 0 without calls, 1 for the fullest; few calls are seen as well. */
export function cellStrength(count: number, most: number): number {
  if (count === 0) return 0;
  return most <= 1 ? 1 : 0.4 + (0.6 * Math.log2(count)) / Math.log2(most);
}
