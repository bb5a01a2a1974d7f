/** The grid of calls on a canvas: pauses behind, then all calls, the selected ones, and those of them that failed. */
import type { TimeRange } from "../../core/types.ts";
import { cellStrength } from "../../model/calls/density.ts";
import { placeOf } from "../../model/timeline/scale.ts";
import type { CallDensity } from "../../worker/api.ts";
import { cleared } from "./strip-canvas.ts";

/** Pixels of a cell. */
export const CELL = 3;
/** Pixels above the longest calls. */
const TOP = 4;
const PAUSE_ALPHA = 0.35;
const MS = 1_000_000n;

/** Draws what lies in `shown` over the whole width; the answer may be of another range. */
export function drawDensity(canvas: HTMLCanvasElement, density: CallDensity, shown: TimeRange): void {
  const { context, width, height } = cleared(canvas);
  if (context === null) return;
  const { columns, rows } = density;
  const left = placeOf(shown, BigInt(density.from) * MS) * width;
  const step = (placeOf(shown, BigInt(density.to) * MS) * width - left) / columns;
  const cell = (height - TOP) / rows;
  const { color, outlineColor, textDecorationColor, caretColor } = getComputedStyle(canvas);
  const edge = (column: number) => Math.round(left + column * step);
  context.fillStyle = caretColor;
  for (const [column, share] of density.paused.entries()) {
    if (share === 0) continue;
    context.globalAlpha = PAUSE_ALPHA * Math.max(0.3, share);
    context.fillRect(edge(column), 0, Math.max(1, edge(column + 1) - edge(column)), height);
  }
  const draw = (cells: Uint32Array, colour: string) => {
    const most = cells.reduce((all, count) => Math.max(all, count), 0);
    context.fillStyle = colour;
    for (const [at, count] of cells.entries()) {
      if (count === 0) continue;
      context.globalAlpha = cellStrength(count, most);
      const column = at % columns;
      const row = Math.floor(at / columns);
      const y = Math.round(height - (row + 1) * cell);
      context.fillRect(edge(column), y, Math.max(2, edge(column + 1) - edge(column)), Math.max(2, Math.round(cell)));
    }
  };
  draw(density.all, color);
  draw(density.selected, outlineColor);
  draw(density.red, textDecorationColor);
  context.globalAlpha = 1;
}
