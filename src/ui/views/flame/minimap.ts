/**
 * The minimap beside a graph of more levels than fit: all of them on a narrow strip, and a frame around the visible
 * ones. It is the graph's scrollbar, by pointer and by key.
 */
import { formatCount } from "../../../model/words/format.ts";
import type { BoxColours } from "./box-colours.ts";
import { addLevel, WHOLE } from "./canvas-layer.ts";
import css from "./FlameGraph.module.css";
import { CELL_PX } from "./graph-props.ts";
import type { FlameScene } from "./renderer.ts";
import { Scanline } from "./scanline.ts";

const WIDE_PX = 14;
/** More lines than a screen has pixels are not seen. */
const MOST_LINES = 2000;
/** The frame around the visible levels can be pointed at. */
const LEAST_PX = 12;

export class Minimap {
  private readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly frame: HTMLElement;
  private readonly listening = new AbortController();
  private up = false;
  private levels = 0;
  /** Colours of the boxes that are drawn: other ones for each drawing. */
  private drawn: BoxColours | null = null;

  constructor(element: HTMLElement, scroller: HTMLElement) {
    this.element = element;
    this.scroller = scroller;
    this.canvas = element.ownerDocument.createElement("canvas");
    this.frame = element.ownerDocument.createElement("div");
    this.frame.className = css.visible;
    element.replaceChildren(this.canvas, this.frame);
    const { signal } = this.listening;
    element.addEventListener("pointerdown", (event) => this.onDown(event), { signal });
    element.addEventListener("pointermove", (event) => this.onMove(event), { signal });
    element.addEventListener("keydown", (event) => this.onKey(event), { signal });
  }

  destroy(): void {
    this.listening.abort();
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  /** Draws the levels of a scene, if the map is seen. */
  draw(scene: FlameScene, colours: BoxColours, up: boolean): void {
    const { levels } = scene.layout;
    this.up = up;
    this.levels = levels;
    if (this.element.hidden || this.drawn === colours) return;
    this.drawn = colours;
    const lines = Math.min(levels, MOST_LINES);
    this.canvas.width = WIDE_PX;
    this.canvas.height = lines;
    const image = new ImageData(WIDE_PX, lines);
    const pixels = new Uint32Array(image.data.buffer);
    const line = new Scanline(WIDE_PX, 1);
    const pass = { scene, colours, camera: WHOLE, from: 0, without: null };
    for (let i = 0; i < lines; i++) {
      const at = Math.floor((i * levels) / lines);
      const out = pixels.subarray(i * WIDE_PX, (i + 1) * WIDE_PX);
      addLevel(line, out, pass, up ? levels - 1 - at : at, WIDE_PX);
      line.finish(out);
    }
    this.canvas.getContext("2d")?.putImageData(image, 0, 0);
  }

  /** Shows which part is visible; whether the map has come into sight. */
  place(top: number, height: number, levels: number): boolean {
    const { element, frame } = this;
    const whole = levels * CELL_PX;
    const was = element.hidden !== false;
    element.hidden = whole <= height;
    if (element.hidden) return false;
    frame.style.height = `max(${LEAST_PX}px, ${(100 * height) / whole}%)`;
    frame.style.top = `min(${(100 * top) / whole}%, 100% - ${LEAST_PX}px)`;
    const first = Math.floor(top / CELL_PX) + 1;
    const last = Math.min(levels, Math.ceil((top + height) / CELL_PX));
    const [from, to] = this.up ? [levels - last + 1, levels - first + 1] : [first, last];
    element.setAttribute("aria-valuemin", "0");
    element.setAttribute("aria-valuemax", String(Math.round(whole - height)));
    element.setAttribute("aria-valuenow", String(Math.round(top)));
    element.setAttribute(
      "aria-valuetext",
      `levels ${formatCount(from)} to ${formatCount(to)} of ${formatCount(levels)}`,
    );
    return was;
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.scrollToward(event);
  }

  private onMove(event: PointerEvent): void {
    if (this.element.hasPointerCapture(event.pointerId)) this.scrollToward(event);
  }

  /** The place under the pointer becomes the middle of the visible range. */
  private scrollToward(event: PointerEvent): void {
    event.preventDefault();
    const { top, height } = this.element.getBoundingClientRect();
    const share = (event.clientY - top) / Math.max(1, height);
    this.scroller.scrollTop = share * this.levels * CELL_PX - this.scroller.clientHeight / 2;
  }

  private onKey(event: KeyboardEvent): void {
    const { scroller } = this;
    const page = scroller.clientHeight - CELL_PX;
    const steps: Record<string, number> = {
      ArrowUp: -CELL_PX,
      ArrowDown: CELL_PX,
      PageUp: -page,
      PageDown: page,
      Home: -scroller.scrollHeight,
      End: scroller.scrollHeight,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    scroller.scrollTop += step;
  }
}
