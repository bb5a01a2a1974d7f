/** Values of a frame in two selections, f64 each, made by `assembly/view/diff/diff.ts`. */
export const TOTAL = 0;
export const SELF = 8;
export const BASE_TOTAL = 16;
export const BASE_SELF = 24;
/** Its name in the baseline, 0 if it is the same. */
export const BASE_NAME = 32;
export const BYTES = 40;
