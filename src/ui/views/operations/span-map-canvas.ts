/** The span map on a canvas: lines of the powers of ten, and cells that are the stronger the more spans they have. */
import { decades, type SpanDensity, shareOf } from "../../../model/trace/span-map.ts";
import { cleared } from "../../parts/drawing/use-canvas.ts";

/** CSS pixels of a cell. */
export const CELL = 4;
/** How strong a cell with one span is, where others have thousands. */
const FAINTEST = 0.4;
/** Part of the strength that a cell loses where the fullest one has twice as many spans. */
const PER_DOUBLING = 0.08;

/** How strong a cell with one span is, if the fullest one has `most`: few spans are as visible as many. */
export function faintest(most: number): number {
  return Math.max(FAINTEST, 1 - PER_DOUBLING * Math.log2(Math.max(1, most)));
}

/** The element's style has the colours of cells and lines in properties that nothing else here uses. */
export function drawSpans(canvas: HTMLCanvasElement, density: SpanDensity): void {
  const { context, width, height } = cleared(canvas);
  if (context === null) return;
  const { columns, rows, cells, most } = density;
  const { color, outlineColor } = getComputedStyle(canvas);
  const share = shareOf(density.duration);
  context.fillStyle = outlineColor;
  for (const nanos of decades(density.duration)) {
    context.fillRect(0, Math.round(height - share(nanos) * height), width, 1);
  }
  context.fillStyle = color;
  drawCells(context, { columns, rows, cells, most }, { width, height });
}

/** One row of cells: the spans of no length. */
export function drawUntold(canvas: HTMLCanvasElement, { columns, untold }: SpanDensity): void {
  const { context, ...size } = cleared(canvas);
  if (context === null) return;
  context.fillStyle = getComputedStyle(canvas).color;
  drawCells(context, { columns, rows: 1, cells: untold, most: Math.max(1, ...untold) }, size);
}

function drawCells(
  context: CanvasRenderingContext2D,
  { columns, rows, cells, most }: Pick<SpanDensity, "columns" | "rows" | "cells" | "most">,
  { width, height }: { width: number; height: number },
): void {
  const least = faintest(most);
  const [step, line] = [width / columns, height / rows];
  for (const [at, count] of cells.entries()) {
    if (count === 0) continue;
    context.globalAlpha = most === 1 ? 1 : least + ((1 - least) * Math.log(count)) / Math.log(most);
    const x = Math.floor((at % columns) * step);
    const y = Math.floor(height - (Math.floor(at / columns) + 1) * line);
    context.fillRect(x, y, Math.max(2, Math.ceil(step)), Math.max(2, Math.ceil(line)));
  }
  context.globalAlpha = 1;
}
