/** A child of a node of the call tree, made by `assembly/view/children.ts`. */
export const NODE = 0;
export const NAME = 4;
export const TYPE = 8;
export const CHILDREN = 12;
export const TOTAL = 16;
export const SELF = 24;
export const BYTES = 32;
