/** The current call tree for writers, which do not import views: pointers to its columns (abi/shown-tree.ts). */
import {
  SHOWN_BY_SAMPLE,
  SHOWN_DEEPEST,
  SHOWN_LEAVES,
  SHOWN_LOCATIONS,
  SHOWN_MADE,
  SHOWN_NAMES,
  SHOWN_NODES,
  SHOWN_PARENTS,
} from "../abi/shown-tree";
import { growTree, nodeCount, rootLevels, stackNode, treeDepth, treeLocation, treeName, treeParent } from "./call-tree";
import { madeNames } from "./frame-names";

const tree: usize = memory.data(32, 8);

/** Good until the tree is another one. */
export function shownTree(): usize {
  growTree();
  let deepest: u32 = 1;
  for (let node: u32 = 1; node < nodeCount; node++) {
    deepest = max<u32>(deepest, load<u32>(treeDepth + ((<usize>node) << 2)));
  }
  store<u32>(tree, nodeCount, SHOWN_NODES);
  store<u32>(tree, <u32>treeParent, SHOWN_PARENTS);
  store<u32>(tree, <u32>treeName, SHOWN_NAMES);
  store<u32>(tree, <u32>treeLocation, SHOWN_LOCATIONS);
  store<u32>(tree, <u32>stackNode, SHOWN_LEAVES);
  store<u32>(tree, rootLevels !== 0 ? 1 : 0, SHOWN_BY_SAMPLE);
  store<u32>(tree, deepest, SHOWN_DEEPEST);
  store<u32>(tree, madeNames(), SHOWN_MADE);
  return tree;
}
