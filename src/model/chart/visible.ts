/**
 * The part of a row that a window of time shows: boxes at least half a pixel wide, and marks for narrower ones, at most
 * one for each pixel between two boxes. A row costs the time of its pixels, not of its boxes: those of a mark are found
 * by binary search, and blocks of narrow boxes are skipped.
 *
 *   box    ├───────────┤  ≥ ½ px            every such box, in the order of time
 *   mark   ▏              its pixel         places [first, end) of boxes that begin in this pixel
 */
import { BLOCK, type Chart } from "./chart.ts";
import type { ChartWindow } from "./columns.ts";

export const LEAST_PX = 0.5;

/** `left` and `width` in pixels; `end` − `place` boxes from `place` on are merged, 1 for a box by itself. */
export type Take = (place: number, end: number, left: number, width: number) => void;

/** Calls back with the boxes and marks of a row that meet the window, its ends included, drawn `width` pixels wide. */
export function visitRow(chart: Chart, row: number, { from, to }: ChartWindow, width: number, take: Take): void {
  const { rowStart, order, start, reach, before, columns } = chart;
  const { duration } = columns;
  const perPixel = Math.max(to - from, Number.MIN_VALUE) / width;
  const least = LEAST_PX * perPixel;
  let place = firstAtLeast(reach, from, rowStart[row], rowStart[row + 1]);
  const end = firstAbove(start, to, place, rowStart[row + 1]);
  while (place < end) {
    const nanos = duration[order[place]];
    if (nanos >= least) {
      if (start[place] + nanos >= from) take(place, place + 1, (start[place] - from) / perPixel, nanos / perPixel);
      place++;
      continue;
    }
    const wide = nextWide(chart, place, end, least);
    while (place < wide) {
      // One that began before the window and ends in it is in the first pixel.
      const pixel = pixelOf(start[place]);
      const pixelEnd = from + (pixel + 1) * perPixel;
      let next = firstAtLeast(start, pixelEnd, place + 1, wide);
      // The last pixel has the right end of the window.
      if (pixel === Math.ceil(width) - 1) next = wide;
      const first = skipEnded(place, next);
      if (first < next) take(first, next, pixel, Math.min(1, (before[next] - before[first]) / perPixel));
      place = next;
    }
  }

  function pixelOf(moment: number): number {
    return Math.min(Math.ceil(width) - 1, Math.max(0, Math.floor((moment - from) / perPixel)));
  }

  /** Narrow boxes before the window that a longer one reached over. */
  function skipEnded(first: number, next: number): number {
    let at = first;
    while (at < next && start[at] < from && start[at] + duration[order[at]] < from) at++;
    return at;
  }
}

/** The first place from `place` on, and before `end`, of a box that is at least so long; `end` if there is none. */
function nextWide({ longest, order, columns }: Chart, place: number, end: number, least: number): number {
  const { duration } = columns;
  let at = place;
  while (at < end) {
    if (at % BLOCK === 0 && longest[at / BLOCK] < least) at += BLOCK;
    else if (duration[order[at]] >= least) return at;
    else at++;
  }
  return end;
}

/** The first index in [low, high) whose value is at least `value`; `high` if there is none. Values ascend. */
export function firstAtLeast(values: Float64Array, value: number, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The first index in [low, high) whose value is above `value`. */
export function firstAbove(values: Float64Array, value: number, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whether a width is that of a mark, which has a pixel for itself, or of a box. */
export function isMark(place: number, end: number, width: number): boolean {
  return end - place > 1 || width < LEAST_PX;
}

/** What is drawn at a pixel of a row: a box, or the boxes of a mark. */
export interface Hit {
  /** Box, or the first box of a mark. */
  box: number;
  /** How many boxes the mark merges, 1 for a box by itself. */
  count: number;
}

/** How far beside a mark or a narrow box the pointer may be. */
const NEAR_PX = 1;

/** The last one drawn over this place wins; where nothing is, one that is less than a pixel away. */
export function hitRow(chart: Chart, row: number, window: ChartWindow, width: number, x: number): Hit | null {
  let hit: Hit | null = null;
  let near: Hit | null = null;
  visitRow(chart, row, window, width, (place, end, left, wide) => {
    const drawn = isMark(place, end, wide) ? 1 : wide;
    if (x < left - NEAR_PX || x >= left + drawn + NEAR_PX) return;
    const found = { box: chart.order[place], count: end - place };
    near = found;
    if (x >= left && x < left + drawn) hit = found;
  });
  return hit ?? near;
}
