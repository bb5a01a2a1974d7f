/**
 * The distinct names of frames, in the order first seen. A host that searches functions by a pattern reads each name
 * once: the list only grows, until frames change (store/frames.ts).
 */
import { frameGeneration } from "../store/frames";
import { strings } from "../store/tables";
import { Block } from "./block";
import { growTree, nodeCount, Tree, treeName, turnTo } from "./call-tree";
import { isMade, madeNames, nameIndex } from "./frame-names";

const names: Block = changetype<Block>(memory.data(16, 4));
/** One byte per string, and one per name that the views made. */
const seen: Block = changetype<Block>(memory.data(16, 4));
const seenMade: Block = changetype<Block>(memory.data(16, 4));

let count: u32 = 0;
/** Nodes that the list covers. */
let covered: u32 = 0;
/** The frames that the names are of. */
let generation: u32 = 0;

/** Takes in the frames that came since the last call; the number of names. */
export function functionNames(): u32 {
  const shown = turnTo(Tree.Plain);
  growTree();
  if (generation !== frameGeneration || seen.at === 0) {
    count = 0;
    covered = 0;
    seen.covered = 0;
    seenMade.covered = 0;
  }
  generation = frameGeneration;
  const flags = covering(seen, strings.count);
  const madeFlags = covering(seenMade, madeNames());
  for (let node = covered; node < nodeCount; node++) {
    const name = load<u32>(treeName + ((<usize>node) << 2));
    const flag = isMade(name) ? madeFlags + nameIndex(name) - strings.count : flags + name;
    if (name === 0 || load<u8>(flag) !== 0) continue;
    store<u8>(flag, 1);
    store<u32>(names.keep((<usize>(count + 1)) << 2, (<usize>count) << 2) + ((<usize>count) << 2), name);
    count++;
  }
  covered = nodeCount;
  turnTo(shown);
  return count;
}

/** The column with room for `count` entries, those that it did not cover 0. */
function covering(flags: Block, count: u32): usize {
  const used = flags.covered;
  const at = flags.keep(count, used);
  memory.fill(at + used, 0, count - used);
  flags.covered = count;
  return at;
}

export function functionNameRows(): usize {
  return names.at;
}
