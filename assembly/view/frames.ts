/**
 * The part of the call tree that fits a drawing: the widest nodes below a focus, at most `budget` rows, none below one
 * pixel. What is left out is counted at the row it hangs from.
 *
 *   answer | rows | path rows | frames in focus | folded frames |                        u32 each
 *          | selection total | folded value |                                            f64 each
 *          | node | parent | name | frame type | total | self | folded frames | folded value | path | 0 |   pointers, u32
 *
 *   columns over rows   node, parent (a row), name (a string index), folded frames: u32 · frame type: u8
 *                       total, self, folded value: f64
 *   path row            | node u32 | name u32 | total f64 |     root first, up to the parent of the focus
 *
 * Parents stand before children; row 0 is the focus and its own parent. For every row
 * total = self + totals of its rows + folded value. Frames in focus = rows + folded frames.
 */

import { LOCATION_FRAME_TYPE, locations } from "../store/tables";
import { Block } from "./block";
import { nodeCount, treeDepth, treeLocation, treeName, treeParent } from "./call-tree";
import { kthLargest, tiesWithin } from "./order";
import { selectedValue } from "./selection";
import { selfAt, totalAt, weigh } from "./weights";

const ROWS: usize = 0;
const PATH_ROWS: usize = 4;
const FRAMES_IN_FOCUS: usize = 8;
const FOLDED_FRAMES: usize = 12;
const SELECTION_TOTAL: usize = 16;
const FOLDED_VALUE: usize = 24;
const AT_NODE: usize = 32;
const AT_PARENT: usize = 36;
const AT_NAME: usize = 40;
const AT_FRAME_TYPE: usize = 44;
const AT_TOTAL: usize = 48;
const AT_SELF: usize = 52;
const AT_FOLDED_FRAMES: usize = 56;
const AT_FOLDED_VALUE: usize = 60;
const AT_PATH: usize = 64;
const HEADER: usize = 72;

/** `row` of a node outside the focus. */
const OUTSIDE: u32 = 0xffff_ffff;

const answer: Block = changetype<Block>(memory.data(8, 8));
const widths: Block = changetype<Block>(memory.data(8, 8));
const candidates: Block = changetype<Block>(memory.data(8, 8));
const rowOf: Block = changetype<Block>(memory.data(8, 8));

export function resetFrames(): void {
  answer.forget();
  widths.forget();
  candidates.forget();
  rowOf.forget();
}

/**
 * Frames of the current selection below `focus`, for a drawing `width` CSS pixels wide. Returns the answer, which is
 * good until the next call. An unknown focus is taken for the root.
 */
export function visibleFrames(focus: u32, width: f64, budget: u32): usize {
  weigh();
  if (focus >= nodeCount) focus = 0;
  const focusTotal = load<i64>(totalAt + ((<usize>focus) << 3));
  measure(focus, focusTotal);

  const share = <f64>focusTotal / (width >= 1 ? width : 1);
  let cut: i64 = 1;
  if (share > 1) cut = share < 9.2e18 ? <i64>ceil(share) : i64.MAX_VALUE;
  const found = gather(focus, cut);
  const most: u32 = budget > 1 ? budget - 1 : 0;
  let ties: u32 = 0xffff_ffff;
  if (found > most) {
    // Of nodes as wide as the narrowest one shown, those with the lowest numbers: a parent is before its children.
    cut = most === 0 ? i64.MAX_VALUE : <i64>kthLargest(candidates.at, found, most);
    ties = most === 0 ? 0 : tiesWithin;
  }
  candidates.drop();
  layOut(focus, 1 + (found < most ? found : most));
  fill(focus, cut, ties);
  widths.drop();
  rowOf.drop();
  writePath(focus);
  return answer.at;
}

/**
 * Width of each node: its total, but never more than its parent's, 0 where there is none to see, -1 outside the focus.
 * With sound weights that is the total; negative ones must not tear a child off its parent.
 */
function measure(focus: u32, focusTotal: i64): void {
  const at = widths.fit((<usize>nodeCount) << 3);
  store<i64>(at + ((<usize>focus) << 3), max<i64>(focusTotal, 0));
  for (let node = focus + 1; node < nodeCount; node++) {
    const parent = load<u32>(treeParent + ((<usize>node) << 2));
    let width: i64 = parent < focus ? -1 : load<i64>(at + ((<usize>parent) << 3));
    if (width > 0) {
      const total = load<i64>(totalAt + ((<usize>node) << 3));
      if (total < width) width = max<i64>(total, 0);
    }
    store<i64>(at + ((<usize>node) << 3), width);
  }
}

/** Collects the widths of at least `cut` below the focus. */
function gather(focus: u32, cut: i64): u32 {
  const end = widths.at + ((<usize>nodeCount) << 3);
  let out = candidates.fit((<usize>(nodeCount - focus)) << 3);
  for (let p = widths.at + ((<usize>focus + 1) << 3); p < end; p += 8) {
    const width = load<i64>(p);
    if (width < cut) continue;
    store<i64>(out, width);
    out += 8;
  }
  return <u32>((out - candidates.at) >> 3);
}

