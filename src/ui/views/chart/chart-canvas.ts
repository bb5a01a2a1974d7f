/**
 * The flame chart on a canvas as high as the visible part, which stays in place while the rows scroll. Boxes are lines
 * of pixels as in the flame graph; pauses and labels are drawn over them.
 */
import { boxOfMark, type Chart, laneOfRow } from "../../../model/chart/chart.ts";
import { isMark, visitRow } from "../../../model/chart/visible.ts";
import { boxName } from "../../../model/chart/words.ts";
import { FOUND, QUIET, toneNumber } from "../../../model/flame/colour.ts";
import { FRAME_TYPES } from "../../../model/flame/frame-types.ts";
import type { ChartSubject } from "../../../report/chart-picture.ts";
import { labelFont } from "../../parts/drawing/label-font.ts";
import { partColours } from "../../parts/drawing/part-colours.ts";
import { PALETTES } from "../flame/box-colours.ts";
import { CELL_PX } from "../flame/graph-props.ts";
import { Scanline } from "../flame/scanline.ts";
import { ShownPauses } from "./shown-pauses.ts";

/** Everything for one drawing. */
export interface ChartScene extends Omit<ChartSubject, "title"> {
  dark: boolean;
  /** CSS pixels. */
  width: number;
}

/** A finer picture is not seen. */
const MOST_SCALE = 3;
/** Pixels that a mark covers at least, so that one short frame is seen. */
const LEAST_MARK = 0.6;
/** A narrower box has no room for a letter. */
const LABEL_PX = 22;
const PAD_PX = 4;
/** Baseline of a label in its line. */
const BASELINE_PX = 14;
/** Around letters over stripes. */
const HALO_PX = 4;

/** The visible part of a box that has room for its name. */
interface Labelled {
  box: number;
  left: number;
  right: number;
  top: number;
}

