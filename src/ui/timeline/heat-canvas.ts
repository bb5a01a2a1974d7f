/** The heat map on a canvas: a pixel per cell, drawn as large as the cells are. */
import type { HeatMap, Marks } from "../../core/view-types.ts";
import { cellOf, HEAT_ROWS, heatShares } from "../../model/timeline/heat.ts";
import { stripColours } from "./strip-canvas.ts";

/** From this width on columns stand apart, and have room for a pause at their edge. */
const APART_PX = 6;

/** `marked`: something is left out by the filters, so the selection is drawn in colour, in front of a pale whole. */
export function drawHeat(canvas: HTMLCanvasElement, map: HeatMap, marks: Marks | null, marked: boolean): void {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  const cells = cellImage(canvas, map, marked);
  if (context === null || cells === null) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, 0, 0, canvas.width, canvas.height);
  const column = canvas.width / map.columns;
  const row = canvas.height / HEAT_ROWS;
  // Narrower ones would be hidden by what is marked on them.
  if (column < APART_PX * ratio || map.seconds > 1) return;
  for (let i = 1; i < map.columns; i++) context.clearRect(Math.round(i * column), 0, ratio, canvas.height);
  context.fillStyle = stripColours(canvas).mark;
  for (const cell of marks === null ? [] : pausedCells(map, marks)) {
    const top = Math.round((cell % HEAT_ROWS) * row);
    const bottom = Math.round(((cell % HEAT_ROWS) + 1) * row);
    context.fillRect(Math.round(Math.floor(cell / HEAT_ROWS) * column), top, 2 * ratio, bottom - top);
  }
}

function cellImage(canvas: HTMLCanvasElement, map: HeatMap, marked: boolean): HTMLCanvasElement | null {
  const image = document.createElement("canvas");
  image.width = map.columns;
  image.height = HEAT_ROWS;
  const context = image.getContext("2d");
  if (context === null) return null;
  const colours = stripColours(canvas);
  const whole = channels(colours.all);
  const chosen = channels(colours.selected);
  const { all, selected } = heatShares(map.cells);
  const pixels = context.createImageData(map.columns, HEAT_ROWS);
  all.forEach((share, cell) => {
    if (share === 0) return;
    const own = marked ? selected[cell]! : 0;
    const colour = own > 0 ? chosen : whole;
    const strength = own > 0 ? own : share * (marked ? 0.5 : 1);
    const at = 4 * ((cell % HEAT_ROWS) * map.columns + Math.floor(cell / HEAT_ROWS));
    pixels.data.set([...colour, Math.round(255 * (0.15 + 0.85 * strength))], at);
  });
  context.putImageData(pixels, 0, 0);
  return image;
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

/** `rgb(138, 148, 160)` as numbers. */
function channels(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}
