/** A row of the table of functions, made by `assembly/view/top.ts`. */
export const TOP_NAME = 0;
export const TOP_SELF = 8;
export const TOP_TOTAL = 16;
export const TOP_BYTES = 24;
