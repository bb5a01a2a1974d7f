/**
 * Flame graph renderer of two layers: a canvas with all boxes, and over it the wide ones with their labels as elements
 * of d3-flame-graph. Only levels near the visible part are drawn: stacks may be 2,000 levels deep.
 *
 *   scroller   the element around the host
 *   └ host     the tree for assistive technology, as high as the scroller at least
 *     └ stage  as high as all levels
 *       ├ canvas, svg       of the drawn levels; over them a path around equal frames
 *       ├ hovered, current  outlines of boxes that have no element
 */
import { boxAt, boxName, type FlameLayout, rowOfBox } from "../../../model/flame/flame-layout.ts";
import { whenIdle } from "../../parts/answers/after-paint.ts";
import { EqualFrames } from "../../parts/drawing/equal-frames.ts";
import { Tooltip } from "../../parts/drawing/tooltip.ts";
import { BoxColours } from "./box-colours.ts";
import { CanvasLayer, type Levels, type Pass, WHOLE } from "./canvas-layer.ts";
import { boxOfEvent, D3Layer } from "./d3-layer.ts";
import css from "./FlameGraph.module.css";
import { CELL_PX } from "./graph-props.ts";
import { Minimap } from "./minimap.ts";
import type {
  CreateFlameRenderer,
  FlameEvents,
  FlamePlaces,
  FlameRenderer,
  FlameScene,
  GraphView,
} from "./renderer.ts";
import { cameraAfter, innerCamera, isSamePlace, outerCamera, type ZoomMotion, zoomBetween } from "./zoom-motion.ts";

/** Levels that are drawn above and below the visible ones, so that a scrolled graph need not be drawn at once. */
const AROUND = 20;
/** A level at the edge of the view, which is seen in part. */
const EDGE = 1;
/** Levels that a graph has room for, as long as no graph of its view has been laid out. */
const FIRST_LEVELS = 60;

/** Ancestors that are in view above a focus further down. */
const ANCESTORS = 3;
const ZOOM_MS = 150;

let instances = 0;
/** Height in CSS pixels of the last graph of each view. A new graph starts with it, until a layout gives its own. */
const heights = new Map<GraphView, number>();

/** A zoom on its way. */
interface Zoom {
  motion: ZoomMotion;
  /** The drawing before, with its colours. */
  scene: FlameScene;
  colours: BoxColours;
  /** How much of the way is done, up to 1. */
  part: number;
}

export const createGraphRenderer: CreateFlameRenderer = (places, up, events) => new GraphRenderer(places, up, events);

class GraphRenderer implements FlameRenderer {
  private readonly host: HTMLElement;
  private readonly up: boolean;
  private readonly of: GraphView;
  private readonly events: FlameEvents;
  private readonly tooltip: Tooltip;
  private readonly listening = new AbortController();
  private readonly id = `flame-${++instances}`;
  private readonly stage: HTMLElement;
  private readonly canvas: CanvasLayer;
  private readonly d3: D3Layer;
  private readonly equal: EqualFrames;
  private readonly outline: HTMLElement;
  private readonly virtual: HTMLElement;
  private readonly minimap: Minimap;
  private readonly size: ResizeObserver;
  private scene: FlameScene | null = null;
  private colours: BoxColours | null = null;
  private zoom: Zoom | null = null;
  private drawn: Levels = { first: 0, end: 0 };
  private current = 0;
  /** Element of the current box. */
  private marked: Element | null = null;
  private hovered: number | null = null;
  /** Last known values of the scroller: reading them again would force a layout. The first ones are a guess. */
  private view = { top: 0, height: FIRST_LEVELS * CELL_PX };
  /** The drawing is scrolled to where it begins: that needs the height of the view. */
  private isPlaced = false;

  constructor({ host, minimap, view }: FlamePlaces, up: boolean, events: FlameEvents) {
    this.host = host;
    this.up = up;
    this.of = view;
    this.view.height = heights.get(view) ?? this.view.height;
    this.events = events;
    this.tooltip = new Tooltip(host);
    this.stage = addTo(host, css.stage, "presentation");
    this.canvas = new CanvasLayer(this.stage);
    this.d3 = new D3Layer(this.stage, up);
    this.equal = new EqualFrames(this.stage, css.equal);
    this.outline = addTo(this.stage, css.outline, "presentation");
    this.outline.hidden = true;
    this.virtual = addTo(this.stage, css.virtual, "treeitem");
    this.virtual.hidden = true;
    this.minimap = new Minimap(minimap, host.parentElement ?? host);
    this.size = new ResizeObserver(() => this.look());
    this.listen();
  }

