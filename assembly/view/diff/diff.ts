/**
 * Two selections over the same call tree: the current one and a baseline that was selected before it.
 *
 *   rows | total | self | baseline total | baseline self | baseline's name |     f64 each, per row of the answer
 *
 * A frame is as wide as both together, so that frames of only one selection are visible, too. In absolute mode their
 * values are added up; in normalised mode their shares, so that selections of different size can be compared. Shares
 * are 40-bit fractions: as whole numbers they add up in any order to what is above them.
 *
 * The baseline's name is 0 if it equals the frame's name. The two differ where a function has another number in the
 * files of the baseline (pairs.ts). Both sides are then drawn in a separate tree, in which the baseline's frames have
 * the names of the selection. That tree lasts for one request. The answer has the nodes of the call tree: the
 * selection's node if there is one, else the baseline's.
 */

import * as DiffRow from "../../abi/rows/diff-row";
import { Block } from "../block";
import * as tree from "../call-tree";
import { nodeOfRow, renumber, rowsOfAnswer } from "../frame-answer";
import { shownFrames } from "../frames";
import { selectedValue } from "../selection";
import { selfAt, showWeights, totalAt } from "../weights";
import { baseSelves, baseValueOf, baseWhole, weighBoth } from "./baseline";
import { dropPairs, nameInSelection, OTHER_CODE, pairFunctions } from "./pairs";

const FRACTION: f64 = 1099511627776; // 2^40
/** Set in a node of an answer: the baseline's part of it, where that is another frame than the selection's. */
const OF_BASELINE: u32 = 0x8000_0000;
/** The sides that weigh at a node or below it. */
const OWN: u32 = 1;
const BASE: u32 = 2;

/** i64 per node: of the selection in the paired tree, of the baseline, of both. */
const ownSelf: Block = changetype<Block>(memory.data(16, 4));
const ownTotal: Block = changetype<Block>(memory.data(16, 4));
const baseSelf: Block = changetype<Block>(memory.data(16, 4));
const baseTotal: Block = changetype<Block>(memory.data(16, 4));
const mixedSelf: Block = changetype<Block>(memory.data(16, 4));
const mixedTotal: Block = changetype<Block>(memory.data(16, 4));
/** Per node of the call tree: u8 of its sides, u32 of its node in the paired tree on each. */
const sides: Block = changetype<Block>(memory.data(16, 4));
const ownNode: Block = changetype<Block>(memory.data(16, 4));
const baseNode: Block = changetype<Block>(memory.data(16, 4));
/** u32 per node of the paired tree: the node of the call tree, and its name in the baseline if it is another. */
const origins: Block = changetype<Block>(memory.data(16, 4));
const formerNames: Block = changetype<Block>(memory.data(16, 4));
const rows: Block = changetype<Block>(memory.data(16, 4));

/** The current request is about the paired tree. */
let isPaired: bool = false;

function dropColumns(): void {
  ownSelf.drop();
  ownTotal.drop();
  baseSelf.drop();
  baseTotal.drop();
  mixedSelf.drop();
  mixedTotal.drop();
  sides.drop();
  ownNode.drop();
  baseNode.drop();
  origins.drop();
  formerNames.drop();
}

/**
 * Frames of both, below `focus`. With `rest` the selection is subtracted from the baseline; it must be a part of it.
 * Returns the answer of visibleFrames; the weights of its rows are at `diffRows`.
 */
export function diffFrames(focus: u32, width: f64, rest: bool, normalised: bool): usize {
  weighBoth();
  const self = selfAt;
  const total = totalAt;
  isPaired = pairFunctions(rest);
  let before = tree.Tree.Paired;
  let root = focus;
  if (isPaired) {
    const node = (focus & ~OF_BASELINE) < tree.nodeCount ? focus & ~OF_BASELINE : 0;
    before = pairNodes(rest);
    const own = load<u32>(ownNode.at + ((<usize>node) << 2));
    root = own !== 0 && node === focus ? own : load<u32>(baseNode.at + ((<usize>node) << 2));
  }
  const ownSelves = isPaired ? ownSelf.at : self;
  mix(ownSelves, rest, normalised);
  showWeights(mixedSelf.at, mixedTotal.at);
  const answer = shownFrames(root, width, 0);
  showWeights(self, total);
  writeRows(ownSelves, isPaired ? ownTotal.at : total, rest);
  if (isPaired) {
    renumber(origins.at);
    tree.endPaired(before);
    dropPairs();
  }
  dropColumns();
  return answer;
}

export function diffRows(): usize {
  return rows.at;
}

