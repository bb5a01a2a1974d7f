/**
 * The scale that strip, lanes, heat map, marks and axis share: what part of a row of time lies between the left and the
 * right end, and how it is zoomed and panned. The part shown is a view and filters nothing.
 */
import type { TimeRow } from "../../core/answers/time-rows.ts";
import type { TimeRange } from "../../core/types.ts";

/** Samples are milliseconds apart: a closer view has nothing to show. */
export const LEAST_SPAN = 1_000_000n;
/** A step of the zoom by key or button, and the part of the view that an arrow moves it by. */
export const ZOOM_STEP = 2;
export const PAN_STEP = 0.1;

interface Scaled {
  /** By a share of the time that is shown. */
  pan: (share: number) => void;
  zoom: (factor: number) => void;
}

/** Keys that zoom and move the time, as Perfetto's do. */
export const TIME_LETTERS: ReadonlyMap<string, (time: Scaled) => void> = new Map(
  Object.entries({
    w: ({ zoom }: Scaled) => zoom(ZOOM_STEP),
    s: ({ zoom }: Scaled) => zoom(1 / ZOOM_STEP),
    a: ({ pan }: Scaled) => pan(-PAN_STEP),
    d: ({ pan }: Scaled) => pan(PAN_STEP),
  }),
);

/** Where a moment lies: 0 at the left end, 1 at the right one, and beyond them as far as it is away. */
export function placeOf({ from, to }: TimeRange, moment: bigint): number {
  return Number(moment - from) / Math.max(1, Number(to - from));
}

/** The range within the row, moved rather than cut where it sticks out; the row itself where it is as long. */
export function within(row: TimeRange, { from, to }: TimeRange): TimeRange {
  const most = row.to - row.from;
  const wanted = to - from < LEAST_SPAN ? LEAST_SPAN : to - from;
  if (wanted >= most) return { from: row.from, to: row.to };
  const latest = row.to - wanted;
  let start = from > latest ? latest : from;
  if (start < row.from) start = row.from;
  return { from: start, to: start + wanted };
}

/** Shows `factor` times as much closely; what lies at the share `at` of the width stays there. */
export function zoomed(row: TimeRange, shown: TimeRange, factor: number, at: number): TimeRange {
  const span = Number(shown.to - shown.from);
  const next = Math.max(Number(LEAST_SPAN), Math.min(Number(row.to - row.from), span / factor));
  const from = shown.from + BigInt(Math.round(at * (span - next)));
  return within(row, { from, to: from + BigInt(Math.round(next)) });
}

/** Moves the view by a share of its width. */
export function panned(row: TimeRange, shown: TimeRange, share: number): TimeRange {
  const by = BigInt(Math.round(share * Number(shown.to - shown.from)));
  return within(row, { from: shown.from + by, to: shown.to + by });
}

export function isWhole(row: TimeRange, shown: TimeRange): boolean {
  return shown.from <= row.from && shown.to >= row.to;
}

/** A selection with some room around it. */
export function around(row: TimeRange, { from, to }: TimeRange): TimeRange {
  const room = (to - from) / 10n;
  return within(row, { from: from - room, to: to + room });
}

/** The part of the samples before and after the busy part of a row. */
const FEW = 0.03;
/** A shorter row is seen at once. */
const LEAST_ROW = 1_000_000_000n;

/** Where nearly all samples of a row are, with some room around them; null where that is more than half of it. */
export function busyPart(row: TimeRange, samples: ArrayLike<number>): TimeRange | null {
  if (row.to - row.from < LEAST_ROW) return null;
  const counts = Array.from(samples);
  const few = FEW * counts.reduce((sum, n) => sum + n, 0);
  let sum = 0;
  const isBusy = (n: number) => {
    sum += n;
    return sum > few;
  };
  const first = counts.findIndex(isBusy);
  sum = 0;
  const end = counts.findLastIndex(isBusy) + 1;
  if (first < 0 || 2 * (end - first) > counts.length) return null;
  const at = (place: number) => row.from + BigInt(Math.round((place / counts.length) * Number(row.to - row.from)));
  return around(row, { from: at(first), to: at(end) });
}

/** Rows of the file that the filter names, all of them without one; never empty. */
export function rowsOf(rows: readonly TimeRow[], file: string | undefined): readonly TimeRow[] {
  const own = file === undefined ? [] : rows.filter((row) => row.file === file || row.file.startsWith(`${file}/`));
  return own.length > 0 ? own : rows;
}

/** The row that has the moment; null outside of all rows. */
export function rowAt<T extends TimeRange>(rows: readonly T[], moment: bigint | undefined): T | null {
  return moment === undefined ? null : (rows.find(({ from, to }) => from <= moment && moment < to) ?? null);
}
