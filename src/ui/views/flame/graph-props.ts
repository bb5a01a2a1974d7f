/** Props of a flame graph. */
import type { ReactNode } from "react";
import type { FrameDetail } from "../../../model/flame/detail.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { Shape } from "../../../model/query/shape.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";
import type { FlameScene, GraphView } from "./renderer.ts";

export interface FlameGraphProps extends Pick<FlameScene, "matches" | "tones"> {
  view: GraphView;
  label: string;
  drawing: Drawing;
  rootName: string;
  /** The focus is at the bottom, what hangs from it above. */
  up: boolean;
  /** Words about a row where they are not its value; null for the usual. */
  wordsOf?: ((row: number) => FrameDetail | null) | undefined;
  /** A row that becomes current, asked for from outside the graph; another object is another request. */
  wanted: { row: number } | null;
  shape: Shape;
  act: (action: QueryAction) => void;
  onZoom: (row: number) => void;
  /**
   * To the hidden frames beside the given number of shown ones, directly below the focus; absent where they cannot be
   * shown.
   */
  onPast?: ((shown: number) => void) | undefined;
  /** Out to an ancestor, by its place in the answer's path. */
  onOut: (step: number) => void;
  /** To the next match (1) or the one before (-1), from a row. */
  onWalk: (step: number, from: number) => void;
  /** In the line below the graph, after the words about a frame. */
  children?: ReactNode;
}

/** Height of a level of the flame graph in CSS pixels. */
export const CELL_PX = 20;
