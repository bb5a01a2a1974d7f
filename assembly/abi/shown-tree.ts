/**
 * The current call tree for writers of formats that contain the stacks as displayed; made by
 * `assembly/view/children.ts`.
 */
export const NODES = 0;
/** Pointers to columns over the nodes: the parent, the name (`assembly/view/frame-names.ts`), the location. */
export const PARENTS = 4;
export const NAMES = 8;
export const LOCATIONS = 12;
/** Pointer to the node at which each stack ends; with BY_SAMPLE each sample. */
export const LEAVES = 16;
export const BY_SAMPLE = 20;
/** Frames of the deepest stack. */
export const DEEPEST = 24;
/** Names that the views made; their texts follow in a plan. */
export const MADE = 28;
export const BYTES = 32;
/** Set in a name that the views made: the rest is its row. */
export const MADE_NAME = 0x80000000;
