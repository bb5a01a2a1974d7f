/** The strips of the timeline in pixels and words: nothing here knows how they are drawn. */
import type { TimeRange } from "../../core/types.ts";
import type { ThreadRow } from "../../core/view-types.ts";
import type { Finder } from "../query/pattern.ts";
import type { LaneOrder } from "../query/query.ts";

/** Of a strip; on a wide screen a bin is a few pixels, as wide as the eye needs. */
export const BINS = 300;
/** More of them are narrower than a pixel. */
const MOST_BINS = 1500;
const FINE_NANOS = 20e6;

/**
 * How strongly each bin is shown, 0 to 1: by the square root of its share of the heaviest, so that a single sample
 * beside a burst is still seen.
 */
export function intensities(bins: ArrayLike<number>, heaviest: number): Float64Array {
  return Float64Array.from({ length: bins.length }, (_, i) =>
    heaviest <= 0 || bins[i] <= 0 ? 0 : Math.max(0.15, Math.sqrt(bins[i] / heaviest)),
  );
}

export function heaviestOf(strips: { all: ArrayLike<number> }[]): number {
  let most = 0;
  for (const { all } of strips) for (let i = 0; i < all.length; i++) most = Math.max(most, all[i]);
  return most;
}

/** The moment at a share of the strip's width. */
export function momentAt({ from, to }: TimeRange, share: number): bigint {
  const whole = Number(to - from);
  return from + BigInt(Math.round(Math.min(1, Math.max(0, share)) * whole));
}

/** Where a moment lies, as a share of the strip's width. */
export function shareAt({ from, to }: TimeRange, moment: bigint): number {
  return Math.min(1, Math.max(0, Number(moment - from) / Math.max(1, Number(to - from))));
}

/** The range between two shares of the width; null where it is too narrow to be meant. */
export function rangeBetween(whole: TimeRange, a: number, b: number, least: number): TimeRange | null {
  const [first, last] = a < b ? [a, b] : [b, a];
  if (last - first < least) return null;
  const range = { from: momentAt(whole, first), to: momentAt(whole, last) };
  return range.from < range.to ? range : null;
}

/** Moves an edge of a range by a share of the whole, and not past the other edge. */
export function moveEdge(whole: TimeRange, range: TimeRange, edge: "from" | "to", by: number): TimeRange {
  const step = BigInt(Math.max(1, Math.round(Math.abs(by) * Number(whole.to - whole.from))));
  const moved = range[edge] + (by < 0 ? -step : step);
  const next = { ...range, [edge]: clamp(moved, whole) };
  return next.from < next.to ? next : range;
}

function clamp(moment: bigint, { from, to }: TimeRange): bigint {
  if (moment < from) return from;
  return moment > to ? to : moment;
}

/** Bins of a lane: as many as the eye needs, and of a short time as many as make them 20 ms or less. */
export function laneBins({ from, to }: TimeRange): number {
  const fine = Math.ceil(Number(to - from) / FINE_NANOS);
  return fine <= MOST_BINS ? Math.max(BINS, fine) : BINS;
}

/** Threads whose name the expression finds (null: all) or whose id is the text, in the order asked for. */
export function chooseLanes(
  threads: readonly ThreadRow[],
  expression: Finder | null,
  text: string,
  order: LaneOrder,
): ThreadRow[] {
  const found = threads.filter(({ name, id }) => expression === null || expression.test(name) || id === text);
  const by: Record<LaneOrder, (a: ThreadRow, b: ThreadRow) => number> = {
    activity: (a, b) => compare(b.all, a.all),
    selected: (a, b) => compare(b.selected, a.selected) || compare(b.all, a.all),
    first: (a, b) => compare(a.first, b.first),
    name: (a, b) => a.name.localeCompare(b.name, "en", { numeric: true }),
  };
  return found.sort(by[order]);
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