  render(scene: FlameScene): void {
    this.leave();
    const before = this.scene?.layout ?? null;
    const { layout } = scene;
    const motion = before === null || before === layout ? null : zoomBetween(before, layout);
    this.beginZoom(motion, scene.width);
    this.scene = scene;
    this.colours = new BoxColours(scene);
    this.stage.style.height = `${layout.levels * CELL_PX}px`;
    this.stage.style.width = `${scene.width}px`;
    // The drawn boxes, for tests: bound as d3 binds its data to elements.
    Object.assign(this.canvas.element, { __data__: layout });
    if (before !== null) this.isPlaced = true;
    if (before !== layout && this.isPlaced) this.scrollTo(this.topAfter(motion, before));
    this.draw(this.levelsNear(this.isPlaced ? AROUND : EDGE));
    // Now, so that graph and minimap need one layout.
    if (!this.isPlaced) this.placeMap(scene);
    this.drawMapSoon(scene);
  }

  mark(box: number, reveal: boolean): string | null {
    this.current = box;
    if (reveal) {
      this.leave(); // the keys have the word now
      this.reveal(box);
      this.showEqual(box);
    }
    return this.markCurrent();
  }

  destroy(): void {
    this.listening.abort();
    this.zoom = null;
    this.size.disconnect();
    this.tooltip.destroy();
    this.d3.destroy();
    this.minimap.destroy();
    this.stage.remove();
    this.marked = null;
  }

  private listen(): void {
    const { host } = this;
    const { signal } = this.listening;
    host.addEventListener("click", (event) => this.onClick(event), { capture: true, signal });
    host.addEventListener("contextmenu", (event) => this.onMenu(event), { signal });
    // Moves only: a frame that moves under a resting pointer was not pointed at.
    host.addEventListener("pointermove", (event) => this.onPointer(event), { signal });
    host.addEventListener("pointerleave", () => this.leave(), { signal });
    // The page's fonts come after the first picture: labels are cut to their widths then.
    document.fonts.addEventListener("loadingdone", () => this.d3.measureAgain(), { signal });
    const scroller = host.parentElement;
    scroller?.addEventListener("scroll", () => this.look(), { passive: true, signal });
    if (scroller !== null) this.size.observe(scroller);
  }

  /** Reads the visible range, and draws the missing part of it. */
  private look(): void {
    const scroller = this.host.parentElement;
    if (scroller === null) return;
    this.view = { top: scroller.scrollTop, height: scroller.clientHeight };
    if (!this.isPlaced && this.scene !== null) {
      this.isPlaced = true;
      this.scrollTo(this.topAfter(null, null));
    }
    if (this.view.height > 0) heights.set(this.of, this.view.height);
    if (this.scene !== null && this.placeMap(this.scene)) this.drawMapSoon(this.scene);
    const { first, end } = this.levelsNear(EDGE);
    if (first >= this.drawn.first && end <= this.drawn.end) return;
    this.draw(this.levelsNear());
    this.markCurrent();
    if (this.hovered !== null) this.showEqual(this.hovered);
  }

  /**
   * Scroll position of a new drawing. Boxes stay where they are during a zoom; otherwise the focus is scrolled into
   * view, with some of its ancestors.
   */
  private topAfter(motion: ZoomMotion | null, before: FlameLayout | null): number {
    const layout = this.scene?.layout;
    if (layout === undefined) return 0;
    const ancestors = Math.max(0, layout.answer.path.length - ANCESTORS);
    const most = Math.max(0, layout.levels * CELL_PX - this.view.height);
    if (before !== null && (motion !== null || isSamePlace(before, layout))) {
      const { top } = this.view;
      return Math.min(most, this.up ? Math.max(0, top + (layout.levels - before.levels) * CELL_PX) : top);
    }
    const context = Math.min(most, ancestors * CELL_PX);
    return this.up ? most - context : context;
  }

