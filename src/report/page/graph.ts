/** The graph of a report: the widest frames as boxes, the way out of a zoom, and the line about one frame. */
import type { FramesAnswer } from "../../core/types.ts";
import { cssOf, FOUND, QUIET } from "../../model/flame/colour.ts";
import { describeFrame, detailParts } from "../../model/flame/detail.ts";
import {
  buildFlame,
  type FlameNode,
  type FlameStep,
  type FlameTree,
  frameName,
  ROOT_NAME,
  stackText,
  stepFlame,
  stepOf,
} from "../../model/flame/flame.ts";
import { boxesOf, type FlameBox } from "../../model/flame/flame-boxes.ts";
import { widestFrames } from "../../model/flame/widest-frames.ts";
import { formsOf, shownText } from "../../model/words/short-name.ts";
import type { ReportGraph } from "../data.ts";
import { element } from "./element.ts";

const CELL_PX = 20;
/** What a browser lays out without a pause. */
const MOST_BOXES = 1000;
const MARKER_PX = 4;
const LABEL_FROM_PX = 20;

export class Graph {
  private readonly whole: FramesAnswer;
  private readonly given: ReportGraph;
  private readonly onZoom: (zoomed: boolean) => void;
  private readonly path = element("nav", { id: "path", "aria-label": "Zoomed in" });
  private readonly tree = element("div", { id: "flame", role: "tree", tabindex: "0", "aria-label": "Flame graph" });
  private readonly line = element("div", { id: "frame", role: "status" });
  /** Row of the whole answer that is zoomed to. */
  private focused = 0;
  private matches: ReadonlySet<number> | null = null;
  /** What is drawn: `node` of its frames is the row of the whole. */
  private shown: FramesAnswer;
  private drawn: FlameTree;
  private boxes: FlameBox[] = [];
  private elements: HTMLElement[] = [];
  private current = 0;
  private width = 0;

  constructor(host: HTMLElement, given: ReportGraph, onZoom: (zoomed: boolean) => void) {
    const { answer: whole } = given;
    this.whole = whole;
    this.given = given;
    this.onZoom = onZoom;
    this.shown = whole;
    this.drawn = buildFlame(whole.frames, { rootName: ROOT_NAME, markerFrom: 0, whole: whole.selectionTotal });
    host.append(this.path, this.tree, this.line);
    this.tree.addEventListener("click", (event) => this.onClick(event));
    this.tree.addEventListener("pointermove", (event) => this.say(this.boxAt(event)?.node.row ?? this.current, false));
    this.tree.addEventListener("pointerleave", () => this.say(this.current, false));
    this.tree.addEventListener("keydown", (event) => this.onKey(event));
    // Its height is of the drawing's own making.
    new ResizeObserver(() => this.tree.clientWidth !== this.width && this.draw()).observe(this.tree);
    this.draw();
  }

  focus(): void {
    this.tree.focus();
  }

  find(matches: ReadonlySet<number> | null): void {
    this.matches = matches;
    this.draw();
  }

  /** To a row of the whole, and on to one below it as the current frame. */
  zoom(row: number, then = row): void {
    this.focused = row;
    this.draw();
    this.mark(Math.max(0, this.shown.frames.node.indexOf(then)), true);
  }

  /** To the next frame found, or the one before, the heaviest first; one that is not drawn is zoomed to. */
  walk(step: number): void {
    const { total } = this.whole.frames;
    const found = [...(this.matches ?? [])].sort((a, b) => total[b] - total[a] || a - b);
    if (found.length === 0) return;
    const at = found.indexOf(this.shown.frames.node[this.current]);
    const next = found[at < 0 && step < 0 ? found.length - 1 : (at + step + found.length) % found.length];
    const row = this.shown.frames.node.indexOf(next);
    if (row < 0) this.zoom(next);
    else this.mark(row, true);
  }

  private draw(): void {
    const held = this.shown.frames.node[this.current];
    const width = this.tree.clientWidth;
    this.width = width;
    this.shown = widestFrames(this.whole, this.focused, { width, budget: MOST_BOXES });
    const { frames } = this.shown;
    this.drawn = buildFlame(frames, {
      rootName: ROOT_NAME,
      markerFrom: (MARKER_PX * frames.total[0]) / Math.max(1, width),
      whole: this.whole.selectionTotal,
    });
    this.boxes = boxesOf(this.drawn);
    this.elements = [];
    const level = this.shown.path.length + 1;
    const deepest = this.boxes.reduce((most, { depth }) => Math.max(most, depth), 0);
    this.tree.style.height = `${(deepest + 1) * CELL_PX}px`;
    this.tree.replaceChildren(...this.boxes.map((box, at) => this.elementOf(box, at, level, deepest)));
    this.drawPath();
    this.onZoom(this.focused !== 0);
    this.mark(Math.max(0, frames.node.indexOf(held)), false);
  }

