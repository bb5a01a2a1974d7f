/**
 * Weights of the call tree's nodes in the current selection: `self` is the weight of the samples whose stack ends
 * there, `total` adds everything below. Node 0 also has the samples without a stack. Cached until the selection or the
 * tree changes.
 */

import { addTo } from "../memory/sums";
import * as SampleRow from "../store/rows/sample-row";
import { Block } from "./block";
import { growTree, nodeCount, rootLevels, stackNode, treeParent, treeStamp } from "./call-tree";
import { wordColumn } from "./columns";
import { maskAt, maskRows, needWeights, selectionStamp, weightAt } from "./selection";

const selves: Block = changetype<Block>(memory.data(16, 4));
const totals: Block = changetype<Block>(memory.data(16, 4));

/** i64 per node. */
export let selfAt: usize = 0;
export let totalAt: usize = 0;

/** The selection and the tree of the weights. */
let stamp: u32 = 0;

/** Replaces the weights that `selfAt` and `totalAt` point to, until the next `weigh`. */
export function showWeights(self: usize, total: usize): void {
  selfAt = self;
  totalAt = total;
}

/** Makes `selfAt` and `totalAt` those of the current selection. */
export function weigh(): void {
  growTree();
  // Either only ever grows.
  const now = selectionStamp + treeStamp;
  if (stamp === now && selves.covered === nodeCount) return;
  stamp = now;
  const nodes = nodeCount;
  const bytes = (<usize>nodes) << 3;
  selfAt = selves.zeroed(bytes);
  totalAt = totals.fit(bytes);
  selves.covered = nodes;

  needWeights();
  const stacks = wordColumn(SampleRow.STACK);
  const isRooted = rootLevels !== 0;
  for (let first: u32 = 0; first < maskRows; first += 8) {
    // Most selections are small: eight samples that are not in it cost one load.
    if (load<u64>(maskAt + first) === 0) continue;
    for (let row = first; row < first + 8; row++) {
      // One that is not selected adds nothing to its node, which is cheaper than to guess which of the eight are.
      const all = -(<i64>load<u8>(maskAt + row));
      const end = isRooted ? row : load<u32>(stacks + ((<usize>row) << 2));
      const node = load<u32>(stackNode + ((<usize>end) << 2));
      const q = selfAt + ((<usize>node) << 3);
      addTo(q, load<i64>(weightAt + ((<usize>row) << 3)) & all);
    }
  }

  memory.copy(totalAt, selfAt, bytes);
  for (let node = nodes - 1; node > 0; node--) {
    const total = load<i64>(totalAt + ((<usize>node) << 3));
    if (total === 0) continue;
    const q = totalAt + ((<usize>load<u32>(treeParent + ((<usize>node) << 2))) << 3);
    addTo(q, total);
  }
}
