/** Files over time: how many begin in each bin, and ranges of bins. */
import type { TimeRange } from "../../core/types.ts";
import type { FileRow } from "./rows.ts";

export interface FileHistogram {
  /** Of all bins together. */
  range: TimeRange;
  /** Files that begin in each bin. */
  counts: number[];
  /** Length of a bin in nanoseconds. */
  step: bigint;
  most: number;
}

/** Null if no file has a time. */
export function fileHistogram(rows: readonly FileRow[], bins: number): FileHistogram | null {
  const starts = rows.flatMap(({ facts }) => facts?.time?.from ?? []);
  const [first] = starts;
  if (first === undefined) return null;
  const least = starts.reduce((a, b) => (b < a ? b : a), first);
  const last = starts.reduce((a, b) => (b > a ? b : a), first);
  // The last start is inside the last bin.
  const step = (last - least) / BigInt(bins) + 1n;
  const counts = new Array<number>(bins).fill(0);
  for (const start of starts) {
    const bin = Number((start - least) / step);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { range: { from: least, to: least + step * BigInt(bins) }, counts, step, most: Math.max(...counts) };
}

/** The bins [first, last) of a range of time. */
export interface Bins {
  first: number;
  last: number;
}

export function binsOf({ range, step, counts }: FileHistogram, { from, to }: TimeRange): Bins {
  const bin = (moment: bigint) => Math.min(counts.length, Math.max(0, Number((moment - range.from) / step)));
  return { first: bin(from), last: bin(to + step - 1n) };
}

export function rangeOf({ range, step }: FileHistogram, { first, last }: Bins): TimeRange {
  return { from: range.from + step * BigInt(first), to: range.from + step * BigInt(last) };
}

/** The bin below a share of the width. */
export function binAt({ counts }: FileHistogram, share: number): number {
  return Math.min(counts.length - 1, Math.max(0, Math.floor(share * counts.length)));
}

/**
 * The range after a key: the arrows move both ends, with Shift the last one; Home and End move to the first and the
 * last bin. Without a range it begins at the first bin. Null for another key.
 */
export function steppedBins({ counts }: FileHistogram, bins: Bins | null, key: string, extends_: boolean): Bins | null {
  const most = counts.length;
  const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -most, End: most }[key];
  if (by === undefined) return null;
  if (bins === null) return by < 0 ? { first: most - 1, last: most } : { first: 0, last: 1 };
  if (extends_) return { first: bins.first, last: Math.min(most, Math.max(bins.first + 1, bins.last + by)) };
  const moved = Math.min(most - bins.last, Math.max(-bins.first, by));
  return { first: bins.first + moved, last: bins.last + moved };
}
