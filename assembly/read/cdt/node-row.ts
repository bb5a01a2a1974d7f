/** Row of a node of the tree of calls. */
export const PARENT: usize = 0;
export const METHOD: usize = 4;
export const CHILD_COUNT: usize = 8;
export const FRAMES: usize = 16;
export const SELF: usize = 24;
export const SUSPENDED: usize = 32;
/** Most nodes have few children: these are in their row, which is in the cache while a frame of the node is open. */
export const CHILDREN: usize = 40;
export const BYTES: usize = 64;
