/** The frame of the graph's current box, as keys and menu act on it. */
import { ancestorOf, type FlameLayout, markedRow, rowOfBox } from "../../../model/flame/flame-layout.ts";
import { type FunctionAction, functionAction } from "../../../model/flame/frame-actions.ts";
import { FRAME_TYPES } from "../../../model/flame/frame-types.ts";
import { rootFrameFilter, rootLevelOf } from "../../../model/flame/run-frame.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import { functionOf, shapeKey } from "../../../model/query/shape.ts";
import type { DetailedFrames } from "../../parts/answers/surroundings.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";
import { namesDown, namesToStep, shownFrame } from "./shown-frame.ts";

export interface CurrentFrame {
  /** The row of a frame, for a marker the one above it; 0 for an ancestor. */
  row: number;
  /** Enter leads somewhere. */
  opens: boolean;
  /** Of its function; "" where it is a marker or the name is not known. */
  name: string;
  /** From the root to the frame, as text. */
  stack: () => string;
  perform: (action: FunctionAction) => void;
  /** Filters by a root frame; null for any other frame. */
  filter: (() => void) | null;
  /** Enter opens a run of frames. */
  isRun: boolean;
}

/**
 * The frames of calls behind a box: those with its path, or where the tree is not that of the calls (callers, a changed
 * tree) those of its function.
 */
export function detailedFrames(drawing: Drawing, layout: FlameLayout, box: number): DetailedFrames {
  const { shape, upward } = drawing;
  const { path } = shownFrame(drawing, layout, box);
  if (upward === false && shapeKey(shape) === "") return { names: path, rooted: true };
  const name = path.at(-1);
  return { names: name === undefined ? [] : [functionOf(name, shape?.lines === true)], rooted: false };
}

export function currentFrame(
  drawing: Drawing,
  layout: FlameLayout,
  box: number,
  canPass: boolean,
  act: (action: QueryAction) => void,
): CurrentFrame {
  const { answer, shape, profile, upward } = drawing;
  const { frames, path } = answer;
  const step = ancestorOf(layout, box);
  const marked = markedRow(layout, box);
  const row = marked >= 0 ? marked : Math.max(0, rowOfBox(layout, box));
  const own = step >= 0 ? path[step].name : (frames.names[frames.name[row]] ?? "");
  const roots = shape?.roots ?? [];
  const level = marked >= 0 ? -1 : rootLevelOf(answer, step, row, roots.length, upward);
  const root = rootFrameFilter(roots[level], own, profile);
  const isRun = step < 0 && FRAME_TYPES[frames.frameType[row]] === "run";
  const name = marked >= 0 || level >= 0 || isRun ? "" : functionOf(own, shape?.lines === true);
  return {
    row,
    isRun: isRun && upward === false,
    opens: step >= 0 || row > 0 || (marked === 0 && canPass),
    name,
    stack: () => {
      const names = step >= 0 ? namesToStep(drawing, step) : namesDown(drawing, row);
      return names
        .filter((each) => each !== "")
        .toReversed()
        .join("\n");
    },
    perform: (action) => {
      const change = functionAction(action, name);
      if (change !== null) act(change);
    },
    filter: root && (() => act({ kind: "add", chip: root })),
  };
}
