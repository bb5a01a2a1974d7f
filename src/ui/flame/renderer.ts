/** What the page needs of a flame graph. Another way of drawing (a canvas) is another implementation. */
import type { Tone } from "../../model/colour.ts";
import type { FlameTree } from "../../model/flame.ts";

/** Everything for one drawing. */
export interface FlameScene {
  tree: FlameTree;
  /** CSS pixels. */
  width: number;
  dark: boolean;
  /** Level of the focus in the whole tree, 1 for the root: what assistive technology is told. */
  level: number;
  /** Rows to highlight; null while nothing is looked for. */
  matches: ReadonlySet<number> | null;
  /** Colour of a row where it is not that of its package. */
  toneOf?: ((row: number) => Tone | null) | undefined;
}

export interface FlameEvents {
  /** A frame was clicked; a fold marker counts as the frame that hides something. */
  pick(row: number): void;
  /** The pointer is on a frame, or on none. */
  hover(row: number | null): void;
  /** Lines of the tooltip, the name first. */
  describe(row: number): string[];
}

export interface FlameRenderer {
  render(scene: FlameScene): void;
  /** Outlines the current frame and scrolls it into view if asked; answers the id of its element. */
  mark(row: number, reveal: boolean): string | null;
  destroy(): void;
}

/** `up`: the root is at the bottom. */
export type CreateFlameRenderer = (host: HTMLElement, up: boolean, events: FlameEvents) => FlameRenderer;
