/**
 * The graph of a report: every frame that is at least half a pixel wide, zooming out, and the line about one frame.
 * Wide boxes are elements with labels; the others are paths below them, one for each colour.
 */
import type { FramesAnswer } from "../../core/types.ts";
import { cssOf, FOUND, MARKER, QUIET, type Tone, UNKNOWN } from "../../model/flame/colour.ts";
import { describeFrame, detailParts } from "../../model/flame/detail.ts";
import { type FlameStep, frameName, ROOT_NAME, stackText, stepOf } from "../../model/flame/flame.ts";
import { boxAt, boxName, type FlameLayout, layOutFlame, markedRow, stepBox } from "../../model/flame/flame-layout.ts";
import { foldChains } from "../../model/flame/fold.ts";
import { FRAME_TYPES } from "../../model/flame/frame-types.ts";
import { innerWidth, TonePaths } from "../../model/flame/tone-paths.ts";
import { widestFrames } from "../../model/flame/widest-frames.ts";
import { NameLabels } from "../../model/words/short-name.ts";
import type { ReportGraph } from "../data.ts";
import { element } from "./element.ts";

const CELL_PX = 20;
/** Boxes with a label; narrower ones are part of a path. */
const LABEL_FROM_PX = 20;
/** Labelled boxes that a browser lays out without a pause; the widest have their labels. */
const MOST_LABELLED = 2000;
const MARKER_PX = 4;
/** On either side of a label, and the gap to the next box. */
const LABEL_EDGES_PX = 9;

export class Graph {
  private readonly whole: FramesAnswer;
  private readonly given: ReportGraph;
  private readonly onZoom: (zoomed: boolean) => void;
  private readonly path: HTMLElement;
  private readonly tree: HTMLElement;
  private readonly line: HTMLElement;
  /** Outline of the box under the pointer. */
  private readonly over = element("div", { class: "over", "aria-hidden": "true" });
  private readonly labels: NameLabels;
  private readonly boxId: string;
  /** Row of the whole answer that is zoomed to. */
  private focused = 0;
  private matches: ReadonlySet<number> | null = null;
  /** Rows of the whole in prefixes that are drawn as one frame: its first and last row, and its name. */
  private folded = new Map<number, { first: number; last: number; words: string }>();
  /** The matches, of such a prefix its first row. */
  private found: ReadonlySet<number> | null = null;
  /** The drawn frames: `node` of its frames is the row of the whole. */
  private shown: FramesAnswer;
  private layout: FlameLayout;
  private elements = new Map<number, HTMLElement>();
  private current = 0;
  private width = 0;

  /** Ids of its elements end with `suffix`, which no other graph of the report has. */
  constructor(host: HTMLElement, given: ReportGraph, suffix: string, onZoom: (zoomed: boolean) => void) {
    const { answer: whole } = given;
    const named = (name: string) => ({ class: name, id: name + suffix });
    this.path = element("nav", { ...named("path"), "aria-label": "Zoomed in" });
    this.tree = element("div", { ...named("flame"), role: "tree", tabindex: "0", "aria-label": "Flame graph" });
    this.line = element("div", { ...named("frame"), role: "status" });
    this.boxId = `box${suffix}-`;
    this.whole = whole;
    this.given = given;
    this.onZoom = onZoom;
    this.shown = whole;
    this.layout = layOutFlame(whole, { rootName: ROOT_NAME, markerFrom: 0 });
    host.append(this.path, this.tree, this.line);
    this.labels = new NameLabels(widthsIn(this.tree));
    this.tree.addEventListener("click", (event) => this.onClick(event));
    this.tree.addEventListener("pointermove", (event) => this.onPointer(this.boxUnder(event)));
    this.tree.addEventListener("pointerleave", () => this.onPointer(-1));
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
    this.mark(Math.max(0, this.rowAt(then)), true);
  }

  /** To the next frame found, or the one before, the heaviest first; one that is not drawn is zoomed to. */
  walk(step: number): void {
    const { total } = this.whole.frames;
    const found = [...(this.found ?? [])].sort((a, b) => total[b] - total[a] || a - b);
    if (found.length === 0) return;
    const at = found.indexOf(this.shown.frames.node[this.current]);
    const next = found[at < 0 && step < 0 ? found.length - 1 : (at + step + found.length) % found.length];
    const row = this.shown.frames.node.indexOf(next);
    if (row < 0) this.zoom(next);
    else this.mark(row, true);
  }

