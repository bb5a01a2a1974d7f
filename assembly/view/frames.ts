/**
 * The part of the call tree that fits a drawing: the widest nodes below a focus, at most `budget` rows, none below one
 * pixel. Frames in focus = rows + hidden frames; the answer's layout is in frame-answer.ts.
 */
import { Block } from "./block";
import { nodeCount, treeDepth, treeLocation, treeName, treeParent } from "./call-tree";
import {
  finishAnswer,
  frameAnswer,
  hide,
  layOut,
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

const widths: Block = changetype<Block>(memory.data(8, 8));
const candidates: Block = changetype<Block>(memory.data(8, 8));
const rowOf: Block = changetype<Block>(memory.data(8, 8));

export function resetFrames(): void {
  widths.drop();
  candidates.drop();
  rowOf.drop();
}

/**
 * Frames of the current selection below `focus`, for a drawing `width` CSS pixels wide, without the `past` widest of
 * its children: what they leave is then all there is. Returns the answer, which is good until the next call. An unknown
 * focus is taken for the root.
 */
export function visibleFrames(focus: u32, width: f64, budget: u32, past: u32): usize {
  weigh();
  if (focus >= nodeCount) focus = 0;
  let focusTotal = load<i64>(totalAt + ((<usize>focus) << 3));
  measure(focus, focusTotal, i64.MAX_VALUE, 0);
  if (past !== 0) {
    const children = gather(focus, 1, true);
    const limit: i64 = past < children ? <i64>kthLargest(candidates.at, children, past) : 0;
    focusTotal = measure(focus, focusTotal, limit, tiesWithin);
    store<i64>(widths.at + ((<usize>focus) << 3), focusTotal);
  }

  const share = <f64>focusTotal / (width >= 1 ? width : 1);
  let cut: i64 = 1;
  if (share > 1) cut = share < 9.2e18 ? <i64>ceil(share) : i64.MAX_VALUE;
  const found = gather(focus, cut, false);
  const most: u32 = budget > 1 ? budget - 1 : 0;
  let ties: u32 = 0xffff_ffff;
  if (found > most) {
    // Of nodes as wide as the narrowest one shown, those with the lowest numbers: a parent is before its children.
    cut = most === 0 ? i64.MAX_VALUE : <i64>kthLargest(candidates.at, found, most);
    ties = most === 0 ? 0 : tiesWithin;
  }
  candidates.drop();
  layOut(1 + (found < most ? found : most), load<u32>(treeDepth + ((<usize>focus) << 2)) + (past !== 0 ? 1 : 0));
  fill(focus, cut, ties);
  if (past !== 0) writeWeight(0, focusTotal, 0);
  widths.drop();
  rowOf.drop();
  writePath(focus, past !== 0);
  finishAnswer(selectedValue());
  return frameAnswer();
}

/**
 * Width of each node: its total, but never more than its parent's, 0 where there is none to see, -1 outside the focus.
 * With sound weights that is the total; negative ones must not tear a child off its parent. Children of the focus wider
 * than `limit` are outside too, and of those that wide the first `ties`. Returns the widths of the other ones.
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

/** Collects the widths of at least `cut` below the focus, or of its children only. */
function gather(focus: u32, cut: i64, only: bool): u32 {
  let out = candidates.fit((<usize>(nodeCount - focus)) << 3);
  for (let node = focus + 1; node < nodeCount; node++) {
    const width = load<i64>(widths.at + ((<usize>node) << 3));
    if (width < cut || (only && load<u32>(treeParent + ((<usize>node) << 2)) !== focus)) continue;
    store<i64>(out, width);
    out += 8;
  }
  return <u32>((out - candidates.at) >> 3);
}

function writeNode(row: u32, node: u32, parentRow: u32): void {
  const i = (<usize>node) << 2;
  writeRow(row, node, parentRow, load<u32>(treeName + i), load<u32>(treeLocation + i));
  writeWeight(row, load<i64>(totalAt + (i << 1)), load<i64>(selfAt + (i << 1)));
}

/**
 * Writes the rows, and counts what is hidden at the nearest row above it. `rowOf` has, per node, its own row or that
 * row; the node of that row tells which.
 */
function fill(focus: u32, cut: i64, ties: u32): void {
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
    let shown = width > cut;
    if (width === cut && ties !== 0) {
      shown = true;
      ties--;
    }
    if (shown) {
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

/** What is only a part of the focus has the whole of it above. */
function writePath(focus: u32, isPart: bool): void {
  let node = focus;
  let i = load<u32>(treeDepth + ((<usize>focus) << 2));
  if (isPart) i++;
  else node = load<u32>(treeParent + ((<usize>node) << 2));
  while (i > 0) {
    i--;
    writePathRow(i, node, load<u32>(treeName + ((<usize>node) << 2)), load<i64>(totalAt + ((<usize>node) << 3)));
    node = load<u32>(treeParent + ((<usize>node) << 2));
  }
}
