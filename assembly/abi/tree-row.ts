/** A child of a node of the call tree, made by `assembly/view/children.ts`. */
export const TREE_NODE = 0;
export const TREE_NAME = 4;
export const TREE_TYPE = 8;
export const TREE_CHILDREN = 12;
export const TREE_TOTAL = 16;
export const TREE_SELF = 24;
export const TREE_BYTES = 32;
