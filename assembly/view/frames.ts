/**
 * The part of the call tree that a drawing shows: all nodes below a focus that are at least half a pixel wide. Frames
 * in focus = rows + hidden frames; the answer's layout is in frame-answer.ts.
 */
import * as Limits from "../abi/limits";
import { Block } from "./block";
import { nodeCount, treeDepth, treeLocation, treeName, treeParent } from "./call-tree";
import {
  finishAnswer,
  frameAnswer,
  hide,
  layOut,
  nameAtLocation,
  nodeOfRow,
  writePathRow,
  writeRow,
  writeWeight,
} from "./frame-answer";
import { kthLargest, tiesWithin } from "./order";
import { selectedValue } from "./selection";
import { selfAt, totalAt, weigh } from "./weights";

/** `row` of a node outside the focus. */
const OUTSIDE: u32 = 0xffff_ffff;

const widths: Block = changetype<Block>(memory.data(16, 4));
const candidates: Block = changetype<Block>(memory.data(16, 4));
/** u32 per level of the tree: its nodes that are wide enough. */
const levels: Block = changetype<Block>(memory.data(16, 4));
const rowOf: Block = changetype<Block>(memory.data(16, 4));

/** The least value that is half a pixel wide in a drawing of `total`; never 0, which has no width. */
export function leastShown(total: i64, width: f64): i64 {
  const share = <f64>total / ((width >= 1 ? width : 1) * Limits.FRAMES_PER_PIXEL);
  if (share > 1) return share < 9.2e18 ? <i64>ceil(share) : i64.MAX_VALUE;
  return 1;
}

/**
 * Frames of the current selection below `focus`, for a drawing `width` CSS pixels wide, without the `past` widest of
 * its children: the others then fill the drawing. Returns the answer, which is valid until the next call. If the focus
 * is unknown, the root is used.
 */
export function visibleFrames(focus: u32, width: f64, past: u32): usize {
  weigh();
  return shownFrames(focus, width, past);
}

/** `visibleFrames` of the weights that `selfAt` and `totalAt` point to. */
export function shownFrames(focus: u32, width: f64, past: u32): usize {
  if (focus >= nodeCount) focus = 0;
  let focusTotal = load<i64>(totalAt + ((<usize>focus) << 3));
  measure(focus, focusTotal, i64.MAX_VALUE, 0);
  if (past !== 0) {
    const children = gather(focus);
    const limit: i64 = past < children ? <i64>kthLargest(candidates.at, children, past) : 0;
    candidates.drop();
    focusTotal = measure(focus, focusTotal, limit, tiesWithin);
    store<i64>(widths.at + ((<usize>focus) << 3), focusTotal);
  }

  const cut = leastShown(focusTotal, width);
  const deepest = chooseLevels(focus, cut);
  layOut(chosen, load<u32>(treeDepth + ((<usize>focus) << 2)) + (past !== 0 ? 1 : 0));
  fill(focus, cut, deepest);
  if (past !== 0) writeWeight(0, focusTotal, 0);
  widths.drop();
  rowOf.drop();
  writePath(focus, past !== 0);
  finishAnswer(selectedValue());
  return frameAnswer();
}

/**
 * Width of each node: its total, but never more than its parent's, 0 if nothing is visible, -1 outside the focus. With
 * valid weights that is the total; negative ones must not tear a child off its parent. Children of the focus wider than
 * `limit` are outside too, and so are the first `ties` of those that are exactly that wide. Returns the widths of the
 * other ones.
 */
function measure(focus: u32, focusTotal: i64, limit: i64, ties: u32): i64 {
  const at = widths.fit((<usize>nodeCount) << 3);
  let sum: i64 = 0;
  store<i64>(at + ((<usize>focus) << 3), max<i64>(focusTotal, 0));
  for (let node = focus + 1; node < nodeCount; node++) {
    const parent = load<u32>(treeParent + ((<usize>node) << 2));
    let width: i64 = parent < focus ? -1 : load<i64>(at + ((<usize>parent) << 3));
    if (width > 0) {
      const total = load<i64>(totalAt + ((<usize>node) << 3));
      if (total < width) width = max<i64>(total, 0);
      if (parent === focus) {
        if (width > limit || (width === limit && ties !== 0)) {
          if (width === limit) ties--;
          width = -1;
        } else {
          sum += width;
        }
      }
    }
    store<i64>(at + ((<usize>node) << 3), width);
  }
  return sum;
}