  private elementOf({ node, x, width, depth }: FlameBox, at: number, level: number, deepest: number): HTMLElement {
    const { name, ...rest } = this.detail(node.row);
    const label = node.marker ? `${node.name} hidden below` : [name, rest.value, rest.ofTotal].join(", ");
    const made = element(
      "div",
      {
        role: "treeitem",
        class: "box",
        "aria-level": String(level + depth),
        "aria-label": label,
        "data-box": String(at),
      },
      width * this.width < LABEL_FROM_PX ? "" : labelOf(node),
    );
    const { style } = made;
    style.left = `${100 * x}%`;
    style.width = `${100 * width}%`;
    style.top = `${(this.given.up ? deepest - depth : depth) * CELL_PX}px`;
    if (node.marker) made.classList.add("marker");
    else {
      const row = this.shown.frames.node[node.row];
      const found = this.matches?.has(row);
      let tone = this.given.toneOf(row);
      if (found !== undefined) tone = found ? FOUND : QUIET;
      style.background = `light-dark(${cssOf(tone, false)}, ${cssOf(tone, true)})`;
      if (found) made.dataset.match = "";
      made.id = `row-${node.row}`;
      this.elements[node.row] = made;
    }
    return made;
  }

  private drawPath(): void {
    const { path, frames } = this.shown;
    const steps = path.map(({ node }) => {
      const step = element("button", { type: "button" }, frameName(this.whole.frames, node, ROOT_NAME, 80));
      step.addEventListener("click", () => {
        this.zoom(node);
        this.focus();
      });
      return step;
    });
    const here = element("span", { "aria-current": "location" }, frameName(frames, 0, ROOT_NAME, 80));
    this.path.hidden = path.length === 0;
    this.path.replaceChildren(...(path.length === 0 ? [] : [...steps, here]));
  }

  private mark(row: number, reveal: boolean): void {
    const before = this.elements[this.current];
    before?.removeAttribute("aria-selected");
    this.current = row;
    const now = this.elements[row];
    now?.setAttribute("aria-selected", "true");
    if (now === undefined) this.tree.removeAttribute("aria-activedescendant");
    else this.tree.setAttribute("aria-activedescendant", now.id);
    if (reveal) now?.scrollIntoView({ block: "nearest" });
    this.say(row, true);
  }

  private detail(row: number) {
    return describeFrame(this.shown, row, this.given.profile, ROOT_NAME, this.given.upward);
  }

  /** The words about a frame; those of the pointer are too many to be read aloud. */
  private say(row: number, aloud: boolean): void {
    const detail = this.detail(row);
    this.line.setAttribute("aria-live", aloud ? "polite" : "off");
    const name = element("bdi", {}, detail.name);
    this.line.replaceChildren(name, element("span", {}, detailParts(detail).join(" · ")));
  }

  private boxAt({ target }: Event): FlameBox | undefined {
    const box = target instanceof Element ? target.closest<HTMLElement>("[data-box]") : null;
    return box === null ? undefined : this.boxes[Number(box.dataset.box)];
  }

  private onClick(event: Event): void {
    const box = this.boxAt(event);
    if (box !== undefined) this.zoom(this.shown.frames.node[box.node.row]);
  }

  /** To a frame; a marker of hidden frames zooms to the frame above them. */
  private step(step: FlameStep): void {
    const to = stepFlame(this.drawn, this.current, step);
    if (to < this.drawn.nodes.length) this.mark(to, true);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { node } = this.shown.frames;
    const step = stepOf(event.key, this.given.up);
    if (step !== undefined) this.step(step);
    else if (event.key === "Enter" || event.key === " ") this.zoom(node[this.current]);
    else if (event.key === "Escape") this.zoom(0, node[this.current]);
    else if (event.key === "Backspace") this.zoom(this.whole.frames.parent[this.focused], node[this.current]);
    else if (event.key === "n" || event.key === "N") this.walk(event.key === "n" ? 1 : -1);
    else if (event.key === "c") this.copy();
    else return;
    event.preventDefault();
  }

  private copy(): void {
    const above = this.shown.path.map(({ name }) => name);
    void navigator.clipboard?.writeText(stackText(this.shown.frames, this.current, above));
  }
}

/** Without its package. */
function labelOf({ name, marker }: FlameNode): string {
  return marker ? name : shownText(formsOf(name).at(-2) ?? []);
}
