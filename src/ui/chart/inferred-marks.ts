/** Dotted lines at the lower edge of boxes whose samples have inferred context. */
import { CELL_PX } from "../flame/cell.ts";

const DOT_PX = 2;
/** Below the letters, above the gap between rows. */
const TOP_PX = CELL_PX - 1 - DOT_PX;

export class InferredMarks {
  /** Left and right edges and the top of the row, three numbers for each line. */
  private readonly lines: number[] = [];

  clear(): void {
    this.lines.length = 0;
  }

  /** Edges and the top of a box in pixels. Neighbours in a row are one line. */
  add(left: number, right: number, top: number): void {
    const { lines } = this;
    const last = lines.length - 3;
    if (last >= 0 && lines[last + 2] === top && left - lines[last + 1] < DOT_PX) lines[last + 1] = right;
    else lines.push(left, right, top);
  }

  draw(context: CanvasRenderingContext2D, colour: string): void {
    const { lines } = this;
    if (lines.length === 0) return;
    context.beginPath();
    for (let i = 0; i < lines.length; i += 3) {
      const [left, right, top] = [Math.max(0, lines[i]), Math.min(context.canvas.width, lines[i + 1]), lines[i + 2]];
      for (let x = left; x < right; x += 2 * DOT_PX) context.rect(x, top + TOP_PX, Math.min(DOT_PX, right - x), DOT_PX);
    }
    context.fillStyle = colour;
    context.fill();
  }
}
