/** The other boxes of the function under the pointer, as one path over the drawn levels: elements would be too many. */
import { type FlameLayout, rowOfBox } from "../../../model/flame/flame-layout.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Levels [first, end) of a drawing, and the height of a rectangle. */
interface Levels {
  first: number;
  end: number;
  high: number;
}

export class EqualFrames {
  private readonly element: SVGSVGElement;
  private readonly path: SVGPathElement;
  private readonly stage: HTMLElement;

  constructor(stage: HTMLElement, className = "") {
    const { ownerDocument } = stage;
    this.stage = stage;
    this.element = ownerDocument.createElementNS(SVG, "svg");
    this.element.setAttribute("class", className);
    this.element.setAttribute("aria-hidden", "true");
    this.path = ownerDocument.createElementNS(SVG, "path");
    this.element.append(this.path);
    this.hide();
  }

  /** `topOf`: pixels from the top of the stage to a level. */
  show(layout: FlameLayout, box: number, levels: Levels, room: number, topOf: (level: number) => number): void {
    // d3 takes the first one for its own.
    if (!this.element.isConnected) this.stage.append(this.element);
    const found = equalBoxes(layout, box, levels);
    this.element.toggleAttribute("hidden", found.length === 0);
    this.path.setAttribute("d", pathOf(layout, found, { room, topOf, high: levels.high }));
    // For tests: narrow neighbours are one rectangle.
    this.path.dataset.boxes = String(found.length);
  }

  hide(): void {
    this.element.toggleAttribute("hidden", true);
    this.path.setAttribute("d", "");
  }
}

/** Boxes of the same function in the drawn levels, without the box itself; none of a marker. */
function equalBoxes(layout: FlameLayout, box: number, { first, end }: Levels): number[] {
  const { levelStart, order, rows } = layout;
  const { name } = layout.answer.frames;
  const row = rowOfBox(layout, box);
  if (box >= rows || row === 0) return [];
  const wanted = name[row];
  const found: number[] = [];
  for (let place = levelStart[first] ?? 0; place < (levelStart[end] ?? 0); place++) {
    const other = order[place] ?? 0;
    if (other < rows && other !== box && name[other] === wanted) found.push(other);
  }
  return found;
}

/** Narrow boxes beside each other are one rectangle: thousands of outlines would be a pattern, and slow to draw. */
const NARROW_PX = 4;
/** A path of more rectangles would make the pointer wait. */
const MOST_RECTANGLES = 1000;

function pathOf(
  { left, width, level }: FlameLayout,
  boxes: readonly number[],
  { room, topOf, high }: { room: number; topOf: (level: number) => number; high: number },
): string {
  const runs: { from: number; to: number; level: number }[] = [];
  for (const box of boxes) {
    const from = (left[box] ?? 0) * room;
    const to = from + Math.max(1, (width[box] ?? 0) * room);
    const at = level[box] ?? 0;
    const last = runs.at(-1);
    const isBeside = last !== undefined && last.level === at && from - last.to < NARROW_PX && from >= last.from;
    if (isBeside && to - from < NARROW_PX) last.to = Math.max(last.to, to);
    else if (runs.length < MOST_RECTANGLES) runs.push({ from, to, level: at });
  }
  return runs
    .map(({ from, to, level: at }) => {
      const long = (to - from).toFixed(1);
      return `M${from.toFixed(1)} ${topOf(at)}h${long}v${high}h-${long}z`;
    })
    .join("");
}
