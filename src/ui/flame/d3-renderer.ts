/**
 * Flame graph renderer on d3-flame-graph 5, the library that the contract of the project demands
 * (docs/decisions/flame-graph-renderer.md). Its traps, and what this file does about them:
 * - it zooms before it reports a click: clicks are taken in the capture phase and never reach it;
 * - its zoom writes to the data that it is given, so frozen or shared objects would break it: it gets a separate tree;
 * - called twice on one element it wraps its frames once more: the first drawing calls it, later ones only `update`;
 * - animation morphs frames into unrelated ones after new data, and costs most of a drawing: no transitions.
 */

import type { FlameChart, Frame } from "d3-flame-graph";
import flamegraph from "d3-flame-graph";
import { select } from "d3-selection";
import { cssOf, FOUND, MARKER, QUIET, UNKNOWN } from "../../model/flame/colour.ts";
import type { FlameNode } from "../../model/flame/flame.ts";
import { type LabelFont, labelFont } from "./label-font.ts";
import { makeLean } from "./lean-d3.ts";
import type { FlameEvents, FlameRenderer, FlameScene } from "./renderer.ts";
import { Tooltip } from "./tooltip.ts";

export const CELL_PX = 20;
let instances = 0;

const SVG = "http://www.w3.org/2000/svg";
/** Narrower frames have no label. */
const LABEL_PX = 35;
/** Between a frame's edges and its label. */
const MARGIN_PX = 4;
/** From a frame's top to the baseline of its label. */
const BASELINE_PX = 14;

makeLean();

export function createD3Renderer(host: HTMLElement, up: boolean, events: FlameEvents): FlameRenderer {
  return new D3Renderer(host, up, events);
}

class D3Renderer implements FlameRenderer {
  private readonly host: HTMLElement;
  private readonly up: boolean;
  private readonly events: FlameEvents;
  private readonly tooltip: Tooltip;
  private readonly listening = new AbortController();
  private readonly id = `flame-${++instances}`;
  private chart: FlameChart<FlameNode> | null = null;
  private scene: FlameScene | null = null;
  private font: LabelFont | null = null;
  /** Element of each box. */
  private elements: SVGGElement[] = [];
  private marked: SVGGElement | null = null;
  private hovered: Frame<FlameNode> | null = null;

  constructor(host: HTMLElement, up: boolean, events: FlameEvents) {
    this.host = host;
    this.up = up;
    this.events = events;
    this.tooltip = new Tooltip(host);
    const { signal } = this.listening;
    host.addEventListener("click", (event) => this.onClick(event), { capture: true, signal });
    host.addEventListener("contextmenu", (event) => this.onMenu(event), { signal });
    // Moves only: a frame that comes to lie under a resting pointer was not pointed at.
    host.addEventListener("pointermove", (event) => this.onPointer(event), { signal });
    host.addEventListener("pointerleave", () => this.leave(), { signal });
    // The page's fonts come after the first picture: labels are cut to their widths then.
    document.fonts.addEventListener("loadingdone", () => this.measureAgain(), { signal });
  }

  render(scene: FlameScene): void {
    this.leave();
    this.scene = scene;
    const { root } = scene.tree;
    if (this.chart === null) {
      this.chart = this.newChart().width(scene.width);
      this.chart(select(this.host).datum(root));
    } else {
      this.chart.width(scene.width).update(root);
    }
    this.describeElements();
  }

