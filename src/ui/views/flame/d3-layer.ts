/**
 * The labelled boxes of a flame graph, drawn by d3-flame-graph 5, the library that the contract of the project demands
 * (docs/decisions/flame-graph-renderer.md). Its traps, and what this file does about them:
 * - it zooms before it reports a click: the renderer takes clicks in the capture phase, and they never reach it;
 * - its zoom writes to the data that it is given, so frozen or shared objects would break it: it gets a separate tree;
 * - called twice on one element it wraps its frames once more: the first drawing calls it, later ones only `update`;
 * - animation morphs frames into unrelated ones after new data, and costs most of a drawing: no transitions;
 * - it draws a whole tree from its root on: a drawing that begins further down gets a root and spacers in the place of
 *   what is not drawn, and their elements are taken out.
 */

import type { FlameChart, Frame } from "d3-flame-graph";
import flamegraph from "d3-flame-graph";
import { select } from "d3-selection";
import { ancestorOf, boxName, type FlameLayout, markedRow, rowOfBox } from "../../../model/flame/flame-layout.ts";
import { forgetFonts, graphFont, type LabelFont } from "../../parts/drawing/label-font.ts";
import type { BoxColours } from "./box-colours.ts";
import { BASELINE_PX, boxLabel, LABEL_PX, MARGIN_PX } from "./box-label.ts";
import type { Levels } from "./canvas-layer.ts";
import { CELL_PX } from "./graph-props.ts";
import { makeLean } from "./lean-d3.ts";
import type { FlameScene } from "./renderer.ts";

const SVG = "http://www.w3.org/2000/svg";
/** Labelled boxes at a time, the widest: each costs as much as a hundred on the canvas. */
const MOST_BOXES = 600;
/** Shares of the width that are but a rounding error. */
const NOTHING = 1e-9;
const NO_BOX = -1;

/** What the library draws. Plain and fresh for each drawing, because it writes to the objects that it is given. */
interface DrawnBox {
  /** NO_BOX for a spacer. */
  box: number;
  name: string;
  value: number;
  children: DrawnBox[];
}

makeLean();

export class D3Layer {
  private readonly stage: HTMLElement;
  private readonly up: boolean;
  private chart: FlameChart<DrawnBox> | null = null;
  private scene: FlameScene | null = null;
  private colours: BoxColours | null = null;
  private font: LabelFont | null = null;
  private elements = new Map<number, SVGGElement>();

  constructor(stage: HTMLElement, up: boolean) {
    this.stage = stage;
    this.up = up;
  }

  /** Draws the labelled boxes of some levels. */
  draw(scene: FlameScene, colours: BoxColours, levels: Levels): void {
    this.scene = scene;
    this.colours = colours;
    const root = treeOf(scene, levels);
    if (this.chart === null) {
      this.chart = this.newChart().width(scene.width);
      this.chart(select(this.stage).datum(root));
    } else {
      this.chart.width(scene.width).update(root);
    }
    this.describeElements();
    this.moveTo(root.box === NO_BOX ? levels.first - 1 : levels.first);
  }

  /** Element of a box, if it is drawn here. */
  elementOf(box: number): SVGGElement | null {
    return this.elements.get(box) ?? null;
  }

  /** Cuts labels to their room once more, with the font that has come. */
  measureAgain(): void {
    this.font = null;
    forgetFonts();
    if (this.chart !== null) this.describeElements();
  }

  destroy(): void {
    this.chart?.destroy();
    select(this.stage).datum(null);
    this.chart = null;
    this.elements.clear();
  }

  private newChart(): FlameChart<DrawnBox> {
    // With a custom tooltip the library adds no <title> to each frame. Ours ignores the library's calls.
    const quiet = Object.assign(() => {}, { show: () => {}, hide: () => {} });
    return flamegraph<DrawnBox>()
      .cellHeight(CELL_PX)
      .transitionDuration(0)
      .inverted(!this.up)
      .resetHeightOnZoom(true)
      .getName(({ data }) => data.name)
      .getValue((datum) => datum.value)
      .getChildren((datum) => datum.children)
      .setColorMapper(({ data }) => (data.box === NO_BOX ? "none" : (this.colours?.css(data.box) ?? "none")))
      .setLabelHandler(() => "")
      .setDetailsHandler(() => {})
      .tooltip(quiet);
  }

  /** The library's picture begins with the level of its root. */
  private moveTo(level: number): void {
    const svg = this.svg();
    if (svg === null) return;
    const down = level * CELL_PX;
    const high = Number(svg.getAttribute("height"));
    const levels = this.scene?.layout.levels ?? 0;
    svg.style.transform = `translateY(${this.up ? levels * CELL_PX - high - down : down}px)`;
  }