  private scrollTo(top: number): void {
    // Only where it is needed: to scroll, the browser has to lay out what React has just changed.
    if (top === this.view.top) return;
    this.view.top = top;
    if (this.host.parentElement !== null) this.host.parentElement.scrollTop = top;
  }

  /** After the graph is painted: the minimap can come later. */
  private drawMapSoon(scene: FlameScene): void {
    whenIdle(() => this.drawMap(scene));
  }

  private drawMap(scene: FlameScene): void {
    if (this.scene !== scene || this.colours === null || this.listening.signal.aborted) return;
    this.placeMap(scene);
    this.minimap.draw(scene, this.colours, this.up);
  }

  private placeMap({ layout }: FlameScene): boolean {
    return this.minimap.place(this.top(), this.view.height, layout.levels);
  }

  /** Where it is scrolled to, or will be. */
  private top(): number {
    return this.isPlaced ? this.view.top : this.topAfter(null, null);
  }

  /** The visible levels and some around them. */
  private levelsNear(around = AROUND): Levels {
    const levels = this.scene?.layout.levels ?? 0;
    const { height } = this.view;
    const room = height === 0 ? FIRST_LEVELS : Math.ceil(height / CELL_PX) + 1;
    const above = Math.floor(this.top() / CELL_PX);
    const first = this.up && height > 0 ? levels - above - room : above;
    return {
      first: Math.min(Math.max(0, first - around), Math.max(0, levels - 1)),
      end: Math.max(Math.min(levels, first + room + around), Math.min(levels, 1)),
    };
  }

  private draw(levels: Levels): void {
    const { scene, colours } = this;
    if (scene === null || colours === null) return;
    this.drawn = levels;
    this.paint();
    this.canvas.moveTo(this.topOf(this.up ? levels.end - 1 : levels.first));
    this.d3.draw(scene, colours, levels);
  }

  /** Draws the canvas, during a zoom with both drawings. */
  private paint(): void {
    const { scene, colours, zoom, up, drawn } = this;
    if (scene === null || colours === null) return;
    const now: Pass = { scene, colours, camera: WHOLE, from: 0, without: null };
    if (zoom === null) {
      this.canvas.draw([now], drawn, up, scene.width);
      return;
    }
    const { motion } = zoom;
    const before: Pass = { ...now, scene: zoom.scene, colours: zoom.colours };
    const [outer, inner] = motion.isIn ? [before, now] : [now, before];
    outer.camera = outerCamera(motion, zoom.part);
    outer.without = { ...motion.target, level: motion.level };
    inner.camera = innerCamera(motion, outer.camera);
    inner.from = motion.level;
    this.canvas.draw([outer, inner], drawn, up, scene.width);
  }