/** Makes the answer block: columns of 8 bytes first, so that all are aligned. */
function layOut(focus: u32, rows: u32): void {
  const depth = load<u32>(treeDepth + ((<usize>focus) << 2));
  const wide = (<usize>rows) << 3;
  const narrow = (<usize>rows) << 2;
  const at = answer.fit(HEADER + wide * 3 + ((<usize>depth) << 4) + narrow * 4 + rows);
  let p = at + HEADER;
  store<u32>(at, rows, ROWS);
  store<u32>(at, depth, PATH_ROWS);
  store<u32>(at, <u32>p, AT_TOTAL);
  p += wide;
  store<u32>(at, <u32>p, AT_SELF);
  p += wide;
  store<u32>(at, <u32>p, AT_FOLDED_VALUE);
  p += wide;
  store<u32>(at, <u32>p, AT_PATH);
  p += (<usize>depth) << 4;
  store<u32>(at, <u32>p, AT_NODE);
  p += narrow;
  store<u32>(at, <u32>p, AT_PARENT);
  p += narrow;
  store<u32>(at, <u32>p, AT_NAME);
  p += narrow;
  store<u32>(at, <u32>p, AT_FOLDED_FRAMES);
  p += narrow;
  store<u32>(at, <u32>p, AT_FRAME_TYPE);
  store<u32>(at, 0, AT_PATH + 4);
}

function writeRow(row: u32, node: u32, parentRow: u32): void {
  const at = answer.at;
  const narrow = (<usize>row) << 2;
  const wide = (<usize>row) << 3;
  store<u32>(<usize>load<u32>(at, AT_NODE) + narrow, node);
  store<u32>(<usize>load<u32>(at, AT_PARENT) + narrow, parentRow);
  store<u32>(<usize>load<u32>(at, AT_NAME) + narrow, load<u32>(treeName + ((<usize>node) << 2)));
  store<u32>(<usize>load<u32>(at, AT_FOLDED_FRAMES) + narrow, 0);
  store<f64>(<usize>load<u32>(at, AT_TOTAL) + wide, <f64>load<i64>(totalAt + ((<usize>node) << 3)));
  store<f64>(<usize>load<u32>(at, AT_SELF) + wide, <f64>load<i64>(selfAt + ((<usize>node) << 3)));
  store<i64>(<usize>load<u32>(at, AT_FOLDED_VALUE) + wide, 0);
  const type = locations.get(load<u32>(treeLocation + ((<usize>node) << 2)), LOCATION_FRAME_TYPE);
  store<u8>(<usize>load<u32>(at, AT_FRAME_TYPE) + row, type <= 3 ? type : 0);
}

/**
 * Writes the rows, and counts what is hidden at the nearest row above it. `rowOf` has, per node, its own row or that
 * row; the node of that row tells which. Folded values are summed as i64 in place and turned into f64 at the end.
 */
function fill(focus: u32, cut: i64, ties: u32): void {
  const at = answer.at;
  const atNode = <usize>load<u32>(at, AT_NODE);
  const foldedFrames = <usize>load<u32>(at, AT_FOLDED_FRAMES);
  const foldedValue = <usize>load<u32>(at, AT_FOLDED_VALUE);
  const rowAt = rowOf.fit((<usize>nodeCount) << 2);
  store<u32>(rowAt + ((<usize>focus) << 2), 0);
  writeRow(0, focus, 0);
  let rows: u32 = 1;
  let hidden: u32 = 0;
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
      writeRow(rows, node, row);
      rows++;
      continue;
    }
    store<u32>(rowAt + ((<usize>node) << 2), row);
    const total = load<i64>(totalAt + ((<usize>node) << 3));
    if (total === 0) continue;
    hidden++;
    const count = foldedFrames + ((<usize>row) << 2);
    store<u32>(count, load<u32>(count) + 1);
    if (load<u32>(atNode + ((<usize>row) << 2)) !== parent) continue;
    const sum = foldedValue + ((<usize>row) << 3);
    store<i64>(sum, load<i64>(sum) + total);
  }

  let folded: i64 = 0;
  for (let p = foldedValue; p < foldedValue + ((<usize>rows) << 3); p += 8) {
    const value = load<i64>(p);
    folded += value;
    store<f64>(p, <f64>value);
  }
  store<u32>(at, rows + hidden, FRAMES_IN_FOCUS);
  store<u32>(at, hidden, FOLDED_FRAMES);
  store<f64>(at, <f64>selectedValue(), SELECTION_TOTAL);
  store<f64>(at, <f64>folded, FOLDED_VALUE);
}

function writePath(focus: u32): void {
  const start = <usize>load<u32>(answer.at, AT_PATH);
  let p = start + ((<usize>load<u32>(answer.at, PATH_ROWS)) << 4);
  let node = focus;
  while (p > start) {
    p -= 16;
    node = load<u32>(treeParent + ((<usize>node) << 2));
    store<u32>(p, node);
    store<u32>(p, load<u32>(treeName + ((<usize>node) << 2)), 4);
    store<f64>(p, <f64>load<i64>(totalAt + ((<usize>node) << 3)), 8);
  }
}
