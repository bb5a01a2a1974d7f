/** A frame of a graph in the words of those who embed it. */
import { namesDownTo } from "../../../model/flame/flame.ts";
import { ancestorOf, type FlameLayout, markedRow, rowOfBox } from "../../../model/flame/flame-layout.ts";
import { rowBefore } from "../../../model/flame/fold.ts";
import type { ShownFrame } from "../../parts/answers/surroundings.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";

/** Whether a row is the one frame of a prefix. */
export function isPrefix({ fold }: Drawing, row: number): boolean {
  return fold?.chains.has(row) === true;
}

/** Names from the topmost frame of an answer down to a row, each of the recorded ones; the root's is "". */
export function namesDown(drawing: Drawing, row: number): string[] {
  const { fold } = drawing;
  const { frames } = fold?.before ?? drawing.answer;
  const below: string[] = [];
  for (let at = fold?.rows[row] ?? row; ; at = frames.parent[at]) {
    below.unshift(frames.names[frames.name[at]] ?? "");
    if (at === 0) break;
  }
  return [...namesAbove(drawing), ...below];
}

/** Ids of the recorded names below the focus down to a row, of a prefix to its first frame. */
export function idsDown({ fold, answer }: Drawing, row: number): number[] {
  return namesDownTo((fold?.before ?? answer).frames, rowBefore(fold, row));
}

/** Names down to an element of the path. */
export function namesToStep({ answer, fold }: Drawing, step: number): string[] {
  return (fold?.before ?? answer).path.slice(0, (fold?.steps[step] ?? step) + 1).map(({ name }) => name);
}

export function shownFrame(drawing: Drawing, layout: FlameLayout, box: number): ShownFrame {
  const { answer, profile, upward } = drawing;
  const { frames, path, selectionTotal: whole } = answer;
  const nameAt = (row: number) => frames.names[frames.name[row]] ?? "";
  const about = { whole, unit: profile.unit, upward };
  const step = ancestorOf(layout, box);
  if (step >= 0) {
    const { name, total } = path[step];
    return { ...about, name, path: named(namesToStep(drawing, step)), total, self: 0 };
  }
  const marked = markedRow(layout, box);
  const row = marked >= 0 ? marked : Math.max(0, rowOfBox(layout, box));
  const all = named(namesDown(drawing, row));
  if (marked >= 0) return { ...about, name: "", path: all, total: frames.hiddenValue[row], self: 0 };
  return { ...about, name: nameAt(row), path: all, total: frames.total[row], self: frames.self[row] };
}

function named(names: string[]): string[] {
  return names[0] === "" ? names.slice(1) : names;
}

/** Names down to the frame that is zoomed to; none without a zoom. */
export function zoomPath(drawing: Drawing): string[] {
  return drawing.answer.path.length === 0 ? [] : named(namesDown(drawing, 0));
}

/** If children of the focus are left out, the path includes the focus (row 0). */
function namesAbove({ answer, fold, past = 0 }: Drawing): string[] {
  const { path } = fold?.before ?? answer;
  return (past === 0 ? path : path.slice(0, -1)).map(({ name }) => name);
}
