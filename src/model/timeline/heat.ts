/**
 * The heat map of the timeline in cells and words. Cells count on in the order of time: down a column, then to the
 * next.
 */
import * as Timeline from "../../../assembly/abi/timeline.ts";
import type { TimeRange } from "../../core/types.ts";
import type { HeatMap, Strip } from "../../core/view-types.ts";
import { formatCount } from "../words/format.ts";
import type { Measured } from "../words/measure.ts";
import { formatSpan } from "../words/moments.ts";
import { binWords } from "./bin-words.ts";
import { heaviestOf, intensities } from "./lanes.ts";

export const HEAT_ROWS = Timeline.HEAT_ROWS;

/** A column narrower than this cannot be hit. */
const LEAST_COLUMN_PX = 3;
const ROW_NANOS = BigInt(1e9 / Timeline.HEAT_ROWS);
const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;

/** Where a stretch of cells begins and ends, both within it, in either order. */
export interface Stretch {
  from: number;
  to: number;
}

export function columnsFor(width: number): number {
  return Math.max(1, Math.floor(width / LEAST_COLUMN_PX));
}

export function cellCount({ columns }: HeatMap): number {
  return columns * Timeline.HEAT_ROWS;
}

/**
 * The part of the map that lies on an axis, in columns with their fractions: its left end and how many it has. The
 * first and the last column may stick out.
 */
export function columnsOn({ from, seconds }: HeatMap, shown: TimeRange): { left: number; width: number } {
  const column = seconds * Number(SECOND);
  return { left: Number(shown.from - from) / column, width: Number(shown.to - shown.from) / column };
}

/** The cell at shares of the axis and of the height. */
export function cellAt(map: HeatMap, shown: TimeRange, x: number, y: number): number {
  const { left, width } = columnsOn(map, shown);
  const place = (at: number, of: number) => Math.min(of - 1, Math.max(0, Math.floor(at)));
  return place(left + x * width, map.columns) * Timeline.HEAT_ROWS + place(y * Timeline.HEAT_ROWS, Timeline.HEAT_ROWS);
}

function startOf({ from, seconds }: HeatMap, cell: number): bigint {
  const second = BigInt(Math.floor(cell / Timeline.HEAT_ROWS) * seconds);
  return from + second * SECOND + BigInt(cell % Timeline.HEAT_ROWS) * ROW_NANOS;
}

/** The end of a cell: of its last second, where a column has several. */
function endOf(map: HeatMap, cell: number): bigint {
  return startOf(map, cell) + BigInt(map.seconds - 1) * SECOND + ROW_NANOS;
}

/** The time from the first cell of a stretch to the end of its last. */
export function rangeOf(map: HeatMap, { from, to }: Stretch): TimeRange {
  return { from: startOf(map, Math.min(from, to)), to: endOf(map, Math.max(from, to)) };
}

/** Cells that have some of a range; null where the map has nothing of it. */
export function stretchOf(map: HeatMap, range: TimeRange): Stretch | null {
  if (range.to <= map.from || range.from >= map.to) return null;
  return { from: cellOf(map, range.from), to: cellOf(map, range.to - 1n) };
}

/** The cell that a moment falls into, the first or last where it is outside. */
export function cellOf(map: HeatMap, moment: bigint): number {
  const since = moment - map.from;
  if (since < 0n) return 0;
  const column = Number(since / (SECOND * BigInt(map.seconds)));
  const row = Number((since % SECOND) / ROW_NANOS);
  return Math.min(cellCount(map) - 1, column * Timeline.HEAT_ROWS + row);
}

const STEPS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ArrowUp: -1,
    ArrowDown: 1,
    ArrowLeft: -Timeline.HEAT_ROWS,
    ArrowRight: Timeline.HEAT_ROWS,
    PageUp: -10 * Timeline.HEAT_ROWS,
    PageDown: 10 * Timeline.HEAT_ROWS,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  }),
);

/** Where a key leads; null for every other key. */
export function cellAfter(map: HeatMap, cell: number, key: string): number | null {
  const step = STEPS.get(key);
  return step === undefined ? null : Math.min(cellCount(map) - 1, Math.max(0, cell + step));
}

/** Where the cursor begins: the cell with most of the selection. */
export function heaviestCell({ cells }: HeatMap): number {
  let most = 0;
  cells.selectedSamples.forEach((samples, cell) => {
    if (samples > cells.selectedSamples[most]!) most = cell;
  });
  return most;
}

/**
 * How strongly cells are drawn, by their samples: all, and the selected ones, which are alone in their cell where there
 * are any.
 */
export function heatShares({ samples, selectedSamples }: Strip): { all: Float64Array; selected: Float64Array } {
  const heaviest = heaviestOf([{ all: samples }]);
  return { all: intensities(samples, heaviest), selected: intensities(selectedSamples, heaviest) };
}

/** What a stretch of cells holds: `+0:02.340 · 20 ms: 14 samples, 140 ms; 3 of them selected, 30 ms`. */
export function cellWords(map: HeatMap, stretch: Stretch, start: bigint, profile: Measured, marked: boolean): string {
  const first = Math.min(stretch.from, stretch.to);
  const last = Math.max(stretch.from, stretch.to);
  const holds = binWords(map.cells, first, last, profile, marked);
  return `${timeWords(map, first, last, map.seconds, start)}: ${holds}`;
}

function timeWords(map: HeatMap, first: number, last: number, seconds: number, start: bigint): string {
  const { from, to } = rangeOf(map, { from: first, to: last });
  if (seconds === 1 || first !== last) return formatSpan(from - start, to - start);
  const row = BigInt(first % Timeline.HEAT_ROWS) * ROW_NANOS;
  const column = startOf(map, first) - row - start;
  const within = `${row / MILLISECOND}–${(row + ROW_NANOS) / MILLISECOND} ms`;
  return `${within} of each second in ${formatSpan(column, column + BigInt(seconds) * SECOND)}`;
}

/** What a column and a cell of the map are. */
export function mapWords({ seconds }: HeatMap, dark: boolean): string {
  const most = dark ? "brighter = more samples" : "darker = more samples";
  if (seconds === 1) return `1 column = 1 s · 1 cell = 20 ms · ${most}`;
  return `1 column = ${formatCount(seconds)} s · 1 cell = the same 20 ms of each second · ${most}`;
}

/** The stretch as an SVG path in cells, column by column where it does not fill them. */
export function stretchPath({ from, to }: Stretch): string {
  const [first, last] = from < to ? [from, to] : [to, from];
  const [column, row] = [Math.floor(first / Timeline.HEAT_ROWS), first % Timeline.HEAT_ROWS];
  const [lastColumn, lastRow] = [Math.floor(last / Timeline.HEAT_ROWS), last % Timeline.HEAT_ROWS];
  const box = (x: number, y: number, right: number, bottom: number) => `M${x} ${y}H${right}V${bottom}H${x}Z`;
  if (column === lastColumn) return box(column, row, column + 1, lastRow + 1);
  const between = lastColumn > column + 1 ? box(column + 1, 0, lastColumn, Timeline.HEAT_ROWS) : "";
  return box(column, row, column + 1, Timeline.HEAT_ROWS) + between + box(lastColumn, 0, lastColumn + 1, lastRow + 1);
}
