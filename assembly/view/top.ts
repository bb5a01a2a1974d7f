/**
 * The current selection per function name, by self, then total, then name index; or by total, then self.
 *
 *   row | name u32 | 0 | self i64 | total i64 |     24 bytes
 *
 * A function that calls itself counts once: a node adds its total only when no ancestor is of its function. A function
 * without weight, self and total, has no row; nor have samples without a stack.
 */

import * as FrameType from "../abi/frame-type";
import * as TopRow from "../abi/rows/top-row";
import * as LocationRow from "../store/rows/location-row";
import { locations } from "../store/tables";
import { Block } from "./block";
import * as tree from "./call-tree";
import { functionOf, markNames, nameAt, nameCount, nameIndex } from "./frame-names";
import { descending, RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "./order";
import { selectionStamp } from "./selection";
import { selfAt, totalAt, weigh } from "./weights";

/** Sums of a function while they are added up, i64 each, per name. */
const SUM_SELF: usize = 0;
const SUM_TOTAL: usize = 8;
const SUM_BYTES: usize = 16;

const rows: Block = changetype<Block>(memory.data(16, 4));
const sums: Block = changetype<Block>(memory.data(16, 4));
const records: Block = changetype<Block>(memory.data(16, 4));
/** While functions are looked for up the stacks: byte per name, node per node. */
const marked: Block = changetype<Block>(memory.data(16, 4));
const nearest: Block = changetype<Block>(memory.data(16, 4));

let rowCount: u32 = 0;
let orderedByTotal: bool = false;

/** Computes the rows and returns their number. */
export function topFunctions(byTotal: bool): u32 {
  weigh();
  const now = selectionStamp + tree.treeStamp;
  if (records.covered === now && orderedByTotal === byTotal) return rowCount;
  orderedByTotal = byTotal;
  makeRows(byTotal ? SUM_TOTAL : SUM_SELF, 0);
  records.covered = now;
  return rowCount;
}

/**
 * Top functions by self. The self value of a frame counts for the nearest frame, from it to the root, that has one of
 * the `n` names at `namesAt` (u32 each) and is neither native nor of the kernel. The row of name 0 has the rest.
 */
export function topNearest(namesAt: usize, n: u32): u32 {
  weigh();
  const ok = markNames(marked, namesAt, n);
  const near = nearest.zeroed((<usize>tree.nodeCount) << 2);
  for (let node: u32 = 1; node < tree.nodeCount; node++) {
    const p = (<usize>node) << 2;
    const type = locations.get(load<u32>(tree.treeLocation + p), LocationRow.FRAME_TYPE);
    const isCode = type !== FrameType.Native && type !== FrameType.Kernel;
    const isFrame = isCode && load<u32>(tree.treeDepth + p) > tree.rootLevels;
    const isOne = isFrame && load<u8>(ok + nameIndex(functionOf(load<u32>(tree.treeName + p)))) !== 0;
    store<u32>(near + p, isOne ? node : load<u32>(near + ((<usize>load<u32>(tree.treeParent + p)) << 2)));
  }
  // The rows of another question: the next one makes its own.
  records.covered = 0;
  makeRows(SUM_SELF, near);
  marked.drop();
  nearest.drop();
  return rowCount;
}

/** `near`: u32 per node, the node that its self value counts for; 0 where that is the node itself. */
function makeRows(first: usize, near: usize): void {
  const at = sums.zeroed(<usize>nameCount() * SUM_BYTES);
  const levels = tree.rootLevels;
  for (let node: u32 = 1; node < tree.nodeCount; node++) {
    if (levels !== 0 && load<u32>(tree.treeDepth + ((<usize>node) << 2)) <= levels) continue;
    const total = load<i64>(totalAt + ((<usize>node) << 3));
    const self = load<i64>(selfAt + ((<usize>node) << 3));
    if (total === 0 && self === 0) continue;
    const q = at + sumOf(node);
    const p = near === 0 ? q : at + sumOf(load<u32>(near + ((<usize>node) << 2)));
    store<i64>(p, load<i64>(p, SUM_SELF) + self, SUM_SELF);
    if (load<u8>(tree.treeAgain + node) === 0) store<i64>(q, load<i64>(q, SUM_TOTAL) + total, SUM_TOTAL);
  }
  order(at, first);
  let out = rows.fit(<usize>rowCount * TopRow.BYTES);
  const end = records.at + <usize>rowCount * RECORD_BYTES;
  for (let r = records.at; r < end; r += RECORD_BYTES) {
    const index = load<u32>(r, RECORD_PAYLOAD);
    const q = at + <usize>index * SUM_BYTES;
    store<u64>(out, nameAt(index), TopRow.NAME);
    store<i64>(out, load<i64>(q, SUM_SELF), TopRow.SELF);
    store<i64>(out, load<i64>(q, SUM_TOTAL), TopRow.TOTAL);
    out += TopRow.BYTES;
  }
  sums.drop();
  records.drop();
}

/** Offset of the sums of a node's function. */
function sumOf(node: u32): usize {
  return <usize>nameIndex(functionOf(load<u32>(tree.treeName + ((<usize>node) << 2)))) * SUM_BYTES;
}

/** Puts the names that weigh something into `records`; `first` is the offset of the sum that decides. */
function order(at: usize, first: usize): void {
  rowCount = 0;
  for (let q = at; q < at + <usize>nameCount() * SUM_BYTES; q += SUM_BYTES) {
    if ((load<u64>(q, SUM_SELF) | load<u64>(q, SUM_TOTAL)) !== 0) rowCount++;
  }
  let p = records.fit(<usize>rowCount * RECORD_BYTES);
  for (let index: u32 = 0; index < nameCount(); index++) {
    const q = at + <usize>index * SUM_BYTES;
    if ((load<u64>(q, SUM_SELF) | load<u64>(q, SUM_TOTAL)) === 0) continue;
    store<u64>(p, descending(load<i64>(q + (SUM_TOTAL - first))));
    store<u64>(p, index, RECORD_PAYLOAD);
    p += RECORD_BYTES;
  }
  sortRecords(records.at, rowCount);
  for (let r = records.at; r < p; r += RECORD_BYTES) {
    store<u64>(r, descending(load<i64>(at + <usize>load<u32>(r, RECORD_PAYLOAD) * SUM_BYTES + first)));
  }
  sortRecords(records.at, rowCount);
}

/** Rows of the last call; good until the next one after another selection. */
export function topRows(): usize {
  return rows.at;
}

/** Nodes of the current tree. 0 with root frames: there samples of one stack end at several nodes. */
export function treeNodes(): u32 {
  tree.growTree();
  return tree.rootLevels === 0 ? tree.nodeCount : 0;
}

/** Of the current tree: the leaf node of each stack, u32. */
export function leafNodes(): usize {
  return tree.stackNode;
}

/** The parent of each node, u32, which is before it. */
export function parentNodes(): usize {
  return tree.treeParent;
}