export class ChartCanvas {
  private readonly canvas: HTMLCanvasElement;
  private readonly lines: HTMLCanvasElement;
  private image: ImageData | null = null;
  private line: Scanline | null = null;
  private scale = 0;
  private readonly marks = new InferredMarks();

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.lines = canvas.ownerDocument.createElement("canvas");
  }

  /** Draws the lines from `top` pixels on, `height` pixels high. */
  draw(scene: ChartScene, top: number, height: number): void {
    const first = Math.max(0, Math.floor(top / CELL_PX));
    const end = Math.min(scene.chart.lines.length, Math.ceil((top + height) / CELL_PX));
    const context = this.resize(scene.width, height, Math.max(1, end - first));
    if (context === null || this.image === null) return;
    const boxes = this.paintLines(scene, first, end, top);
    this.lines.getContext("2d")?.putImageData(this.image, 0, 0);
    const offset = first * CELL_PX - top;
    context.imageSmoothingEnabled = false;
    context.drawImage(this.lines, 0, offset, scene.width, this.image.height * CELL_PX);
    for (let i = first; i < end; i++) context.clearRect(0, (i + 1) * CELL_PX - top - 1, scene.width, 1);
    const style = getComputedStyle(this.canvas);
    this.marks.draw(context, style.color);
    const pauses = new ShownPauses(scene);
    pauses.draw(context, top, height, this.scale, style);
    this.label(context, scene, boxes, pauses, style);
  }

  private resize(width: number, height: number, lines: number): CanvasRenderingContext2D | null {
    const { canvas } = this;
    const scale = Math.min(MOST_SCALE, canvas.ownerDocument.defaultView?.devicePixelRatio ?? 1);
    const wide = Math.max(1, Math.round(width * scale));
    canvas.width = wide;
    canvas.height = Math.max(1, Math.round(height * scale));
    if (this.line === null || this.image?.width !== wide || this.scale !== scale) this.line = new Scanline(wide, scale);
    if (this.image?.width !== wide || this.image.height !== lines) {
      this.image = new ImageData(wide, lines);
      this.lines.width = wide;
      this.lines.height = lines;
    }
    this.scale = scale;
    const context = canvas.getContext("2d");
    context?.scale(scale, scale);
    return context;
  }

  /** Paints a line of pixels for each row; returns the boxes with room for a name. */
  private paintLines(scene: ChartScene, first: number, end: number, top: number): Labelled[] {
    const { image, line, marks } = this;
    const boxes: Labelled[] = [];
    marks.clear();
    if (image === null || line === null) return boxes;
    const { chart, window, width } = scene;
    const { rule } = chart.columns;
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    const colourOf = colours(scene, this.canvas);
    for (let i = first; i < end; i++) {
      const row = chart.lines[i];
      if (row < 0) continue;
      const out = pixels.subarray((i - first) * image.width, (i - first + 1) * image.width);
      const y = i * CELL_PX - top;
      visitRow(chart, row, window, width, (place, after, left, wide) => {
        const box = boxOfMark(chart, place, after);
        if (rule !== null && rule[box] !== 0) marks.add(left, left + wide, y);
        if (isMark(place, after, wide)) {
          line.add(out, left, Math.max(LEAST_MARK, wide), colourOf(box));
          return;
        }
        const [from, to] = [Math.max(0, left), Math.min(width, left + wide)];
        line.add(out, left, wide, colourOf(chart.order[place]));
        if (to - from >= LABEL_PX) boxes.push({ box: chart.order[place], left: from, right: to, top: y });
      });
      line.finish(out);
    }
    return boxes;
  }

  /** Names, from the visible part of a box on. */
  private label(
    context: CanvasRenderingContext2D,
    scene: ChartScene,
    boxes: Labelled[],
    pauses: ShownPauses,
    style: CSSStyleDeclaration,
  ) {
    const font = labelFont(this.canvas);
    const { columns } = scene.chart;
    const colourOf = colours(scene, this.canvas);
    context.lineWidth = HALO_PX;
    context.lineJoin = "round";
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    for (const { box, left, right, top } of boxes) {
      const room = right - left - 2 * PAD_PX;
      const text = font.fitName(boxName(columns, box), FRAME_TYPES[columns.frameType[box]] ?? "", room);
      if (text === "") continue;
      // Letters over stripes need their surroundings in the box's colour.
      if (pauses.meet(left, left + room)) {
        context.strokeStyle = `#${colourOf(box).toString(16).padStart(6, "0")}`;
        context.strokeText(text, left + PAD_PX, top + BASELINE_PX);
      }
      context.fillStyle = (columns.part?.[box] ?? 0) === 0 ? style.color : letters(colourOf(box));
      context.fillText(text, left + PAD_PX, top + BASELINE_PX);
    }
  }
}

function colours({ chart, tones, found, dark }: ChartScene, canvas: Element): (box: number) => number {
  const palette = PALETTES[Number(dark)];
  const { name, part } = chart.columns;
  if (found !== null) {
    const [match, other] = [palette[toneNumber(FOUND)], palette[toneNumber(QUIET)]];
    return (box) => (found[name[box]] === 0 ? other : match);
  }
  if (part === undefined) return (box) => palette[tones[box]];
  const states = Object.values(partColours(canvas)).map(rgbOf);
  return (box) => (part[box] === 0 ? palette[tones[box]] : states[part[box] - 1]);
}

/** White or black, whichever has more contrast on a colour. */
function letters(rgb: number): string {
  const [red = 0, green = 0, blue = 0] = [16, 8, 0].map((shift) => (((rgb >> shift) & 255) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > EVEN ? "#000000" : "#ffffff";
}

/** Luminance on which black and white have the same contrast. */
const EVEN = 0.179;

/** 0xrrggbb of `rgb(207, 58, 54)`. */
function rgbOf(colour: string): number {
  return (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, channel) => 256 * sum + Number(channel), 0);
}

/** The row of a line of the picture, and its lane; null for a title or beyond the last line. */
export function rowAt(chart: Chart, y: number): { row: number; lane: number } | null {
  const row = chart.lines[Math.floor(y / CELL_PX)] ?? -1;
  return row < 0 ? null : { row, lane: laneOfRow(chart, row) };
}

/** Dotted lines at the lower edge of boxes whose samples have inferred context. */
const DOT_PX = 2;
/** Below the letters, above the gap between rows. */
const TOP_PX = CELL_PX - 1 - DOT_PX;

class InferredMarks {
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
