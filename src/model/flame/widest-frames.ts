/**
 * The widest frames of a tree that is in memory as a whole. The core answers this to the page; reports have no core.
 */
import * as Limits from "../../../assembly/abi/limits.ts";
import type { FrameColumns, FramesAnswer, PathFrame } from "../../core/types.ts";

export interface Room {
  /** Drawing width in CSS pixels; frames below half a pixel are hidden. */
  width: number;
  /** At most this many rows. */
  budget: number;
}

/** The value of half a pixel, from which on a frame of a drawing of `total` is shown. */
export function leastShown(total: number, width: number): number {
  return total / (Limits.FRAMES_PER_PIXEL * Math.max(1, width));
}

/**
 * The widest frames of the subtree at row `focus`; the frames above the others count them as hidden. In the new answer
 * `node` is the row of the old one, in the path too.
 */
export function widestFrames(answer: FramesAnswer, focus: number, { width, budget }: Room): FramesAnswer {
  const { frames } = answer;
  const rows = frames.node.length;
  const inside = insideOf(frames, focus);
  const least = leastShown(frames.total[focus], width);
  const chosen: number[] = [];
  for (let row = focus; row < rows; row++) if (inside[row] && frames.total[row] >= least) chosen.push(row);
  // A parent weighs at least what its child does and is before it, so it is chosen before it.
  chosen.sort((a, b) => frames.total[b] - frames.total[a] || a - b);
  chosen.length = Math.min(chosen.length, Math.max(1, budget));

  /** By row of the old answer: its row in the new one, -1 where it is hidden. */
  const shown = new Int32Array(rows).fill(-1);
  chosen.forEach((row, at) => {
    shown[row] = at;
  });
  const pick = (column: Float64Array) => Float64Array.from(chosen, (row) => column[row]);
  const columns: FrameColumns = {
    node: Uint32Array.from(chosen),
    parent: Uint32Array.from(chosen, (row) => (row === focus ? 0 : shown[frames.parent[row]])),
    name: Uint32Array.from(chosen, (row) => frames.name[row]),
    frameType: Uint8Array.from(chosen, (row) => frames.frameType[row]),
    total: pick(frames.total),
    self: pick(frames.self),
    hiddenFrames: Uint32Array.from(chosen, (row) => frames.hiddenFrames[row]),
    hiddenValue: pick(frames.hiddenValue),
    ...(frames.inlined !== undefined && { inlined: frames.inlined }),
    ...(frames.library !== undefined && { library: frames.library }),
    names: frames.names,
    nameIds: frames.nameIds,
  };
  /** By row of the old answer: the row in the new one that shows it, or that counts it as hidden. */
  const keeper = new Int32Array(rows);
  let framesInFocus = 0;
  for (let row = focus; row < rows; row++) {
    if (!inside[row]) continue;
    framesInFocus += 1 + frames.hiddenFrames[row];
    const above = frames.parent[row];
    keeper[row] = shown[row] >= 0 ? shown[row] : keeper[above];
    if (shown[row] >= 0) continue;
    columns.hiddenFrames[keeper[row]] += 1 + frames.hiddenFrames[row];
    // What is further down is part of its parent's value.
    if (shown[above] >= 0) columns.hiddenValue[keeper[row]] += frames.total[row];
  }
  return {
    frames: columns,
    path: pathTo(answer, focus),
    selectionTotal: answer.selectionTotal,
    framesInFocus,
    hiddenValue: columns.hiddenValue.reduce((sum, value) => sum + value, 0),
    hiddenFrames: columns.hiddenFrames.reduce((sum, count) => sum + count, 0),
  };
}

/** Whether each row is `focus` or below it; parents are before their children. */
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