  /** Shows a zoom on its way from the drawing that is on screen. */
  private beginZoom(motion: ZoomMotion | null, width: number): void {
    const { scene, colours } = this;
    this.endZoom();
    if (motion === null || scene === null || colours === null || scene.width !== width) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const zoom = { motion, scene, colours, part: 0 };
    this.zoom = zoom;
    this.stage.toggleAttribute("data-zooming", true);
    // From the first frame on: the drawing itself takes a part of that time.
    let start: number | null = null;
    const step = (now: number) => {
      if (this.zoom !== zoom) return;
      start ??= now;
      zoom.part = Math.min(1, (now - start) / ZOOM_MS);
      if (zoom.part === 1) this.endZoom();
      this.paint();
      if (zoom.part < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  private endZoom(): void {
    this.zoom = null;
    this.stage.toggleAttribute("data-zooming", false);
  }

  /** From the top of the stage to a level. */
  private topOf(level: number): number {
    const levels = this.scene?.layout.levels ?? 0;
    return (this.up ? levels - 1 - level : level) * CELL_PX;
  }

  private markCurrent(): string | null {
    for (const name of ["data-current", "aria-selected", "aria-description", "id"]) this.marked?.removeAttribute(name);
    this.virtual.hidden = true;
    const layout = this.scene?.layout;
    if (layout === undefined || this.current >= layout.boxes) {
      this.marked = null;
      return null;
    }
    const element = this.d3.elementOf(this.current) ?? this.showVirtual(layout, this.current);
    this.marked = element;
    element.setAttribute("data-current", "");
    element.setAttribute("aria-selected", "true");
    // Of one frame only: who hears it hears one at a time, and a drawing has thousands.
    element.setAttribute("aria-description", this.events.describe(this.current));
    element.id = `${this.id}-${this.current}`;
    return element.id;
  }

  /** An element for a box that is on the canvas only. */
  private showVirtual(layout: FlameLayout, box: number): HTMLElement {
    const { virtual } = this;
    virtual.hidden = false;
    this.putOver(virtual, layout, box);
    virtual.setAttribute("aria-level", String(layout.level[box] + 1));
    virtual.setAttribute("aria-label", boxName(layout, box));
    virtual.toggleAttribute("data-match", this.scene?.matches?.has(rowOfBox(layout, box)) === true);
    return virtual;
  }

  private putOver({ style }: HTMLElement, { left, width, level }: FlameLayout, box: number): void {
    const wide = this.scene?.width ?? 0;
    style.width = `${Math.max(1, width[box] * wide)}px`;
    style.transform = `translate(${left[box] * wide}px, ${this.topOf(level[box])}px)`;
  }

  private reveal(box: number): void {
    const scroller = this.host.parentElement;
    const layout = this.scene?.layout;
    if (scroller === null || layout === undefined || box >= layout.boxes) return;
    if (!this.isPlaced) this.look();
    const top = this.stage.offsetTop + this.topOf(layout.level[box]);
    const { scrollTop, clientHeight } = scroller;
    if (top < scrollTop) scroller.scrollTop = top;
    else if (top + CELL_PX > scrollTop + clientHeight) scroller.scrollTop = top + CELL_PX - clientHeight;
    this.look();
  }

  /** The box under the pointer: its element, or by its place where it is on the canvas only. */
  private boxUnder(event: MouseEvent): number | null {
    const drawn = boxOfEvent(event);
    if (drawn !== null) return drawn;
    const layout = this.scene?.layout;
    if (layout === undefined) return null;
    const { left, top, width } = this.stage.getBoundingClientRect();
    const row = Math.floor((event.clientY - top) / CELL_PX);
    const level = this.up ? layout.levels - 1 - row : row;
    const at = (event.clientX - left) / width;
    // What is under the pointer during a zoom is meant, not what will be there. Ancestors are as wide all the time.
    const camera = cameraAfter(this.zoom?.motion ?? null, this.zoom?.part ?? 1);
    const box = boxAt(layout, level, level < layout.answer.path.length ? at : camera.left + at * camera.width);
    return box < 0 ? null : box;
  }

  private onClick(event: MouseEvent): void {
    const box = this.boxUnder(event);
    if (box === null) return;
    event.stopPropagation();
    this.leave();
    this.events.pick(box);
  }

  private onMenu(event: MouseEvent): void {
    const box = this.boxUnder(event);
    if (box === null) return;
    event.preventDefault();
    this.leave();
    this.events.menu(box, event.clientX, event.clientY);
  }

  tell(box: number, line: string | Node): void {
    if (box === this.hovered) this.tooltip.add(line);
  }

  private onPointer(event: PointerEvent): void {
    const box = this.boxUnder(event);
    if (box === null) {
      this.leave();
      return;
    }
    if (box === this.hovered) {
      this.tooltip.follow(event);
      return;
    }
    this.hovered = box;
    this.stage.toggleAttribute("data-over", true);
    this.outline.hidden = false;
    if (this.scene !== null) this.putOver(this.outline, this.scene.layout, box);
    this.showEqual(box);
    this.tooltip.show(event, this.events.tip(box));
    this.events.hover(box);
  }

  private showEqual(box: number): void {
    const { layout, width } = this.scene ?? {};
    if (layout === undefined || width === undefined || box >= layout.boxes) return;
    this.equal.show(layout, box, { ...this.drawn, high: CELL_PX - 2 }, width, (level) => this.topOf(level));
  }

  private leave(): void {
    this.equal.hide();
    if (this.hovered === null) return;
    this.hovered = null;
    this.stage.toggleAttribute("data-over", false);
    this.outline.hidden = true;
    this.tooltip.hide();
    this.events.hover(null);
  }
}

function addTo(parent: HTMLElement, className: string, role: string): HTMLElement {
  const element = parent.ownerDocument.createElement("div");
  element.className = className;
  element.setAttribute("role", role);
  parent.append(element);
  return element;
}
