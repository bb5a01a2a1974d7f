/** The canvas below the labelled boxes: all boxes of the levels on screen, however narrow. */
import type { BoxColours } from "./box-colours.ts";
import { CELL_PX } from "./cell.ts";
import type { FlameScene } from "./renderer.ts";
import { Scanline } from "./scanline.ts";

/** More device pixels for each CSS pixel than this are not seen. */
const MOST_SCALE = 3;

/** Levels [first, end) of a drawing. */
export interface Levels {
  first: number;
  end: number;
}

/** What of the width is drawn: from `left` on, `width` wide, as shares of the drawing. */
export interface Camera {
  left: number;
  width: number;
}

export const WHOLE: Camera = { left: 0, width: 1 };

/** A drawing, or one of the two that are seen during a zoom. */
export interface Pass {
  scene: FlameScene;
  colours: BoxColours;
  camera: Camera;
  /** Boxes are drawn from this level on. */
  from: number;
  /** What lies in here from a level on is left to another pass. */
  without: (Camera & { level: number }) | null;
}

export class CanvasLayer {
  readonly element: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D | null;
  /** A line of pixels for each level. */
  private readonly lines: HTMLCanvasElement;
  private readonly linesContext: CanvasRenderingContext2D | null;
  private image: ImageData | null = null;
  private line: Scanline | null = null;
  private scale = 0;

  constructor({ ownerDocument }: HTMLElement) {
    this.element = ownerDocument.createElement("canvas");
    this.element.setAttribute("aria-hidden", "true");
    this.context = this.element.getContext("2d");
    this.lines = ownerDocument.createElement("canvas");
    this.linesContext = this.lines.getContext("2d", { willReadFrequently: true });
  }

  /** Draws levels; `up` has the lowest level at the bottom. */
  draw(passes: readonly Pass[], levels: Levels, up: boolean, width: number): void {
    const count = levels.end - levels.first;
    this.resize(width, count);
    const { context, linesContext, image, line, element, scale } = this;
    if (context === null || linesContext === null || image === null || line === null) return;
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    for (let i = 0; i < count; i++) {
      const level = up ? levels.end - 1 - i : levels.first + i;
      const out = pixels.subarray(i * image.width, (i + 1) * image.width);
      for (const pass of passes) addLevel(line, out, pass, level, width);
      line.finish(out);
    }
    linesContext.putImageData(image, 0, 0);
    context.clearRect(0, 0, element.width, element.height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.lines, 0, 0, image.width, count, 0, 0, element.width, count * CELL_PX * scale);
    // A gap between levels.
    for (let i = 1; i <= count; i++) context.clearRect(0, (i * CELL_PX - 1) * scale, element.width, scale);
  }

  private resize(width: number, levels: number): void {
    const scale = Math.min(MOST_SCALE, this.element.ownerDocument.defaultView?.devicePixelRatio ?? 1);
    const wide = Math.max(1, Math.round(width * scale));
    const high = Math.max(1, Math.round(levels * CELL_PX * scale));
    const { element, lines } = this;
    if (element.width !== wide || element.height !== high) {
      element.width = wide;
      element.height = high;
      element.style.width = `${width}px`;
      element.style.height = `${levels * CELL_PX}px`;
    }
    const count = Math.max(1, levels);
    if (this.image?.width === wide && this.image.height === count && this.scale === scale) return;
    this.scale = scale;
    lines.width = wide;
    lines.height = count;
    this.image = new ImageData(wide, count);
    this.line = new Scanline(wide, scale);
  }
}

/** Adds the boxes of a level to a line that is `room` CSS pixels wide. */
export function addLevel(line: Scanline, out: Uint32Array, pass: Pass, level: number, room: number): void {
  const { scene, colours, camera, from, without } = pass;
  const { levelStart, order, left, width, levels } = scene.layout;
  if (level < from || level >= levels) return;
  const stretch = room / camera.width;
  const hole = without !== null && level >= without.level ? without : null;
  for (let at = levelStart[level]; at < levelStart[level + 1]; at++) {
    const box = order[at];
    const x = (left[box] - camera.left) * stretch;
    const wide = width[box] * stretch;
    if (x + wide <= 0 || x >= room) continue;
    if (hole !== null && left[box] >= hole.left && left[box] < hole.left + hole.width) continue;
    line.add(out, x, wide, colours.of(box));
  }
}
