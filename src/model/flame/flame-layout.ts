/**
 * Layout of a flame graph's boxes in typed arrays: a drawing may have 30,000 of them, which are too many to be objects.
 *
 *   box    0 … rows − 1     the frames, by row of the answer; 0 is the focus
 *          then             markers, each for the hidden frames below one row
 *          then             ancestors of the focus, the root first, as wide as the drawing
 *   level  0 for the root; an ancestor each, then the focus
 *   place  of a box in `order`: level by level, each from left to right. Boxes below one box follow each other there,
 *          the widest first; truncated stacks and then the marker are last.
 */
import type { FrameColumns, FramesAnswer } from "../../core/types.ts";
import { TRUNCATED } from "../query/truncated.ts";
import { tinyWords } from "../words/answer-words.ts";
import { visible } from "../words/text.ts";
import { type FlameStep, frameName, LABEL_CAP } from "./flame.ts";

export interface FlameLayout {
  answer: FramesAnswer;
  look: LayoutLook;
  /** Frames: the boxes before the first marker. */
  rows: number;
  /** Row of each marker. */
  markers: Uint32Array;
  boxes: number;
  levels: number;
  /** Left edge and width of each box as shares of the drawing. */
  left: Float64Array;
  width: Float64Array;
  level: Uint32Array;
  /** The box that each box hangs from; the outermost one is its own. */
  above: Uint32Array;
  order: Uint32Array;
  place: Uint32Array;
  /** Place of the first box of each level, and after the last level the number of boxes. */
  levelStart: Uint32Array;
  /** Place of the first box below each box, and how many there are. */
  firstBelow: Uint32Array;
  below: Uint32Array;
}

export interface LayoutLook {
  /** Name for the root of the whole tree, which is nameless. */
  rootName: string;
  /** Hidden children get a marker that is at least such a share of the drawing wide; narrower ones stay a gap. */
  markerFrom: number;
  /** Name of row 0, where it is but a part of its frame. */
  part?: string | undefined;
}

export function layOutFlame(answer: FramesAnswer, look: LayoutLook): FlameLayout {
  const { frames, path } = answer;
  const rows = frames.node.length;
  const { first, kids } = childrenOf(frames);
  const whole = frames.total[0] > 0 ? frames.total[0] : 1;
  const { total, hiddenValue } = frames;
  let markers = 0;
  for (let row = 0; row < rows; row++) if (isMarked(hiddenValue[row] / whole, look)) markers++;
  const boxes = rows + markers + path.length;
  const layout: FlameLayout = {
    answer,
    look,
    rows,
    markers: new Uint32Array(markers),
    boxes,
    levels: 0,
    left: new Float64Array(boxes),
    width: new Float64Array(boxes),
    level: new Uint32Array(boxes),
    above: new Uint32Array(boxes),
    order: new Uint32Array(boxes),
    place: new Uint32Array(boxes),
    levelStart: new Uint32Array(boxes + 1),
    firstBelow: new Uint32Array(boxes),
    below: new Uint32Array(boxes),
  };
  placeAncestors(layout);
  const { left, width, level, above, order, place, levelStart, firstBelow, below } = layout;
  let end = path.length + 1;
  let marker = 0;
  for (let at = path.length; at < end; at++) {
    const box = order[at];
    if (at === path.length || level[box] !== level[order[at - 1]]) levelStart[level[box]] = at;
    if (box >= rows) continue;
    firstBelow[box] = end;
    let edge = left[box];
    const hidden = hiddenValue[box] / whole;
    const ends = first[box + 1];
    // The marker comes after the last child. One loop without calls: it runs for every box of a new drawing.
    for (let i = first[box]; i < ends || (i === ends && isMarked(hidden, look)); i++) {
      const next = i < ends ? kids[i] : rows + marker;
      const share = i < ends ? total[next] / whole : hidden;
      if (i === ends) layout.markers[marker++] = box;
      order[end] = next;
      place[next] = end++;
      above[next] = box;
      level[next] = level[box] + 1;
      left[next] = edge;
      width[next] = share;
      edge += share;
    }
    below[box] = end - firstBelow[box];
  }
  layout.levels = level[order[boxes - 1]] + 1;
  layout.levelStart = levelStart.slice(0, layout.levels + 1);
  layout.levelStart[layout.levels] = boxes;
  return layout;
}

/** Whether hidden frames of such a share are wide enough for a marker. */
function isMarked(share: number, { markerFrom }: LayoutLook): boolean {
  return share > 0 && share >= markerFrom;
}

/** The boxes of the path and the focus below them, each a level. */
function placeAncestors({
  answer,
  rows,
  markers,
  left,
  width,
  level,
  above,
  order,
  place,
  ...rest
}: FlameLayout): void {
  const { path } = answer;
  const first = rows + markers.length;
  for (let at = 0; at <= path.length; at++) {
    const box = at < path.length ? first + at : 0;
    order[at] = box;
    place[box] = at;
    level[box] = at;
    left[box] = 0;
    width[box] = 1;
    above[box] = at === 0 ? box : order[at - 1];
    rest.levelStart[at] = at;
    if (at === path.length) continue;
    rest.firstBelow[box] = at + 1;
    rest.below[box] = 1;
  }
}

