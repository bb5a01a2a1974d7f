/**
 * Pauses on the canvas of a chart: stripes over the boxes of the lanes that they stopped, and a strip with all of them
 * at the top. The stripes of a pause are one rectangle over all rows, composited onto the boxes: gaps stay empty.
 */
import type { Chart } from "../../../model/chart/chart.ts";
import type { ChartSubject } from "../../../report/chart-picture.ts";
import { CELL_PX } from "../flame/graph-props.ts";

/** Height of the strip. */
const STRIP_PX = 3;
/** Distance of the stripes. */
const STRIPE_PX = 6;
/** A narrower pause is a line, which leaves letters legible. */
const STRIPED_PX = 2;
const SHADE = 0.14;
const STRIPES = 0.5;

export class ShownPauses {
  private readonly chart: Chart;
  /** Edges in pixels, ascending; pauses less than half a pixel apart are one. */
  private readonly from: number[] = [];
  private readonly to: number[] = [];

  constructor({ chart, window, width }: Pick<ChartSubject, "chart" | "window"> & { width: number }) {
    this.chart = chart;
    const { from: starts, to: ends } = chart.columns.pauses;
    const perNano = width / Math.max(1, window.to - window.from);
    for (let i = 0; i < starts.length; i++) {
      if (ends[i] < window.from) continue;
      if (starts[i] > window.to) break;
      const from = Math.max(0, (starts[i] - window.from) * perNano);
      const to = Math.min(width, (ends[i] - window.from) * perNano);
      const last = this.to.length - 1;
      if (last >= 0 && from - this.to[last] < 0.5) this.to[last] = Math.max(this.to[last], to);
      else {
        this.from.push(from);
        this.to.push(to);
      }
    }
  }

  /** Over lines that begin `top` pixels above the canvas. */
  draw(
    context: CanvasRenderingContext2D,
    top: number,
    height: number,
    scale: number,
    style: CSSStyleDeclaration,
  ): void {
    if (this.from.length === 0) return;
    const stripes = stripePattern(context, style.color, scale);
    context.globalCompositeOperation = "source-atop";
    for (const [y, end] of this.stoppedLines()) {
      const [first, last] = [Math.max(0, y - top), Math.min(height, end - top)];
      if (last <= first || stripes === null) continue;
      context.fillStyle = stripes;
      this.fill(context, first, last - first);
    }
    context.globalCompositeOperation = "source-over";
    context.fillStyle = style.outlineColor;
    this.fill(context, 0, STRIP_PX, 1);
  }

  /** Whether a pause with a stripe lies between two places. */
  meet(left: number, right: number): boolean {
    let [low, high] = [0, this.to.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.to[middle] <= left) low = middle + 1;
      else high = middle;
    }
    while (low < this.from.length && this.from[low] < right) {
      if (this.to[low] - this.from[low] >= STRIPED_PX) return true;
      low++;
    }
    return false;
  }

  private fill(context: CanvasRenderingContext2D, y: number, height: number, least = 0): void {
    for (let i = 0; i < this.from.length; i++)
      context.fillRect(this.from[i], y, Math.max(least, this.to[i] - this.from[i]), height);
  }

  /** Top and bottom of runs of lines in lanes that pauses stop. */
  private stoppedLines(): [number, number][] {
    const { lines, laneRow, columns } = this.chart;
    const runs: [number, number][] = [];
    let lane = 0;
    for (let line = 0; line < lines.length; line++) {
      const row = lines[line];
      if (row < 0) continue;
      while (laneRow[lane + 1] <= row) lane++;
      if (!columns.lanes[lane].stopped) continue;
      const last = runs.at(-1);
      if (last !== undefined && last[1] === line * CELL_PX) last[1] += CELL_PX;
      else runs.push([line * CELL_PX, (line + 1) * CELL_PX]);
    }
    return runs;
  }
}

/** Diagonal lines on a shade, as a tile whose edges meet. */
function stripePattern(context: CanvasRenderingContext2D, colour: string, scale: number): CanvasPattern | null {
  const size = Math.round(STRIPE_PX * scale);
  const tile = context.canvas.ownerDocument.createElement("canvas");
  tile.width = size;
  tile.height = size;
  const drawing = tile.getContext("2d");
  if (drawing === null) return null;
  drawing.fillStyle = colour;
  drawing.globalAlpha = SHADE;
  drawing.fillRect(0, 0, size, size);
  drawing.globalAlpha = STRIPES;
  drawing.strokeStyle = colour;
  drawing.lineWidth = scale;
  drawing.beginPath();
  for (const shift of [-size, 0, size]) {
    drawing.moveTo(shift, size);
    drawing.lineTo(shift + size, 0);
  }
  drawing.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern;
}
