/**
 * Weight of the current selection in the stacks that match rules, up to 64 rules in one pass over the call tree. A rule
 * matches a stack by a function anywhere in it, at its leaf, or as its outermost frame, unless another function is in
 * it. The host decides by text which functions these are, and groups names of the same rules into classes:
 *
 *   class   | any u64 | leaf u64 | outermost u64 | unless u64 |    32 bytes, a bit for each rule; class 0 is empty
 *   name    | name u32 | class u32 |                               8 bytes, only names that are in a class
 *   answer  i64 per rule
 *
 * Nodes come after their parents, so the rules of a node are those of its parent and its name.
 */
import * as StackRules from "../abi/stack-rules";
import { Block } from "./block";
import { nodeCount, rootLevels, treeDepth, treeName, treeParent } from "./call-tree";
import { functionOf, nameCount, nameIndex } from "./frame-names";
import { selfAt, weigh } from "./weights";

/** Rules of a node: found by a frame up to it, kept out by a frame up to it; u64 each. */
const FOUND: usize = 0;
const KEPT_OUT: usize = 8;

const classOfName: Block = changetype<Block>(memory.data(16, 4));
const rulesOfNode: Block = changetype<Block>(memory.data(16, 4));
const sums: usize = memory.data(64 * 8, 8);

/** Adds up by rule; `classes` are the classes, `names` the `n` names in them. Good until the next call. */
export function stackRules(classes: usize, names: usize, n: u32): usize {
  weigh();
  const count = nameCount();
  const column = classOfName.zeroed((<usize>count) << 2);
  for (let p = names; p < names + <usize>n * StackRules.RULED_BYTES; p += StackRules.RULED_BYTES) {
    const index = nameIndex(load<u32>(p, StackRules.RULED_NAME));
    if (index < count) store<u32>(column + ((<usize>index) << 2), load<u32>(p, StackRules.RULED_CLASS));
  }
  memory.fill(sums, 0, StackRules.MOST_RULES << 3);
  const rules = rulesOfNode.zeroed((<usize>nodeCount) << 4);
  for (let node: u32 = 1; node < nodeCount; node++) {
    const parent = load<u32>(treeParent + ((<usize>node) << 2));
    // Root frames are values of attributes.
    const depth = load<u32>(treeDepth + ((<usize>node) << 2));
    const name = depth <= rootLevels ? 0 : functionOf(load<u32>(treeName + ((<usize>node) << 2)));
    const own = classes + <usize>load<u32>(column + ((<usize>nameIndex(name)) << 2)) * StackRules.BYTES;
    const above = rules + ((<usize>parent) << 4);
    const at = rules + ((<usize>node) << 4);
    let found = load<u64>(above, FOUND) | load<u64>(own, StackRules.ANY);
    if (depth === rootLevels + 1) found |= load<u64>(own, StackRules.OUTERMOST);
    const keptOut = load<u64>(above, KEPT_OUT) | load<u64>(own, StackRules.UNLESS);
    store<u64>(at, found, FOUND);
    store<u64>(at, keptOut, KEPT_OUT);
    const self = load<i64>(selfAt + ((<usize>node) << 3));
    if (self === 0) continue;
    for (let left = (found | load<u64>(own, StackRules.LEAF)) & ~keptOut; left !== 0; left &= left - 1) {
      const q = sums + ((<usize>ctz(left)) << 3);
      store<i64>(q, load<i64>(q) + self);
    }
  }
  classOfName.drop();
  rulesOfNode.drop();
  return sums;
}
