/**
 * Two selections over the same call tree: the current one and a baseline that was selected before it.
 *
 *   rows | total | self | baseline total | baseline self |     f64 each, per row of the frames' answer
 *
 * A frame is as wide as both together, so that frames of only one selection are visible, too. In absolute mode their
 * values are added up; in normalised mode their shares, so that selections of different size can be compared. Shares
 * are 40-bit fractions: as whole numbers they add up in any order to what is above them.
 */
import { DIFF_BASE_SELF, DIFF_BASE_TOTAL, DIFF_BYTES, DIFF_SELF, DIFF_TOTAL } from "../abi/diff-row";
import { frameGeneration } from "../store/frames";
import { Block } from "./block";
import { nodeCount, treeParent } from "./call-tree";
import { nodeOfRow, rowsOfAnswer } from "./frame-answer";
import { visibleFrames } from "./frames";
import { selectedValue } from "./selection";
import { dropSquares, selfSquares, square, totalSquares } from "./squares";
import { selfAt, showWeights, totalAt, weigh } from "./weights";

const FRACTION: f64 = 1099511627776; // 2^40

const baseSelf: Block = changetype<Block>(memory.data(8, 8));
const baseTotal: Block = changetype<Block>(memory.data(8, 8));
const baseSelfSquares: Block = changetype<Block>(memory.data(8, 8));
const baseTotalSquares: Block = changetype<Block>(memory.data(8, 8));
const mixedSelf: Block = changetype<Block>(memory.data(8, 8));
const mixedTotal: Block = changetype<Block>(memory.data(8, 8));
const rows: Block = changetype<Block>(memory.data(8, 8));

let baseNodes: u32 = 0;
/** The frames that the baseline's nodes are made of: with others it weighs nothing. */
let baseGeneration: u32 = 0;
let baseValue: i64 = 0;
/** Changes with every baseline. */
export let baseStamp: u32 = 0;
/** The baseline was kept with its squares (`squares.ts`). */
export let isSquared: bool = false;

export function resetDiff(): void {
  baseSelf.drop();
  baseTotal.drop();
  baseSelfSquares.drop();
  baseTotalSquares.drop();
  mixedSelf.drop();
  mixedTotal.drop();
  rows.drop();
  baseNodes = 0;
  baseValue = 0;
  baseStamp++;
  isSquared = false;
}

/** Makes the current selection the baseline of the ones that follow; with `squared` also for sampling errors. */
export function keepBaseline(squared: bool): void {
  weigh();
  baseStamp++;
  baseNodes = nodeCount;
  baseGeneration = frameGeneration;
  baseValue = selectedValue();
  const bytes = (<usize>baseNodes) << 3;
  memory.copy(baseSelf.fit(bytes), selfAt, bytes);
  memory.copy(baseTotal.fit(bytes), totalAt, bytes);
  isSquared = squared;
  if (!squared) return;
  square();
  memory.copy(baseSelfSquares.fit(bytes), selfSquares, bytes);
  memory.copy(baseTotalSquares.fit(bytes), totalSquares, bytes);
  dropSquares();
}

/**
 * Frames of both, below `focus`. With `rest` the selection is subtracted from the baseline; it must be a part of it.
 * Returns the answer of visibleFrames; the weights of its rows are at `diffRows`.
 */
export function diffFrames(focus: u32, width: f64, rest: bool, normalised: bool): usize {
  weigh();
  if (baseGeneration !== frameGeneration) resetDiff();
  mix(rest, normalised);
  const self = selfAt;
  const total = totalAt;
  showWeights(mixedSelf.at, mixedTotal.at);
  const answer = visibleFrames(focus, width, 0);
  showWeights(self, total);
  writeRows(rest);
  mixedSelf.drop();
  mixedTotal.drop();
  return answer;
}

export function diffRows(): usize {
  return rows.at;
}

/** The baseline's `i`-th value of a column, less the selection's own where it is the rest. */
function baseOf(column: usize, own: usize, node: u32, rest: bool): i64 {
  const i = (<usize>node) << 3;
  const value: i64 = node < baseNodes ? load<i64>(column + i) : 0;
  return rest ? value - load<i64>(own + i) : value;
}

/** Weight of `node` in the baseline, or in the baseline without the selection: total, or self. */
export function baseValueOf(node: u32, total: bool, rest: bool): i64 {
  return total ? baseOf(baseTotal.at, totalAt, node, rest) : baseOf(baseSelf.at, selfAt, node, rest);
}

/** The same of squared weights. Those of the selection must be made. */
export function baseSquareOf(node: u32, total: bool, rest: bool): f64 {
  const i = (<usize>node) << 3;
  const square: f64 = node < baseNodes ? load<f64>((total ? baseTotalSquares.at : baseSelfSquares.at) + i) : 0;
  return rest ? square - load<f64>((total ? totalSquares : selfSquares) + i) : square;
}

/** Total weight of the baseline. */
export function baseWhole(rest: bool): i64 {
  return rest ? baseValue - selectedValue() : baseValue;
}

function mix(rest: bool, normalised: bool): void {
  const bytes = (<usize>nodeCount) << 3;
  const self = mixedSelf.fit(bytes);
  const total = mixedTotal.fit(bytes);
  const value = selectedValue();
  const base = baseWhole(rest);
  const scale = normalised && value > 0 ? FRACTION / <f64>value : 1;
  const baseScale = normalised && base > 0 ? FRACTION / <f64>base : 1;
  for (let node: u32 = 0; node < nodeCount; node++) {
    const i = (<usize>node) << 3;
    const own = <f64>load<i64>(selfAt + i) * scale;
    const other = <f64>baseOf(baseSelf.at, selfAt, node, rest) * baseScale;
    store<i64>(self + i, <i64>own + <i64>other);
  }
  memory.copy(total, self, bytes);
  for (let node = nodeCount - 1; node > 0; node--) {
    const q = total + ((<usize>load<u32>(treeParent + ((<usize>node) << 2))) << 3);
    store<i64>(q, load<i64>(q) + load<i64>(total + ((<usize>node) << 3)));
  }
}

function writeRows(rest: bool): void {
  const n = rowsOfAnswer();
  let out = rows.fit(<usize>n * DIFF_BYTES);
  for (let row: u32 = 0; row < n; row++) {
    const node = nodeOfRow(row);
    const i = (<usize>node) << 3;
    store<f64>(out, <f64>load<i64>(totalAt + i), DIFF_TOTAL);
    store<f64>(out, <f64>load<i64>(selfAt + i), DIFF_SELF);
    store<f64>(out, <f64>baseOf(baseTotal.at, totalAt, node, rest), DIFF_BASE_TOTAL);
    store<f64>(out, <f64>baseOf(baseSelf.at, selfAt, node, rest), DIFF_BASE_SELF);
    out += DIFF_BYTES;
  }
}
