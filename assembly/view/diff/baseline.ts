/** The weights of a selection that is kept as the baseline of the ones that follow. */
import { onGiveUp } from "../../memory/resets";
import { frameGeneration } from "../../store/frames";
import { Block } from "../block";
import { nodeCount } from "../call-tree";
import { selectedValue } from "../selection";
import { selfAt, totalAt, weigh } from "../weights";
import { windowed, windowFirst, windowLast } from "../window";
import { dropSquares, selfSquares, square, totalSquares } from "./squares";

const baseSelf: Block = changetype<Block>(memory.data(16, 4));
const baseTotal: Block = changetype<Block>(memory.data(16, 4));
const baseSelfSquares: Block = changetype<Block>(memory.data(16, 4));
const baseTotalSquares: Block = changetype<Block>(memory.data(16, 4));

let baseNodes: u32 = 0;
/** The frames that the baseline's nodes are made of: with others it weighs nothing. */
let baseGeneration: u32 = 0;
let baseValue: i64 = 0;
/** The observations that it was selected from: those of a file, or all. */
let baseFirst: u32 = 0;
let baseLast: u32 = 0;
/** Changes with every baseline. */
export let baseStamp: u32 = 0;
/** The baseline was kept with its squares (`squares.ts`). */
export let isSquared: bool = false;

function resetBaseline(): void {
  baseSelf.drop();
  baseTotal.drop();
  baseSelfSquares.drop();
  baseTotalSquares.drop();
  baseNodes = 0;
  baseValue = 0;
  baseStamp++;
  isSquared = false;
}
onGiveUp(resetBaseline);

/** Makes the current selection the baseline of the ones that follow; with `squared` also for sampling errors. */
export function keepBaseline(squared: bool): void {
  weigh();
  baseStamp++;
  baseNodes = nodeCount;
  baseGeneration = frameGeneration;
  baseValue = selectedValue();
  baseFirst = windowed ? windowFirst : 0;
  baseLast = windowed ? windowLast : u32.MAX_VALUE;
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

/** Makes the weights of the selection. A baseline of other frames is dropped. */
export function weighBoth(): void {
  weigh();
  if (baseGeneration === frameGeneration) return;
  baseGeneration = frameGeneration;
  resetBaseline();
}

/** Whether the selection is of other files than the baseline. */
export function isOfOtherFiles(): bool {
  const first: u32 = windowed ? windowFirst : 0;
  const last: u32 = windowed ? windowLast : u32.MAX_VALUE;
  return first >= baseLast || last <= baseFirst;
}

/** Self weights of the first `nodes` nodes in the baseline, which has none of later ones. */
export function baseSelves(nodes: u32): usize {
  const used = (<usize>baseNodes) << 3;
  const bytes = (<usize>nodes) << 3;
  const at = baseSelf.keep(bytes, used);
  if (bytes > used) memory.fill(at + used, 0, bytes - used);
  return at;
}

/** Weight of `node` in the baseline, or in the baseline without the selection: total, or self. */
export function baseValueOf(node: u32, total: bool, rest: bool): i64 {
  const i = (<usize>node) << 3;
  const value: i64 = node < baseNodes ? load<i64>((total ? baseTotal.at : baseSelf.at) + i) : 0;
  return rest ? value - load<i64>((total ? totalAt : selfAt) + i) : value;
}

/** Squared weights of `node` in the baseline, or in the rest. Those of the selection must be made. */
export function baseSquareOf(node: u32, total: bool, rest: bool): f64 {
  const i = (<usize>node) << 3;
  const square: f64 = node < baseNodes ? load<f64>((total ? baseTotalSquares.at : baseSelfSquares.at) + i) : 0;
  return rest ? square - load<f64>((total ? totalSquares : selfSquares) + i) : square;
}

/** Total weight of the baseline. */
export function baseWhole(rest: bool): i64 {
  return rest ? baseValue - selectedValue() : baseValue;
}
