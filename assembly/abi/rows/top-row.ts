/** A row of the table of functions, made by `assembly/view/top.ts`. */
export const NAME = 0;
export const SELF = 8;
export const TOTAL = 16;
export const BYTES = 24;