/**
 * Rows below each row, the widest first and truncated stacks last: those of `row` are kids[first[row]] …
 * kids[first[row + 1] − 1].
 */
function childrenOf({ parent, total, name, names }: FrameColumns): { first: Uint32Array; kids: Uint32Array } {
  const rows = parent.length;
  const first = new Uint32Array(rows + 2);
  // Counted two places further on, so that after the sums each row's place is where its next child goes.
  for (let row = 1; row < rows; row++) first[parent[row] + 2]++;
  for (let row = 2; row < rows + 2; row++) first[row] += first[row - 1];
  const kids = new Uint32Array(Math.max(0, rows - 1));
  for (let row = 1; row < rows; row++) kids[first[parent[row] + 1]++] = row;
  const truncated = names.indexOf(TRUNCATED);
  for (let row = 0; row < rows; row++) {
    if (first[row + 1] - first[row] <= 1) continue;
    const below = kids.subarray(first[row], first[row + 1]);
    widestFirst(below, total);
    if (truncated >= 0) toEnd(below, (kid) => name[kid] === truncated);
  }
  return { first, kids };
}

/** Moves the first row that `isLast` is true for to the end. */
function toEnd(rows: Uint32Array, isLast: (row: number) => boolean): void {
  const at = rows.findIndex(isLast);
  if (at < 0) return;
  const row = rows[at];
  rows.copyWithin(at, at + 1);
  rows[rows.length - 1] = row;
}

function widestFirst(rows: Uint32Array, total: Float64Array): void {
  if (rows.length > 16) {
    rows.sort((a, b) => total[b] - total[a] || a - b);
    return;
  }
  for (let i = 1; i < rows.length; i++) {
    const row = rows[i];
    let at = i;
    for (; at > 0 && total[rows[at - 1]] < total[row]; at--) rows[at] = rows[at - 1];
    rows[at] = row;
  }
}

/** The frame's row, -1 if the box is not a frame. */
export function rowOfBox({ rows }: FlameLayout, box: number): number {
  return box < rows ? box : -1;
}

/** The row whose hidden frames a box is for, -1 for a box that is no marker. */
export function markedRow({ rows, markers }: FlameLayout, box: number): number {
  return box >= rows ? (markers[box - rows] ?? -1) : -1;
}

/** Place of an ancestor in the path, -1 for other boxes. */
export function ancestorOf({ rows, markers, boxes }: FlameLayout, box: number): number {
  return box < boxes ? Math.max(-1, box - rows - markers.length) : -1;
}

/** The box at a level and a share of the drawing's width, -1 where there is none. */
export function boxAt({ levels, levelStart, order, left, width }: FlameLayout, level: number, share: number): number {
  if (level < 0 || level >= levels) return -1;
  let low = levelStart[level];
  let high = levelStart[level + 1];
  // The last box that begins at `share` or before is before `high`.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (left[order[middle]] <= share) low = middle + 1;
    else high = middle;
  }
  const box = order[low - 1];
  return low > levelStart[level] && share < left[box] + width[box] ? box : -1;
}

/**
 * Where a key leads from a box: the box above, the widest below, the neighbours below the same one and the last of
 * them, the focus.
 */
export function stepBox(layout: FlameLayout, box: number, step: FlameStep): number {
  const { above, below, firstBelow, order, place, boxes } = layout;
  if (box >= boxes || step === "home") return 0;
  if (step === "up") return above[box];
  if (above[box] === box && step !== "down") return box;
  if (step === "down") return below[box] > 0 ? order[firstBelow[box]] : box;
  if (step === "end") return order[firstBelow[above[box]] + below[above[box]] - 1] ?? box;
  const to = order[place[box] + (step === "left" ? -1 : 1)] ?? box;
  return place[box] > 0 && above[to] === above[box] && layout.level[to] === layout.level[box] ? to : box;
}

/** The name of a box, safe to show. */
export function boxName(layout: FlameLayout, box: number): string {
  const { answer, look } = layout;
  const { frames, path } = answer;
  const row = markedRow(layout, box);
  if (row >= 0) return tinyWords(frames.hiddenFrames[row], frames.hiddenValue[row], answer.selectionTotal);
  const step = ancestorOf(layout, box);
  if (step >= 0) return ancestorName(path[step], look.rootName);
  return box === 0 && look.part !== undefined ? look.part : frameName(frames, box, look.rootName, LABEL_CAP);
}

function ancestorName({ node, name }: FramesAnswer["path"][number], rootName: string): string {
  if (name === "") return node === 0 ? rootName : "(no name)";
  return visible(name, LABEL_CAP);
}
