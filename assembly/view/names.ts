/**
 * The distinct names of frames, in the order first seen. A host that looks for functions by a pattern
 * reads each of them once: the list only grows, until frames become others (store/frames.ts).
 */
import { frameGeneration } from "../store/frames";
import { strings } from "../store/tables";
import { Block } from "./block";
import { growTree, nodeCount, Tree, treeName, turnTo } from "./call-tree";

const names: Block = changetype<Block>(memory.data(8, 8));
/** One byte per string. The tree is without lines, so all names are strings. */
const seen: Block = changetype<Block>(memory.data(8, 8));

let count: u32 = 0;
/** Nodes and strings that the list and `seen` cover. */
let covered: u32 = 0;
let known: u32 = 0;
/** The frames that the names are of. */
let generation: u32 = 0;

export function resetNames(): void {
  names.drop();
  seen.drop();
  count = 0;
  covered = 0;
  known = 0;
}

/** Takes in the frames that came since the last call; the number of names. */
export function functionNames(): u32 {
  const shown = turnTo(Tree.Plain);
  growTree();
  if (generation !== frameGeneration) resetNames();
  generation = frameGeneration;
  const flags = seen.keep(strings.count, known);
  memory.fill(flags + known, 0, strings.count - known);
  known = strings.count;
  for (let node = covered; node < nodeCount; node++) {
    const name = load<u32>(treeName + ((<usize>node) << 2));
    if (name === 0 || load<u8>(flags + name) !== 0) continue;
    store<u8>(flags + name, 1);
    store<u32>(names.keep((<usize>(count + 1)) << 2, (<usize>count) << 2) + ((<usize>count) << 2), name);
    count++;
  }
  covered = nodeCount;
  turnTo(shown);
  return count;
}

export function functionNameRows(): usize {
  return names.at;
}
