/** A frame that a search found, made by `assembly/view/search.ts`. */
export const SEARCH_NODE = 0;
export const SEARCH_TOTAL = 8;
export const SEARCH_BYTES = 16;