  mark(box: number, reveal: boolean): string | null {
    for (const name of ["data-current", "aria-selected", "aria-description", "id"]) this.marked?.removeAttribute(name);
    const element = this.elements[box] ?? null;
    this.marked = element;
    if (element === null) return null;
    element.setAttribute("data-current", "");
    element.setAttribute("aria-selected", "true");
    // Of one frame only: who hears it hears one at a time, and a drawing has a thousand.
    element.setAttribute("aria-description", this.events.describe(box)[1] ?? "");
    element.id = `${this.id}-${box}`;
    if (reveal) {
      this.leave(); // the keys have the word now
      element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    return element.id;
  }

  destroy(): void {
    this.listening.abort();
    this.tooltip.destroy();
    this.chart?.destroy();
    select(this.host).datum(null);
    this.chart = null;
    this.elements = [];
    this.marked = null;
  }

  private measureAgain(): void {
    this.font = null;
    if (this.chart !== null) this.describeElements();
  }

  private newChart(): FlameChart<FlameNode> {
    // With a tooltip of one's own the library adds no <title> to each frame; ours needs none of its calls.
    const quiet = Object.assign(() => {}, { show: () => {}, hide: () => {} });
    return flamegraph<FlameNode>()
      .cellHeight(CELL_PX)
      .transitionDuration(0)
      .inverted(!this.up)
      .resetHeightOnZoom(true)
      .getName(({ data }) => data.name)
      .getValue((datum) => datum.value)
      .getChildren((datum) => datum.children)
      .setColorMapper((frame) => this.colour(frame))
      .setLabelHandler(() => "")
      .setDetailsHandler(() => {})
      .tooltip(quiet);
  }

  private colour({ data }: Frame<FlameNode>): string {
    const { dark = false, matches = null } = this.scene ?? {};
    if (data.marker) return cssOf(MARKER, dark);
    if (matches !== null) return cssOf(matches.has(data.row) ? FOUND : QUIET, dark);
    return cssOf(this.scene?.toneOf(data.row) ?? UNKNOWN, dark);
  }

  /** The library draws for eyes only; roles and names make the same elements a tree. */
  private describeElements(): void {
    const level = this.scene?.level ?? 1;
    this.elements = [];
    const svg = this.host.querySelector("svg");
    svg?.setAttribute("role", "presentation");
    // As large as it is drawn, and on paper as wide as that.
    svg?.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
    this.font ??= labelFont(this.host);
    for (const element of this.host.querySelectorAll<SVGGElement>("g.frame")) {
      const frame = frameOf(element);
      if (frame === null) continue;
      const { data, depth } = frame;
      if (!element.hasAttribute("role")) element.setAttribute("role", "treeitem");
      element.toggleAttribute("data-marker", data.marker);
      element.toggleAttribute("data-match", !data.marker && this.scene?.matches?.has(data.row) === true);
      element.setAttribute("aria-level", String(level + depth));
      element.setAttribute("aria-label", data.name);
      this.label(element, frame);
      this.elements[data.box] = element;
    }
  }

  private label(element: Element, { data, x0, x1 }: Frame<FlameNode>): void {
    const px = (x1 - x0) * (this.scene?.width ?? 0);
    const text = px < LABEL_PX ? "" : this.fit(data, px - 2 * MARGIN_PX);
    const label = labelOf(element) ?? (text === "" ? null : newLabel(element));
    if (label !== null && label.data !== text) label.data = text;
  }

  private fit({ name, kind, marker }: FlameNode, room: number): string {
    return (marker ? this.font?.fit(name, room) : this.font?.fitName(name, kind, room)) ?? "";
  }

  private onClick(event: Event): void {
    const frame = frameAt(event);
    if (frame === null) return;
    event.stopPropagation();
    this.leave();
    this.events.pick(frame.data.box);
  }

  private onMenu(event: MouseEvent): void {
    const frame = frameAt(event);
    if (frame === null) return;
    event.preventDefault();
    this.leave();
    this.events.menu(frame.data.box, event.clientX, event.clientY);
  }

  private onPointer(event: PointerEvent): void {
    const frame = frameAt(event);
    if (frame === null) {
      this.leave();
      return;
    }
    if (frame === this.hovered) {
      this.tooltip.follow(event);
      return;
    }
    this.hovered = frame;
    const { box } = frame.data;
    this.tooltip.show(event, this.events.describe(box));
    this.events.hover(box);
  }

  private leave(): void {
    if (this.hovered === null) return;
    this.hovered = null;
    this.tooltip.hide();
    this.events.hover(null);
  }
}

function labelOf(element: Element): Text | null {
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

function frameAt(event: Event): Frame<FlameNode> | null {
  const element = event.target instanceof Element ? event.target.closest("g.frame") : null;
  return element === null ? null : frameOf(element);
}

function frameOf(element: Element): Frame<FlameNode> | null {
  return (element as { __data__?: Frame<FlameNode> }).__data__ ?? null;
}