/** Makes the paired tree with the weights of both; returns the tree before it. */
function pairNodes(rest: bool): tree.Tree {
  const count = tree.nodeCount;
  const parents = tree.treeParent;
  const names = tree.treeName;
  const locations = tree.treeLocation;
  const on = sides.zeroed(count);
  for (let node = count - 1; node > 0; node--) {
    let weighing: u32 = load<u8>(on + node);
    if (load<i64>(selfAt + ((<usize>node) << 3)) !== 0) weighing |= OWN;
    if (baseValueOf(node, false, rest) !== 0) weighing |= BASE;
    store<u8>(on + node, <u8>weighing);
    const p = on + load<u32>(parents + ((<usize>node) << 2));
    store<u8>(p, <u8>(load<u8>(p) | weighing));
  }
  const own = ownNode.zeroed((<usize>count) << 2);
  const base = baseNode.zeroed((<usize>count) << 2);
  // A node of the call tree is two nodes at most.
  const from = origins.zeroed((<usize>count) << 3);
  const former = formerNames.zeroed((<usize>count) << 3);
  const before = tree.beginPaired();
  for (let node: u32 = 1; node < count; node++) {
    const i = (<usize>node) << 2;
    const above = (<usize>load<u32>(parents + i)) << 2;
    const name = load<u32>(names + i);
    const location = load<u32>(locations + i);
    const weighing: u32 = load<u8>(on + node);
    if ((weighing & OWN) !== 0) {
      const at = place(load<u32>(own + above), name, location);
      store<u32>(own + i, at);
      store<u32>(from + ((<usize>at) << 2), node);
    }
    if ((weighing & BASE) === 0) continue;
    const paired = nameInSelection(name);
    const at = place(load<u32>(base + above), paired, location);
    store<u32>(base + i, at);
    if (paired !== name && (paired & OTHER_CODE) === 0) store<u32>(former + ((<usize>at) << 2), name);
    const p = from + ((<usize>at) << 2);
    if (load<u32>(p) === 0) store<u32>(p, (weighing & OWN) !== 0 ? node | OF_BASELINE : node);
  }
  const bytes = (<usize>tree.nodeCount) << 3;
  const selves = ownSelf.zeroed(bytes);
  const others = baseSelf.zeroed(bytes);
  for (let node: u32 = 0; node < count; node++) {
    add(selves, load<u32>(own + ((<usize>node) << 2)), load<i64>(selfAt + ((<usize>node) << 3)));
    add(others, load<u32>(base + ((<usize>node) << 2)), baseValueOf(node, false, rest));
  }
  addUp(selves, ownTotal.fit(bytes));
  addUp(others, baseTotal.fit(bytes));
  for (let p = tree.treeName; p < tree.treeName + ((<usize>tree.nodeCount) << 2); p += 4)
    store<u32>(p, load<u32>(p) & ~OTHER_CODE);
  return before;
}

/** The child of `above` with this name; a run gets the length of the longest one. */
function place(above: u32, name: u32, location: u32): u32 {
  const node = tree.child(above, name, location, load<u32>(tree.treeDepth + ((<usize>above) << 2)) + 1, 0);
  const p = tree.treeLocation + ((<usize>node) << 2);
  if (location >= tree.RUN) store<u32>(p, max<u32>(load<u32>(p), location));
  return node;
}

function add(column: usize, node: u32, weight: i64): void {
  const p = column + ((<usize>node) << 3);
  store<i64>(p, load<i64>(p) + weight);
}

/** Makes the totals of the current tree. */
function addUp(self: usize, total: usize): void {
  memory.copy(total, self, (<usize>tree.nodeCount) << 3);
  for (let node = tree.nodeCount - 1; node > 0; node--) {
    add(total, load<u32>(tree.treeParent + ((<usize>node) << 2)), load<i64>(total + ((<usize>node) << 3)));
  }
}

/** Weight of a node of the tree that is shown in the baseline. */
function baseOf(node: u32, total: bool, rest: bool): i64 {
  if (!isPaired) return baseValueOf(node, total, rest);
  return load<i64>((total ? baseTotal.at : baseSelf.at) + ((<usize>node) << 3));
}

function mix(ownSelves: usize, rest: bool, normalised: bool): void {
  const bytes = (<usize>tree.nodeCount) << 3;
  const self = mixedSelf.fit(bytes);
  const value = selectedValue();
  const base = baseWhole(rest);
  const scale = normalised && value > 0 ? FRACTION / <f64>value : 1;
  const baseScale = normalised && base > 0 ? FRACTION / <f64>base : 1;
  const bases = isPaired ? baseSelf.at : baseSelves(tree.nodeCount);
  const rests = rest && !isPaired;
  for (let i: usize = 0; i < bytes; i += 8) {
    const own = load<i64>(ownSelves + i);
    const other = rests ? load<i64>(bases + i) - own : load<i64>(bases + i);
    store<i64>(self + i, <i64>(<f64>own * scale) + <i64>(<f64>other * baseScale));
  }
  addUp(self, mixedTotal.fit(bytes));
}

function writeRows(ownSelves: usize, ownTotals: usize, rest: bool): void {
  const n = rowsOfAnswer();
  let out = rows.fit(<usize>n * DiffRow.BYTES);
  for (let row: u32 = 0; row < n; row++) {
    const node = nodeOfRow(row);
    const i = (<usize>node) << 3;
    store<f64>(out, <f64>load<i64>(ownTotals + i), DiffRow.TOTAL);
    store<f64>(out, <f64>load<i64>(ownSelves + i), DiffRow.SELF);
    store<f64>(out, <f64>baseOf(node, true, rest), DiffRow.BASE_TOTAL);
    store<f64>(out, <f64>baseOf(node, false, rest), DiffRow.BASE_SELF);
    store<f64>(out, isPaired ? <f64>load<u32>(formerNames.at + (i >> 1)) : 0, DiffRow.BASE_NAME);
    out += DiffRow.BYTES;
  }
}
