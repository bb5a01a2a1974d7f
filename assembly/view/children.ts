/**
 * Children of the nodes of the call tree.
 *
 *   first    u32 per node: its first child, 0 if it has no children
 *   next     u32 per node: the next child of the same parent, 0 after the last
 *
 * A table that opens node by node reads the children of one node, heaviest first:
 *
 *   row | node u32 | name u32 | frame type u32 | children with weight u32 | total i64 | self i64 |      32 bytes
 */

import * as TreeRow from "../abi/rows/tree-row";
import * as ShownTree from "../abi/shown-tree";
import { Block } from "./block";
import {
  growTree,
  nodeCount,
  rootLevels,
  stackNode,
  treeDepth,
  treeLocation,
  treeName,
  treeParent,
  treeStamp,
} from "./call-tree";
import { frameTypeOf, nameAtLocation } from "./frame-answer";
import { madeNames } from "./frame-names";
import { descending, RECORD_BYTES, RECORD_PAYLOAD, sortRecords } from "./order";
import { selfAt, totalAt, weigh } from "./weights";

const firsts: Block = changetype<Block>(memory.data(16, 4));
const nexts: Block = changetype<Block>(memory.data(16, 4));
const records: Block = changetype<Block>(memory.data(16, 4));
const rows: Block = changetype<Block>(memory.data(16, 4));

export let firstChild: usize = 0;
export let nextChild: usize = 0;
let stamp: u32 = 0;

/** Makes the lists those of the whole tree. */
export function growChildren(): void {
  growTree();
  if (firsts.covered === nodeCount && stamp === treeStamp) return;
  stamp = treeStamp;
  firstChild = firsts.zeroed((<usize>nodeCount) << 2);
  nextChild = nexts.zeroed((<usize>nodeCount) << 2);
  firsts.covered = nodeCount;
  // Backwards, so that the lists are in the order of the nodes.
  for (let node = nodeCount - 1; node > 0; node--) {
    const first = firstChild + ((<usize>load<u32>(treeParent + ((<usize>node) << 2))) << 2);
    store<u32>(nextChild + ((<usize>node) << 2), load<u32>(first));
    store<u32>(first, node);
  }
}

/** Children of `node` with weight in the current selection; their number. An unknown node has no children. */
export function treeChildren(node: u32): u32 {
  weigh();
  growChildren();
  if (node >= nodeCount) return 0;
  const n = countChildren(node);
  let p = records.fit(<usize>n * RECORD_BYTES);
  for (let child = load<u32>(firstChild + ((<usize>node) << 2)); child !== 0; child = after(child)) {
    const total = load<i64>(totalAt + ((<usize>child) << 3));
    if (total === 0) continue;
    store<u64>(p, descending(total));
    store<u64>(p, child, RECORD_PAYLOAD);
    p += RECORD_BYTES;
  }
  sortRecords(records.at, n);
  let out = rows.fit(<usize>n * TreeRow.BYTES);
  for (let r = records.at; r < p; r += RECORD_BYTES) {
    writeChild(out, load<u32>(r, RECORD_PAYLOAD));
    out += TreeRow.BYTES;
  }
  records.drop();
  return n;
}

function after(node: u32): u32 {
  return load<u32>(nextChild + ((<usize>node) << 2));
}

function countChildren(node: u32): u32 {
  let n: u32 = 0;
  for (let child = load<u32>(firstChild + ((<usize>node) << 2)); child !== 0; child = after(child)) {
    if (load<i64>(totalAt + ((<usize>child) << 3)) !== 0) n++;
  }
  return n;
}

function writeChild(out: usize, node: u32): void {
  const i = (<usize>node) << 2;
  store<u32>(out, node, TreeRow.NODE);
  store<u32>(out, nameAtLocation(load<u32>(treeName + i), load<u32>(treeLocation + i)), TreeRow.NAME);
  store<u32>(out, frameTypeOf(load<u32>(treeLocation + i)), TreeRow.TYPE);
  store<u32>(out, countChildren(node), TreeRow.CHILDREN);
  store<i64>(out, load<i64>(totalAt + (i << 1)), TreeRow.TOTAL);
  store<i64>(out, load<i64>(selfAt + (i << 1)), TreeRow.SELF);
}

/** Rows of the last call. */
export function treeChildRows(): usize {
  return rows.at;
}

const tree: usize = memory.data(32, 8);

/**
 * The current call tree for writers, which do not import views: pointers to its columns (abi/shown-tree.ts), good until
 * the tree is another one.
 */
export function shownTree(): usize {
  growTree();
  let deepest: u32 = 1;
  for (let node: u32 = 1; node < nodeCount; node++) {
    deepest = max<u32>(deepest, load<u32>(treeDepth + ((<usize>node) << 2)));
  }
  store<u32>(tree, nodeCount, ShownTree.NODES);
  store<u32>(tree, <u32>treeParent, ShownTree.PARENTS);
  store<u32>(tree, <u32>treeName, ShownTree.NAMES);
  store<u32>(tree, <u32>treeLocation, ShownTree.LOCATIONS);
  store<u32>(tree, <u32>stackNode, ShownTree.LEAVES);
  store<u32>(tree, rootLevels !== 0 ? 1 : 0, ShownTree.BY_SAMPLE);
  store<u32>(tree, deepest, ShownTree.DEEPEST);
  store<u32>(tree, madeNames(), ShownTree.MADE);
  return tree;
}
