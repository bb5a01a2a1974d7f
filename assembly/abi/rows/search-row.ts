/** A frame that a search found, made by `assembly/view/search.ts`. */
export const NODE = 0;
export const TOTAL = 8;
export const BYTES = 16;
