/** Frames of a drawing that are looked for, and the walk from one to the next. */
import { useMemo, useState } from "react";
import { matchingRows, nextMatch } from "../../../model/flame/flame.ts";
import { foldedRows } from "../../../model/flame/fold.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { Drawing } from "../answers/use-frames.ts";
import type { Search } from "./use-search.ts";

export interface Matches {
  /** Rows; null while nothing is looked for. */
  matches: ReadonlySet<number> | null;
  /** The row walked to last; another object, another step. */
  wanted: { row: number } | null;
  /** To the next match (1) or the one before (-1), from a row or from where the last step led. */
  onWalk: (step: number, from?: number) => void;
}

export function useMatches(
  drawing: Drawing | null,
  { expression, answer, found }: Search,
  act: (action: QueryAction) => void,
): Matches {
  const [wanted, setWanted] = useState<{ row: number } | null>(null);
  const matches = useMemo(() => {
    if (drawing === null || expression === null) return null;
    const { fold, answer: drawn, shape } = drawing;
    const { frames } = fold?.before ?? drawn;
    const rows = matchingRows(frames, expression, shape?.lines);
    if (drawing.grouping === "stacks")
      for (const [row, node] of frames.node.entries()) if (found?.has(node) === true) rows.add(row);
    return fold === undefined ? rows : foldedRows(fold, rows);
  }, [drawing, expression, found]);
  const onWalk = (step: number, from = wanted?.row ?? 0) => {
    if (drawing === null || matches === null) return;
    const { node } = drawing.answer.frames;
    // The heaviest matches of the whole tree; in a regrouped graph, those that are drawn.
    const isTree = drawing.grouping === "stacks";
    const next = isTree ? nextMatch([...(answer?.nodes ?? [])], node[from], step) : nextMatch([...matches], from, step);
    if (next === undefined) return;
    const row = isTree ? node.indexOf(next) : next;
    // A match that is hidden, or outside of the zoom, is zoomed to.
    if (row < 0) act({ kind: "focus", node: next });
    else setWanted({ row });
  };
  return { matches, wanted, onWalk };
}
