/** A strip of measurements on a canvas: values as a line over a filled area, stops and rates as columns. */
import type { TimeRange } from "../../core/types.ts";
import type { SeriesLine } from "../../core/view-types.ts";
import { placeOf } from "../../model/timeline/scale.ts";
import type { SeriesStrip } from "../../model/timeline/series.ts";
import { cleared, stripColours } from "./strip-canvas.ts";

/** Lengths that are not values at a moment: nothing connects one with the next. */
const COLUMNS = new Set(["safepoints", "allocation", "throttled"]);

/** Draws values over `drawn` on the axis of `shown`. */
export function drawSeries(canvas: HTMLCanvasElement, strip: SeriesStrip, drawn: TimeRange, shown: TimeRange): void {
  const { context, width, height } = cleared(canvas);
  if (context === null) return;
  const colours = stripColours(canvas);
  const left = placeOf(shown, drawn.from) * width;
  const right = placeOf(shown, drawn.to) * width;
  const y = (value: number) => height - 1 - (value / strip.full) * (height - 3);
  strip.values.forEach((line, i) => {
    const isFront = i === strip.values.length - 1;
    const step = (right - left) / line.high.length;
    const front = strip.id === "safepoints" ? colours.mark : colours.selected;
    context.fillStyle = isFront ? front : colours.all;
    context.strokeStyle = context.fillStyle;
    if (COLUMNS.has(strip.id)) drawColumns(context, line, left, step, y, height);
    else drawLine(context, line, left, step, y, height);
  });
}

type Place = (value: number) => number;

function drawColumns(
  context: CanvasRenderingContext2D,
  { high }: SeriesLine,
  left: number,
  step: number,
  y: Place,
  height: number,
): void {
  high.forEach((value, bin) => {
    if (Number.isNaN(value)) return;
    const top = Math.min(height - 2, y(value));
    const x = Math.floor(left + bin * step);
    const columnWidth = Math.max(1, Math.floor(left + (bin + 1) * step) - x);
    context.globalAlpha = 0.3;
    context.fillRect(x, top, columnWidth, height - top);
    context.globalAlpha = 1;
    context.fillRect(x, top, columnWidth, 1.5);
  });
}

function drawLine(
  context: CanvasRenderingContext2D,
  { low, high }: SeriesLine,
  left: number,
  step: number,
  y: Place,
  height: number,
): void {
  const points: [x: number, top: number, bottom: number][] = [];
  high.forEach((value, bin) => {
    if (!Number.isNaN(value)) points.push([left + (bin + 0.5) * step, y(value), y(low[bin]!)]);
  });
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return;
  context.beginPath();
  context.moveTo(first[0], height);
  for (const [x, top] of points) context.lineTo(x, top);
  context.lineTo(last[0], height);
  context.globalAlpha = 0.18;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  context.moveTo(first[0] - 0.5, first[1]);
  for (const [x, top, bottom] of points) {
    context.lineTo(x, top);
    if (bottom > top) context.lineTo(x, bottom);
  }
  context.lineTo(last[0] + 0.5, last[2]);
  context.lineWidth = 1.25;
  context.stroke();
}