  /** The drawn row of a row of the whole; -1 where it is not drawn. */
  private rowAt(row: number): number {
    return this.shown.frames.node.indexOf(this.folded.get(row)?.first ?? row);
  }

  /** The widest frames, each prefix as one of them unless the zoom begins in it. */
  private choose(width: number): FramesAnswer {
    const drawn = widestFrames(this.whole, this.focused, { width, budget: Number.POSITIVE_INFINITY });
    const rowOf = new Map(Array.from(drawn.frames.node, (node, row) => [node, row]));
    const stepOf = new Map(drawn.path.map(({ node }, step) => [node, step]));
    const closed = this.given.chains.filter(({ rows }) => !rows.includes(this.focused));
    this.folded.clear();
    for (const { rows, words } of closed)
      for (const row of rows) this.folded.set(row, { first: rows[0], last: rows[rows.length - 1], words });
    const placed = (at: ReadonlyMap<number, number>) =>
      closed.flatMap(({ rows, words }) =>
        at.has(rows[0]) ? { words, rows: rows.flatMap((row) => at.get(row) ?? []) } : [],
      );
    this.found = this.matches && new Set(Array.from(this.matches, (row) => this.folded.get(row)?.first ?? row));
    return foldChains(drawn, placed(rowOf), placed(stepOf)).answer;
  }

  private draw(): void {
    const held = this.shown.frames.node[this.current];
    this.width = this.tree.clientWidth;
    const width = Math.max(1, this.width);
    this.shown = this.choose(width);
    // The way out is the path above the graph.
    this.layout = layOutFlame({ ...this.shown, path: [] }, { rootName: ROOT_NAME, markerFrom: MARKER_PX / width });
    const { layout } = this;
    this.tree.style.height = `${layout.levels * CELL_PX}px`;
    const least = leastLabelled(layout, width);
    const paths = new TonePaths<Tone>();
    this.elements.clear();
    for (const box of layout.order) {
      if (layout.width[box] >= least) this.elements.set(box, this.elementOf(box));
      else {
        const wide = layout.width[box] * width;
        paths.add(this.toneOf(box), layout.left[box] * width, this.topOf(box), innerWidth(wide), CELL_PX - 1);
      }
    }
    this.over.hidden = true;
    this.tree.replaceChildren(svgOf(paths, width, layout.levels * CELL_PX), ...this.elements.values(), this.over);
    this.drawPath();
    this.onZoom(this.focused !== 0);
    this.mark(Math.max(0, this.rowAt(held)), false);
  }

  private topOf(box: number): number {
    const { level, levels } = this.layout;
    return (this.given.up ? levels - 1 - level[box] : level[box]) * CELL_PX;
  }

  private toneOf(box: number): Tone {
    if (box >= this.layout.rows) return MARKER;
    const row = this.shown.frames.node[box];
    if (this.found !== null) return this.found.has(row) ? FOUND : QUIET;
    return this.folded.has(row) ? UNKNOWN : this.given.toneOf(row);
  }

  private elementOf(box: number): HTMLElement {
    const { layout, shown } = this;
    const name = boxName(layout, box);
    const isMarker = box >= layout.rows;
    const { value, ofTotal } = this.detail(this.rowOf(box));
    const made = element(
      "div",
      {
        role: "treeitem",
        class: isMarker ? "box marker" : "box",
        "aria-level": String(shown.path.length + 1 + layout.level[box]),
        "aria-label": isMarker ? name : [name, value, ofTotal].join(", "),
        id: this.boxId + box,
      },
      this.labelOf(box, name),
    );
    place(made, layout, box, this.topOf(box));
    const tone = this.toneOf(box);
    made.style.background = `light-dark(${cssOf(tone, false)}, ${cssOf(tone, true)})`;
    if (tone === FOUND) made.dataset.match = "";
    return made;
  }

  private labelOf(box: number, name: string): string {
    const room = this.layout.width[box] * this.width - LABEL_EDGES_PX;
    if (room + LABEL_EDGES_PX < LABEL_FROM_PX) return "";
    if (box >= this.layout.rows) return name;
    const isRoot = FRAME_TYPES[this.shown.frames.frameType[box]] === "root";
    return isRoot ? this.labels.fitMiddle(name, room) : this.labels.fit(name, room);
  }

