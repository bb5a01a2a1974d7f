/** The interface of a flame graph renderer. Another way of drawing is another implementation. */
import type { FlameLayout } from "../../../model/flame/flame-layout.ts";

/** Everything for one drawing. */
export interface FlameScene {
  layout: FlameLayout;
  /** CSS pixels. */
  width: number;
  dark: boolean;
  /** Rows to highlight; null while nothing is looked for. */
  matches: ReadonlySet<number> | null;
  /** Colour of each row, by its number in TONES. */
  tones: Uint8Array;
}

export interface FlameEvents {
  /** A box was clicked: a frame, a marker of hidden frames, or an ancestor of the focus. */
  pick(box: number): void;
  /** Its menu was asked for, at this place of the window. */
  menu(box: number, x: number, y: number): void;
  /** The pointer is on a box, or outside of all boxes. */
  hover(box: number | null): void;
  /** Name and main figures of a box, for the tooltip: a line each, or a bar. */
  tip(box: number): (string | Node)[];
  /** All figures of a box in one line, for assistive technology. */
  describe(box: number): string;
}

export interface FlameRenderer {
  render(scene: FlameScene): void;
  /** Outlines the current box and scrolls it into view if asked; answers the id of its element. */
  mark(box: number, reveal: boolean): string | null;
  /** Adds a line to the tooltip, if the pointer is still on the box. */
  tell(box: number, line: string | Node): void;
  destroy(): void;
}

/** Elements of the page: `host` is scrolled by the element around it, and `minimap` is beside that. */
export interface FlamePlaces {
  host: HTMLElement;
  minimap: HTMLElement;
  /** Graphs of one view have about the same height. */
  view: GraphView;
}

export type GraphView = "flame" | "diff" | "sandwich";

/** `up`: the root is at the bottom. */
export type CreateFlameRenderer = (places: FlamePlaces, up: boolean, events: FlameEvents) => FlameRenderer;
