/** The canvas below the labelled boxes: all boxes of the levels on screen, however narrow. */
import type { BoxColours } from "./box-colours.ts";
import css from "./FlameGraph.module.css";
import { CELL_PX } from "./graph-props.ts";
import type { FlameScene } from "./renderer.ts";
import { Scanline } from "./scanline.ts";

/** More device pixels for each CSS pixel than this are not seen. */
const MOST_SCALE = 3;

/** The canvas has room for a multiple of as many. */
const LEVELS = 64;

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
  /** A line of pixels for each level, which CSS stretches to the height of a level. */
  readonly element: HTMLCanvasElement;
  /** Covers the lowest pixel of each level. */
  private readonly gaps: HTMLElement;
  private readonly context: CanvasRenderingContext2D | null;
  private image: ImageData | null = null;
  private line: Scanline | null = null;
  private scale = 0;

  constructor(stage: HTMLElement) {
    const { ownerDocument } = stage;
    this.element = ownerDocument.createElement("canvas");
    this.element.setAttribute("aria-hidden", "true");
    this.gaps = ownerDocument.createElement("div");
    this.gaps.className = css.gaps;
    stage.append(this.element, this.gaps);
    this.context = this.element.getContext("2d", { willReadFrequently: true });
  }

  /** Pixels from the top of the stage. */
  moveTo(top: number): void {
    for (const { style } of [this.element, this.gaps]) style.transform = `translateY(${top}px)`;
  }

  /** Draws levels; `up` has the lowest level at the bottom. */
  draw(passes: readonly Pass[], levels: Levels, up: boolean, width: number): void {
    const count = levels.end - levels.first;
    this.resize(width, count);
    const { context, image, line } = this;
    if (context === null || image === null || line === null) return;
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    for (let i = 0; i < count; i++) {
      const level = up ? levels.end - 1 - i : levels.first + i;
      const out = pixels.subarray(i * image.width, (i + 1) * image.width);
      for (const pass of passes) addLevel(line, out, pass, level, width);
      line.finish(out);
    }
    context.putImageData(image, 0, 0);
    this.gaps.style.height = `${count * CELL_PX}px`;
  }

  /** To change the size of a canvas costs the browser more than to draw it: there is room for more levels. */
  private resize(width: number, levels: number): void {
    const scale = Math.min(MOST_SCALE, this.element.ownerDocument.defaultView?.devicePixelRatio ?? 1);
    const wide = Math.max(1, Math.round(width * scale));
    const { element, image } = this;
    if (image?.width === wide && image.height >= levels && this.scale === scale) return;
    const room = LEVELS * Math.max(1, Math.ceil(levels / LEVELS));
    this.scale = scale;
    element.width = wide;
    element.height = room;
    for (const { style } of [element, this.gaps]) style.width = `${width}px`;
    element.style.height = `${room * CELL_PX}px`;
    this.image = new ImageData(wide, room);
    this.line = new Scanline(wide, scale);
  }
}

/** Adds the boxes of a level to a line that is `room` CSS pixels wide. */
export function addLevel(line: Scanline, out: Uint32Array, pass: Pass, level: number, room: number): void {
  const { scene, colours, camera, from, without } = pass;
  const { levelStart, order, left, width, levels } = scene.layout;
  if (level < from || level >= levels) return;
  const stretch = room / camera.width;
  const { ofBox } = colours;
  const hole = without !== null && level >= without.level ? without : null;
  for (let at = levelStart[level]; at < levelStart[level + 1]; at++) {
    const box = order[at];
    const x = (left[box] - camera.left) * stretch;
    const wide = width[box] * stretch;
    if (x + wide <= 0 || x >= room) continue;
    if (hole !== null && left[box] >= hole.left && left[box] < hole.left + hole.width) continue;
    line.add(out, x, wide, ofBox[box]);
  }
}
