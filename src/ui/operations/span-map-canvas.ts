/** The span map on a canvas: lines of the powers of ten, and cells that are the stronger the more spans they have. */
import { decades, type SpanDensity, shareOf } from "../../model/trace/span-map.ts";
import { cleared } from "../timeline/strip-canvas.ts";

/** CSS pixels of a cell. */
export const CELL = 4;
/** How strong a cell with one span is, where others have more. */
const FAINTEST = 0.5;

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
  const [step, line] = [width / columns, height / rows];
  for (const [at, count] of cells.entries()) {
    if (count === 0) continue;
    context.globalAlpha = most === 1 ? 1 : FAINTEST + ((1 - FAINTEST) * Math.log(count)) / Math.log(most);
    const x = Math.floor((at % columns) * step);
    const y = Math.floor(height - (Math.floor(at / columns) + 1) * line);
    context.fillRect(x, y, Math.max(2, Math.ceil(step)), Math.max(2, Math.ceil(line)));
  }
  context.globalAlpha = 1;
}
