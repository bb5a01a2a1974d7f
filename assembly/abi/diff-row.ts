/** Values of a frame in two selections, f64 each, made by `assembly/view/diff.ts`. */
export const DIFF_TOTAL = 0;
export const DIFF_SELF = 8;
export const DIFF_BASE_TOTAL = 16;
export const DIFF_BASE_SELF = 24;
/** Its name in the baseline, 0 if it is the same. */
export const DIFF_BASE_NAME = 32;
export const DIFF_BYTES = 40;