/** Collects the widths of the children of the focus. */
function gather(focus: u32): u32 {
  let out = candidates.fit((<usize>(nodeCount - focus)) << 3);
  for (let node = focus + 1; node < nodeCount; node++) {
    if (load<u32>(treeParent + ((<usize>node) << 2)) !== focus) continue;
    const width = load<i64>(widths.at + ((<usize>node) << 3));
    if (width < 1) continue;
    store<i64>(out, width);
    out += 8;
  }
  return <u32>((out - candidates.at) >> 3);
}

/** Rows that the levels chosen last have, the focus among them. */
let chosen: u32 = 0;

/** The deepest level that is shown: any, unless the rows were more than Limits.MAX_FRAMES. */
function chooseLevels(focus: u32, cut: i64): u32 {
  chosen = 1;
  for (let node = focus + 1; node < nodeCount; node++) {
    if (load<i64>(widths.at + ((<usize>node) << 3)) >= cut) chosen++;
  }
  return chosen <= <u32>Limits.MAX_FRAMES ? 0xffff_ffff : cutLevels(focus, cut);
}

/** Leaves out the deepest levels: of stacks that are all alike this shows the upper part of each. */
function cutLevels(focus: u32, cut: i64): u32 {
  const at = levels.zeroed((<usize>nodeCount) << 2);
  for (let node = focus + 1; node < nodeCount; node++) {
    if (load<i64>(widths.at + ((<usize>node) << 3)) < cut) continue;
    const q = at + ((<usize>load<u32>(treeDepth + ((<usize>node) << 2))) << 2);
    store<u32>(q, load<u32>(q) + 1);
  }
  chosen = 1;
  let level = load<u32>(treeDepth + ((<usize>focus) << 2));
  while (chosen + load<u32>(at + ((<usize>(level + 1)) << 2)) <= <u32>Limits.MAX_FRAMES) {
    level++;
    chosen += load<u32>(at + ((<usize>level) << 2));
  }
  levels.drop();
  return level;
}

function writeNode(row: u32, node: u32, parentRow: u32): void {
  const i = (<usize>node) << 2;
  writeRow(row, node, parentRow, load<u32>(treeName + i), load<u32>(treeLocation + i));
  writeWeight(row, load<i64>(totalAt + (i << 1)), load<i64>(selfAt + (i << 1)));
}

/**
 * Writes the rows, and counts hidden frames at the nearest row above them. `rowOf` has, per node, its own row or that
 * row; the node of that row distinguishes the two.
 */
function fill(focus: u32, cut: i64, deepest: u32): void {
  const rowAt = rowOf.fit((<usize>nodeCount) << 2);
  store<u32>(rowAt + ((<usize>focus) << 2), 0);
  writeNode(0, focus, 0);
  let rows: u32 = 1;
  for (let node = focus + 1; node < nodeCount; node++) {
    const width = load<i64>(widths.at + ((<usize>node) << 3));
    if (width < 0) {
      store<u32>(rowAt + ((<usize>node) << 2), OUTSIDE);
      continue;
    }
    const parent = load<u32>(treeParent + ((<usize>node) << 2));
    const row = load<u32>(rowAt + ((<usize>parent) << 2));
    if (width >= cut && load<u32>(treeDepth + ((<usize>node) << 2)) <= deepest) {
      store<u32>(rowAt + ((<usize>node) << 2), rows);
      writeNode(rows, node, row);
      rows++;
      continue;
    }
    store<u32>(rowAt + ((<usize>node) << 2), row);
    const total = load<i64>(totalAt + ((<usize>node) << 3));
    if (total !== 0) hide(row, 1, nodeOfRow(row) === parent ? total : 0);
  }
}

/** If the answer is a part of the focus, the path ends with the whole focus. */
function writePath(focus: u32, isPart: bool): void {
  let node = focus;
  let i = load<u32>(treeDepth + ((<usize>focus) << 2));
  if (isPart) i++;
  else node = load<u32>(treeParent + ((<usize>node) << 2));
  while (i > 0) {
    i--;
    const j = (<usize>node) << 2;
    writePathRow(
      i,
      node,
      nameAtLocation(load<u32>(treeName + j), load<u32>(treeLocation + j)),
      load<i64>(totalAt + ((<usize>node) << 3)),
    );
    node = load<u32>(treeParent + ((<usize>node) << 2));
  }
}
