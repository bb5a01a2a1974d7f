/** A row of the functions that two selections weigh differently, made by `assembly/view/diff/changed.ts`. */
export const NAME = 0;
/** Its name in the baseline, 0 if it is the same. */
export const BASE_NAME = 4;
export const SELF = 8;
export const TOTAL = 16;
export const BASE_SELF = 24;
export const BASE_TOTAL = 32;
/** Sums of squared weights, f64: 0 unless the baseline was kept with them. */
export const SELF_SQUARES = 40;
export const TOTAL_SQUARES = 48;
export const BASE_SELF_SQUARES = 56;
export const BASE_TOTAL_SQUARES = 64;
export const BYTES = 72;
