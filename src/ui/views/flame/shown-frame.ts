/** A frame of a graph in the words of those who embed it. */
import { ancestorOf, type FlameLayout, markedRow, rowOfBox } from "../../../model/flame/flame-layout.ts";
import type { ShownFrame } from "../../parts/answers/surroundings.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";

export function shownFrame(drawing: Drawing, layout: FlameLayout, box: number): ShownFrame {
  const { answer, profile, upward } = drawing;
  const { frames, path, selectionTotal: whole } = answer;
  const nameAt = (row: number) => frames.names[frames.name[row]] ?? "";
  const about = { whole, unit: profile.unit, upward };
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
  const all = named([...namesAbove(drawing), ...below]);
  if (marked >= 0) return { ...about, name: "", path: all, total: frames.hiddenValue[row], self: 0 };
  return { ...about, name: nameAt(row), path: all, total: frames.total[row], self: frames.self[row] };
}

function named(names: string[]): string[] {
  return names[0] === "" ? names.slice(1) : names;
}

/** Names down to the frame that is zoomed to; none without a zoom. */
export function zoomPath(drawing: Drawing): string[] {
  const { frames, path } = drawing.answer;
  return path.length === 0 ? [] : named([...namesAbove(drawing), frames.names[frames.name[0]] ?? ""]);
}

/** If children of the focus are left out, the path includes the focus (row 0). */
function namesAbove({ answer: { path }, past = 0 }: Drawing): string[] {
  return (past === 0 ? path : path.slice(0, -1)).map(({ name }) => name);
}