  private drawPath(): void {
    const { path, frames } = this.shown;
    const steps = path.map(({ node }) => {
      const step = element(
        "button",
        { type: "button" },
        this.folded.get(node)?.words ?? frameName(this.whole.frames, node, ROOT_NAME, 80),
      );
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

  /** The current box gets an element if it has no element yet. */
  private mark(row: number, reveal: boolean): void {
    const before = this.elements.get(this.current);
    before?.removeAttribute("aria-selected");
    if (before?.dataset.lent !== undefined) {
      before.remove();
      this.elements.delete(this.current);
    }
    this.current = row;
    let now = this.elements.get(row);
    if (now === undefined) {
      now = this.elementOf(row);
      now.dataset.lent = "";
      this.elements.set(row, now);
      this.tree.append(now);
    }
    now.setAttribute("aria-selected", "true");
    this.tree.setAttribute("aria-activedescendant", now.id);
    if (reveal) now.scrollIntoView({ block: "nearest" });
    this.say(row, true);
  }

  /** The row of a box; for a marker that of the frame above. */
  private rowOf(box: number): number {
    const marked = markedRow(this.layout, box);
    return marked >= 0 ? marked : box;
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

  private boxUnder({ clientX, clientY }: MouseEvent): number {
    const { left, top, width } = this.tree.getBoundingClientRect();
    const line = Math.floor((clientY - top) / CELL_PX);
    const level = this.given.up ? this.layout.levels - 1 - line : line;
    return boxAt(this.layout, level, (clientX - left) / Math.max(1, width));
  }

  private onPointer(box: number): void {
    this.over.hidden = box < 0;
    this.tree.classList.toggle("pointing", box >= 0);
    if (box >= 0) place(this.over, this.layout, box, this.topOf(box));
    this.say(box < 0 ? this.current : this.rowOf(box), false);
  }

  private onClick(event: MouseEvent): void {
    const box = this.boxUnder(event);
    if (box >= 0) this.zoom(this.shown.frames.node[this.rowOf(box)]);
  }

  /** To a frame; a marker of hidden frames zooms to the frame above them. */
  private step(step: FlameStep): void {
    const to = stepBox(this.layout, this.current, step);
    if (to < this.layout.rows) this.mark(to, true);
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
    const row = this.shown.frames.node[this.current];
    void navigator.clipboard?.writeText(stackText(this.whole.frames, this.folded.get(row)?.last ?? row, []));
  }
}

/** In shares of the width: a drawing is as wide on paper as the paper. */
function place({ style }: HTMLElement, { left, width }: FlameLayout, box: number, top: number): void {
  style.left = `${100 * left[box]}%`;
  style.width = `${100 * width[box]}%`;
  style.top = `${top}px`;
}

/** The share of the width from which on a box has an element. */
function leastLabelled({ width: shares }: FlameLayout, width: number): number {
  const wide = shares.filter((share) => share * width >= LABEL_FROM_PX).sort();
  return wide.length <= MOST_LABELLED ? LABEL_FROM_PX / width : wide[wide.length - MOST_LABELLED];
}

/** Elements of SVG as HTML has them: the file holds no address, be it that of a namespace. */
const SVG = "<svg aria-hidden=true preserveAspectRatio=none width=100%><path></path></svg>";

function svgOf(paths: TonePaths<Tone>, width: number, height: number): Node {
  const holder = element("div");
  holder.innerHTML = SVG;
  const [svg] = holder.children;
  const [path] = svg.children;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", String(height));
  const drawn = paths.paths().map(([tone, data]) => {
    const made = path.cloneNode() as SVGPathElement;
    made.setAttribute("d", data);
    made.style.fill = `light-dark(${cssOf(tone, false)}, ${cssOf(tone, true)})`;
    return made;
  });
  svg.replaceChildren(...drawn);
  return svg;
}

/** Widths of labels: those of the graph's font, whose size `.box` sets. */
function widthsIn(tree: HTMLElement): (text: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  if (context !== null) context.font = `12px ${getComputedStyle(tree).fontFamily}`;
  return (text) => context?.measureText(text).width ?? text.length * 7;
}
