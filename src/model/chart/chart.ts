/**
 * Index of a chart's boxes for drawing: the boxes of each row in the order of time. One million boxes take 28 bytes
 * each, and no object.
 *
 *   place   position in this order: row by row, in a row by start
 *   line    20 pixels of the picture: the title of a lane, or one of its rows
 */
import type { ChartColumns, ChartLane } from "./columns.ts";

export interface Chart {
  columns: ChartColumns;
  boxes: number;
  /** Places of a row are rowStart[row] … rowStart[row + 1] − 1. */
  rowStart: Uint32Array;
  /** First row of each lane, and after the last lane the number of rows. */
  laneRow: Uint32Array;
  /** Row of each line, −1 − lane for the title of a lane. */
  lines: Int32Array;
  /** Box at each place. */
  order: Uint32Array;
  /** Start by place. */
  start: Float64Array;
  /** The latest end in the row up to a place: ascending, even where boxes overlap. */
  reach: Float64Array;
  /** Sum of the durations before a place. */
  before: Float64Array;
  /** The longest duration of each BLOCK places: narrow boxes are skipped a block at a time. */
  longest: Float64Array;
}

export const BLOCK = 64;

export function chartOf(columns: ChartColumns): Chart {
  const { lane, depth, start, duration } = columns;
  const boxes = lane.length;
  const laneRow = rowsOfLanes(columns);
  const rows = laneRow[columns.lanes.length];
  const rowStart = new Uint32Array(rows + 1);
  for (let box = 0; box < boxes; box++) rowStart[laneRow[lane[box]] + depth[box] + 1]++;
  for (let row = 0; row < rows; row++) rowStart[row + 1] += rowStart[row];
  const order = new Uint32Array(boxes);
  const next = rowStart.slice();
  for (let box = 0; box < boxes; box++) order[next[laneRow[lane[box]] + depth[box]]++] = box;
  for (let row = 0; row < rows; row++) sortByStart(order.subarray(rowStart[row], rowStart[row + 1]), start);
  const chart: Chart = {
    columns,
    boxes,
    rowStart,
    laneRow,
    lines: linesOf(columns, laneRow),
    order,
    start: new Float64Array(boxes),
    reach: new Float64Array(boxes),
    before: new Float64Array(boxes + 1),
    longest: new Float64Array(Math.ceil(boxes / BLOCK)),
  };
  for (let row = 0; row < rows; row++) {
    let latest = Number.NEGATIVE_INFINITY;
    for (let place = rowStart[row]; place < rowStart[row + 1]; place++) {
      const box = order[place];
      latest = Math.max(latest, start[box] + duration[box]);
      chart.start[place] = start[box];
      chart.reach[place] = latest;
      chart.before[place + 1] = chart.before[place] + duration[box];
      const block = Math.floor(place / BLOCK);
      chart.longest[block] = Math.max(chart.longest[block], duration[box]);
    }
  }
  return chart;
}

/** A lane without boxes has one empty row. */
function rowsOfLanes({ lanes, lane, depth }: ChartColumns): Uint32Array {
  const levels = new Uint32Array(lanes.length).fill(1);
  for (let box = 0; box < lane.length; box++) levels[lane[box]] = Math.max(levels[lane[box]], depth[box] + 1);
  const first = new Uint32Array(lanes.length + 1);
  for (let i = 0; i < lanes.length; i++) first[i + 1] = first[i] + levels[i];
  return first;
}

function hasTitle({ title, isBelow }: ChartLane): boolean {
  return title !== "" && isBelow !== true;
}

function linesOf({ lanes }: ChartColumns, laneRow: Uint32Array): Int32Array {
  const lines: number[] = [];
  for (let lane = 0; lane < lanes.length; lane++) {
    if (hasTitle(lanes[lane])) lines.push(-1 - lane);
    for (let row = laneRow[lane]; row < laneRow[lane + 1]; row++) lines.push(row);
  }
  return Int32Array.from(lines);
}

/** Rows come sorted, but for clocks that were set back. The order of entering decides between equal starts. */
function sortByStart(boxes: Uint32Array, start: Float64Array): void {
  for (let i = 1; i < boxes.length; i++) {
    if (start[boxes[i]] >= start[boxes[i - 1]]) continue;
    boxes.sort((a, b) => start[a] - start[b] || a - b);
    return;
  }
}

/** The lane that a row is in. */
export function laneOfRow({ laneRow }: Chart, row: number): number {
  let lane = 0;
  while (lane + 2 < laneRow.length && laneRow[lane + 1] <= row) lane++;
  return lane;
}

/** The row that a box is in. */
export function rowOfBox({ columns, laneRow }: Chart, box: number): number {
  return laneRow[columns.lane[box]] + columns.depth[box];
}

/** The line that a row is on. */
export function lineOfRow(chart: Chart, row: number): number {
  const titles = chart.columns.lanes.slice(0, laneOfRow(chart, row) + 1).filter(hasTitle).length;
  return row + titles;
}

/** The box of a mark that is drawn: of states the longest one, of frames that in the middle. */
export function boxOfMark({ order, columns: { part, duration } }: Chart, place: number, end: number): number {
  let box = order[(place + end) >> 1];
  if (part === undefined || part[box] === 0) return box;
  for (let at = place; at < end; at++) if (duration[order[at]] > duration[box]) box = order[at];
  return box;
}

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
