/** The zoom of the flame graph: into a frame, to hidden frames, and out to an ancestor. */
import { useCallback } from "react";
import { namesDownTo } from "../../model/flame/flame.ts";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { Drawing } from "./use-frames.ts";

export function useZoom(
  drawing: Drawing | null,
  { focus, past, path, grouping }: QueryState,
  act: (action: QueryAction) => void,
) {
  const onZoom = useCallback(
    (row: number) => {
      if (drawing === null) return;
      const { frames } = drawing.answer;
      if (drawing.grouping === "stacks") act({ kind: "focus", node: frames.node[row] });
      else act({ kind: "path", path: [...path, ...namesDownTo(frames, row)] });
    },
    [drawing, path, act],
  );
  const onPast = useCallback(
    (shown: number) => {
      if (grouping === "callers") {
        // The tops of all stacks: the table has them, by the same figures.
        act({ kind: "top", top: { sort: "self", reversed: false, found: false } });
        act({ kind: "view", view: "top" });
      } else if (shown === 0) {
        // If every frame is narrower than half a pixel there is no picture: the frames are in a table.
        act({ kind: "view", view: "tree" });
      } else act({ kind: "focus", node: focus, past: past + shown });
    },
    [focus, past, grouping, act],
  );
  /** Out to an ancestor by its place in the breadcrumb. */
  const onOut = useCallback(
    (step: number) => {
      if (drawing === null) return;
      if (drawing.grouping === "stacks") act({ kind: "focus", node: drawing.answer.path[step].node });
      else act({ kind: "path", path: path.slice(0, step) });
    },
    [drawing, path, act],
  );
  return { onZoom, onPast, onOut };
}
