/**
 * Transforms of the call tree, made from the nodes of the whole one:
 *
 *   from         stacks begin at the outermost frame of a function; those without it end at the root
 *   merged       frames of these functions are not there, what they took is their caller's
 *   recursion    Direct: a function that calls itself is one frame
 *                All: a function that comes again below itself is led back to its frame further out
 *
 *   a ─ b ─ a ─ c    merged b: a ─ a ─ c    and Direct: a ─ c    All alone: a ─ c, and of stacks that end in b: a ─ b
 *
 * A node is led to a node of the shaped tree, and with it the stacks that end there.
 */
import * as Recursion from "../abi/recursion";
import { stacks } from "../store/tables";
import { Block } from "./block";
import {
  beginShaped,
  child,
  nodeCount,
  showAll,
  stackNode,
  treeAgain,
  treeDepth,
  treeLocation,
  treeName,
  treeParent,
} from "./call-tree";
import { functionOf, markNames, nameIndex } from "./frame-names";

const merged: Block = changetype<Block>(memory.data(8, 8));
const ledTo: Block = changetype<Block>(memory.data(8, 8));

export function resetShape(): void {
  merged.drop();
  ledTo.drop();
}

/**
 * Has all views read the tree in this shape from now on. `from` is a name, 0 for none; the `n` names at `namesAt`, u32
 * each, are merged. Nodes of before mean nothing afterwards.
 */
export function shapeTree(from: u32, namesAt: usize, n: u32, recursion: u32, lines: bool): void {
  showAll(lines);
  if (from === 0 && n === 0 && recursion === Recursion.Kept) return;
  const isMerged = markNames(merged, namesAt, n);
  const count = nodeCount;
  const parents = treeParent;
  const names = treeName;
  const locations = treeLocation;
  const agains = treeAgain;
  const leaves = stackNode;
  const to = ledTo.fit((<usize>count + 1) << 2);
  store<u32>(to, 0);
  beginShaped();
  for (let node: u32 = 1; node < count; node++) {
    const i = (<usize>node) << 2;
    const name = load<u32>(names + i);
    const fn = functionOf(name);
    const above = load<u32>(to + ((<usize>load<u32>(parents + i)) << 2));
    let at = above;
    if (from !== 0 && above === 0 ? fn === from : load<u8>(isMerged + nameIndex(fn)) === 0) {
      // What is not below itself in the whole tree is not in a part of it.
      const outer: u32 = load<u8>(agains + node) === 0 ? 0 : outerOf(above, fn);
      at = outer;
      if (outer === 0 || recursion === Recursion.Kept || (recursion === Recursion.Direct && outer !== above)) {
        const depth = load<u32>(treeDepth + ((<usize>above) << 2)) + 1;
        at = child(above, name, load<u32>(locations + i), depth, outer !== 0 ? 1 : 0);
      }
    }
    store<u32>(to + i, at);
  }
  for (let s: u32 = 0; s < stacks.count; s++) {
    const i = (<usize>s) << 2;
    store<u32>(stackNode + i, load<u32>(to + ((<usize>load<u32>(leaves + i)) << 2)));
  }
  merged.drop();
  ledTo.drop();
}

/** The nearest frame of a function from `node` outwards, 0 where there is none. */
function outerOf(node: u32, fn: u32): u32 {
  while (node !== 0 && functionOf(load<u32>(treeName + ((<usize>node) << 2))) !== fn) {
    node = load<u32>(treeParent + ((<usize>node) << 2));
  }
  return node;
}
