/**
 * The current call tree for writers of formats that contain the stacks as displayed; made by
 * `assembly/view/children.ts`.
 */
export const SHOWN_NODES = 0;
/** Pointers to columns over the nodes: the parent, the name (`assembly/view/frame-names.ts`), the location. */
export const SHOWN_PARENTS = 4;
export const SHOWN_NAMES = 8;
export const SHOWN_LOCATIONS = 12;
/** Pointer to the node at which each stack ends; with SHOWN_BY_SAMPLE each sample. */
export const SHOWN_LEAVES = 16;
export const SHOWN_BY_SAMPLE = 20;
/** Frames of the deepest stack. */
export const SHOWN_DEEPEST = 24;
/** Names that the views made; their texts follow in a plan. */
export const SHOWN_MADE = 28;
export const SHOWN_BYTES = 32;
/** Set in a name that the views made: the rest is its row. */
export const SHOWN_MADE_NAME = 0x80000000;
