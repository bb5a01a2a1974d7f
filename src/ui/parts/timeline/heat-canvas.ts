/** The heat map on a canvas: a pixel per cell, drawn as large as the cells are on the axis. */
import type { TimeRange } from "../../../core/types.ts";
import type { HeatMap, Marks } from "../../../core/view-types.ts";
import { cellOf, columnsOn, HEAT_ROWS, heatShares } from "../../../model/timeline/heat.ts";
import { cleared } from "../drawing/use-canvas.ts";
import { stripColours } from "./strip-canvas.ts";

/** From this width on columns are apart, and have room for a pause at their edge. */
const APART_PX = 6;
/** Steps of a ramp: more than an eye tells apart. */
const STEPS = 64;

/** `marked`: something is left out by the filters, so the selection is drawn in colour, in front of a pale whole. */
export function drawHeat(
  canvas: HTMLCanvasElement,
  map: HeatMap,
  shown: TimeRange,
  marks: Marks | null,
  marked: boolean,
): void {
  const { context, width, height } = cleared(canvas);
  const cells = cellImage(canvas, map, marked);
  if (context === null || cells === null) return;
  const { left, width: columns } = columnsOn(map, shown);
  context.imageSmoothingEnabled = false;
  const column = width / columns;
  context.drawImage(cells, -left * column, 0, map.columns * column, height);
  // The marks on narrower ones would hide them.
  if (column < APART_PX || map.seconds > 1) return;
  for (let i = Math.ceil(left); i < left + columns; i++)
    context.clearRect(Math.round((i - left) * column), 0, 1, height);
  context.fillStyle = stripColours(canvas).mark;
  const row = height / HEAT_ROWS;
  for (const cell of marks === null ? [] : pausedCells(map, marks)) {
    const top = Math.round((cell % HEAT_ROWS) * row);
    const bottom = Math.round(((cell % HEAT_ROWS) + 1) * row);
    context.fillRect(Math.round((Math.floor(cell / HEAT_ROWS) - left) * column), top, 2, bottom - top);
  }
}

function cellImage(canvas: HTMLCanvasElement, map: HeatMap, marked: boolean): HTMLCanvasElement | null {
  const { columnRuleColor, borderLeftColor, borderRightColor, borderBottomColor } = getComputedStyle(canvas);
  const strong = ramp(columnRuleColor, borderLeftColor);
  const pale = ramp(borderRightColor, borderBottomColor);
  const image = document.createElement("canvas");
  image.width = map.columns;
  image.height = HEAT_ROWS;
  const context = image.getContext("2d");
  if (context === null || strong === null || pale === null) return null;
  const { all, selected } = heatShares(map.cells);
  const pixels = context.createImageData(map.columns, HEAT_ROWS);
  all.forEach((share, cell) => {
    if (share === 0) return;
    const own = marked ? selected[cell]! : share;
    const step = 4 * Math.round((STEPS - 1) * (own > 0 ? own : share));
    const colours = own > 0 ? strong : pale;
    const at = 4 * ((cell % HEAT_ROWS) * map.columns + Math.floor(cell / HEAT_ROWS));
    pixels.data.set(colours.subarray(step, step + 4), at);
  });
  context.putImageData(pixels, 0, 0);
  return image;
}

/** By their two ends: a theme has two. */
const ramps = new Map<string, Uint8ClampedArray | null>();

function ramp(low: string, high: string): Uint8ClampedArray | null {
  const ends = `${low} ${high}`;
  if (!ramps.has(ends)) ramps.set(ends, makeRamp(low, high));
  return ramps.get(ends) ?? null;
}

/** Colours between two in OKLab: equal steps look equally far apart. Four bytes each. */
function makeRamp(low: string, high: string): Uint8ClampedArray | null {
  const image = document.createElement("canvas");
  image.width = STEPS;
  image.height = 1;
  const context = image.getContext("2d", { willReadFrequently: true });
  if (context === null) return null;
  for (let i = 0; i < STEPS; i++) {
    // A browser without color-mix keeps the nearer end.
    context.fillStyle = i < STEPS / 2 ? low : high;
    context.fillStyle = `color-mix(in oklab, ${high} ${((100 * i) / (STEPS - 1)).toFixed(1)}%, ${low})`;
    context.fillRect(i, 0, 1, 1);
  }
  return context.getImageData(0, 0, STEPS, 1).data;
}

/** Cells in which the collector paused. */
function pausedCells(map: HeatMap, { start, pauses }: Marks): Set<number> {
  const cells = new Set<number>();
  let done = 0;
  const from = Number(map.from - start);
  const to = Number(map.to - start);
  pauses.at.forEach((at, i) => {
    const end = at + pauses.nanos[i]!;
    if (end < from || at >= to) return;
    const moment = (nanos: number) => cellOf(map, start + BigInt(Math.round(nanos)));
    const last = moment(Math.min(end, to - 1));
    // Pauses come in the order of time: what one covered the next need not.
    for (let cell = Math.max(done, moment(Math.max(at, from))); cell <= last; cell++) cells.add(cell);
    done = Math.max(done, last);
  });
  return cells;
}
