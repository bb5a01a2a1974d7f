/** Many frames held at once, of which a drawing shows some: what the core does for the page, for what has no core. */
import type { FrameColumns, FramesAnswer, PathFrame } from "../../core/types.ts";

export interface Room {
  /** Drawing width in CSS pixels; frames below one pixel are folded. */
  width: number;
  /** At most this many rows. */
  budget: number;
}

/**
 * The widest frames of the subtree at row `focus`, the rest folded into the frames above them. In the new answer `node` is
 * the row of the old one, in the path too.
 */
export function foldTo(answer: FramesAnswer, focus: number, { width, budget }: Room): FramesAnswer {
  const { frames } = answer;
  const rows = frames.node.length;
  const inside = insideOf(frames, focus);
  const least = frames.total[focus] / Math.max(1, width);
  const chosen: number[] = [];
  for (let row = focus; row < rows; row++) if (inside[row] && frames.total[row] >= least) chosen.push(row);
  // A parent weighs at least what its child does and stands before it, so it is chosen before it.
  chosen.sort((a, b) => frames.total[b] - frames.total[a] || a - b);
  chosen.length = Math.min(chosen.length, Math.max(1, budget));

  /** By row of the old answer: its row in the new one, -1 where it is folded. */
  const shown = new Int32Array(rows).fill(-1);
  chosen.forEach((row, at) => {
    shown[row] = at;
  });
  const pick = (column: Float64Array) => Float64Array.from(chosen, (row) => column[row]);
  const folded: FrameColumns = {
    node: Uint32Array.from(chosen),
    parent: Uint32Array.from(chosen, (row) => (row === focus ? 0 : shown[frames.parent[row]])),
    name: Uint32Array.from(chosen, (row) => frames.name[row]),
    frameType: Uint8Array.from(chosen, (row) => frames.frameType[row]),
    total: pick(frames.total),
    self: pick(frames.self),
    foldedFrames: Uint32Array.from(chosen, (row) => frames.foldedFrames[row]),
    foldedValue: pick(frames.foldedValue),
    names: frames.names,
    nameIds: frames.nameIds,
  };
  /** By row of the old answer: the row in the new one that shows it, or that it is folded into. */
  const keeper = new Int32Array(rows);
  let framesInFocus = 0;
  for (let row = focus; row < rows; row++) {
    if (!inside[row]) continue;
    framesInFocus += 1 + frames.foldedFrames[row];
    const above = frames.parent[row];
    keeper[row] = shown[row] >= 0 ? shown[row] : keeper[above];
    if (shown[row] >= 0) continue;
    folded.foldedFrames[keeper[row]] += 1 + frames.foldedFrames[row];
    // What is further down is part of its parent's value.
    if (shown[above] >= 0) folded.foldedValue[keeper[row]] += frames.total[row];
  }
  return {
    frames: folded,
    path: pathTo(answer, focus),
    selectionTotal: answer.selectionTotal,
    framesInFocus,
    foldedValue: folded.foldedValue.reduce((sum, value) => sum + value, 0),
    foldedFrames: folded.foldedFrames.reduce((sum, count) => sum + count, 0),
  };
}

/** Whether each row is `focus` or below it; parents stand before their children. */
function insideOf({ parent }: FrameColumns, focus: number): Uint8Array {
  const inside = new Uint8Array(parent.length);
  inside[focus] = 1;
  for (let row = focus + 1; row < parent.length; row++) inside[row] = inside[parent[row]];
  return inside;
}

function pathTo({ frames }: FramesAnswer, focus: number): PathFrame[] {
  const path: PathFrame[] = [];
  for (let row = focus; row !== 0; ) {
    row = frames.parent[row];
    path.unshift({ node: row, name: frames.names[frames.name[row]], total: frames.total[row] });
  }
  return path;
}

/** What goes through any of the rows, nested ones counted once. */
export function valueThrough({ parent, total }: FrameColumns, rows: ReadonlySet<number>): number {
  const covered = new Uint8Array(parent.length);
  let value = 0;
  for (let row = 0; row < parent.length; row++) {
    const above = row > 0 && covered[parent[row]] === 1;
    if (!above && rows.has(row)) value += total[row];
    covered[row] = above || rows.has(row) ? 1 : 0;
  }
  return value;
}