  private svg(): SVGSVGElement | null {
    return this.stage.querySelector("svg");
  }

  /** The library draws for eyes only; roles and names make the same elements a tree. */
  private describeElements(): void {
    const { scene } = this;
    if (scene === null) return;
    const { layout, matches } = scene;
    this.elements = new Map();
    const svg = this.svg();
    svg?.setAttribute("role", "presentation");
    // As large as it is drawn, and on paper as wide as that.
    svg?.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
    this.font ??= graphFont(this.stage);
    for (const element of this.stage.querySelectorAll<SVGGElement>("g.frame")) {
      const frame = frameOf(element);
      if (frame === null) continue;
      const { box, name } = frame.data;
      if (box === NO_BOX) {
        element.remove();
        continue;
      }
      if (!element.hasAttribute("role")) element.setAttribute("role", "treeitem");
      element.toggleAttribute("data-marker", markedRow(layout, box) >= 0);
      element.toggleAttribute("data-ancestor", ancestorOf(layout, box) >= 0);
      element.toggleAttribute("data-match", matches?.has(rowOfBox(layout, box)) === true);
      element.setAttribute("aria-level", String(layout.level[box] + 1));
      element.setAttribute("aria-label", name);
      this.label(element, frame);
      this.elements.set(box, element);
    }
  }

  private label(element: Element, { data, x0, x1 }: Frame<DrawnBox>): void {
    const { scene, font } = this;
    if (scene === null || font === null) return;
    const text = boxLabel(scene.layout, data.box, (x1 - x0) * scene.width, font);
    const label = textOf(element) ?? (text === "" ? null : newLabel(element));
    if (label !== null && label.data !== text) label.data = text;
  }
}

/** The box of the drawn element of an event; null without one. */
export function boxOfEvent(event: Event): number | null {
  const element = event.target instanceof Element ? event.target.closest("g.frame") : null;
  return (element && frameOf(element)?.data.box) ?? null;
}

/** The labelled boxes of some levels, below a root that is none of them where there is not one at the top. */
function treeOf(scene: FlameScene, levels: Levels): DrawnBox {
  const { layout, width } = scene;
  const { levelStart, order, above, left } = layout;
  const whole = layout.answer.frames.total[0];
  const chosen = widest(layout, levelStart[levels.first], levelStart[levels.end], LABEL_PX / width);
  const drawn = new Map<number, DrawnBox>();
  let root: DrawnBox | null = levels.first === 0 ? null : spacer(whole);
  /** Where the next box below each one would be, as a share of the drawing. */
  const edges = new Map<DrawnBox, number>();
  for (const place of chosen) {
    const box = order[place];
    const node = newBox(layout, box);
    drawn.set(box, node);
    edges.set(node, left[box]);
    if (root === null) {
      root = node;
      continue;
    }
    const parent = drawn.get(above[box]) ?? root;
    const edge = edges.get(parent) ?? 0;
    if (left[box] - edge > NOTHING) parent.children.push(spacer((left[box] - edge) * whole));
    parent.children.push(node);
    edges.set(parent, left[box] + layout.width[box]);
  }
  return root ?? spacer(whole);
}

/** Places of the boxes that are wide enough, the widest MOST_BOXES of them. */
function widest({ order, width }: FlameLayout, from: number, end: number, least: number): number[] {
  const places: number[] = [];
  for (let at = from; at < end; at++) if (at === 0 || width[order[at]] >= least) places.push(at);
  if (places.length <= MOST_BOXES) return places;
  // A box comes before those below it, which are not wider.
  places.sort((a, b) => width[order[b]] - width[order[a]] || a - b);
  return places.slice(0, MOST_BOXES).sort((a, b) => a - b);
}

function newBox(layout: FlameLayout, box: number): DrawnBox {
  const { total, hiddenValue } = layout.answer.frames;
  const name = boxName(layout, box);
  const row = markedRow(layout, box);
  const value = row >= 0 ? hiddenValue[row] : (total[box < layout.rows ? box : 0] ?? 0);
  return { box, name, value, children: [] };
}

function spacer(value: number): DrawnBox {
  return { box: NO_BOX, name: "", value, children: [] };
}

function textOf(element: Element): Text | null {
  const { lastElementChild: last } = element;
  return last instanceof SVGTextElement && last.firstChild instanceof Text ? last.firstChild : null;
}

function newLabel(element: Element): Text {
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("x", String(MARGIN_PX));
  text.setAttribute("y", String(BASELINE_PX));
  const label = document.createTextNode("");
  text.append(label);
  element.append(text);
  return label;
}

function frameOf(element: Element): Frame<DrawnBox> | null {
  return (element as { __data__?: Frame<DrawnBox> }).__data__ ?? null;
}
