/** Tells the surroundings of a graph which of its frames is the current one. */
import { useEffect } from "react";
import { ancestorOf, type FlameLayout, markedRow, rowOfBox } from "../../model/flame/flame-layout.ts";
import { type ShownFrame, useSurroundings } from "../surroundings.ts";
import type { Drawing } from "./use-frames.ts";

export function useToldFrame(drawing: Drawing, layout: FlameLayout, box: number): void {
  const { onFrame } = useSurroundings();
  useEffect(() => {
    // A layout belongs to its drawing; for a moment there may be the layout of another one.
    if (layout.answer === drawing.answer) onFrame?.(shownFrame(drawing, layout, box));
  }, [onFrame, drawing, layout, box]);
}

export function shownFrame(
  { answer, profile, upward, past = 0 }: Drawing,
  layout: FlameLayout,
  box: number,
): ShownFrame {
  const { frames, path, selectionTotal: whole } = answer;
  // Where some of the focus' children are left out, the path ends with the focus, which is row 0 as well.
  const above = (past === 0 ? path : path.slice(0, -1)).map(({ name }) => name);
  const nameAt = (row: number) => frames.names[frames.name[row]] ?? "";
  const zoomed = path.length === 0 ? [] : named([...above, nameAt(0)]);
  const about = { zoomed, whole, unit: profile.unit, upward };
  const step = ancestorOf(layout, box);
  if (step >= 0) {
    const { name, total } = path[step];
    return { ...about, name, path: named(path.slice(0, step + 1).map((frame) => frame.name)), total, self: 0 };
  }
  const marked = markedRow(layout, box);
  const row = marked >= 0 ? marked : Math.max(0, rowOfBox(layout, box));
  const below: string[] = [];
  for (let at = row; ; at = frames.parent[at]) {
    below.unshift(nameAt(at));
    if (at === 0) break;
  }
  const all = named([...above, ...below]);
  if (marked >= 0) return { ...about, name: "", path: all, total: frames.hiddenValue[row], self: 0 };
  return { ...about, name: nameAt(row), path: all, total: frames.total[row], self: frames.self[row] };
}

function named(names: string[]): string[] {
  return names[0] === "" ? names.slice(1) : names;
}
