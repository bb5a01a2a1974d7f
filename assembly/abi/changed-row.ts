/** A row of the functions that two selections weigh differently, made by `assembly/view/changed.ts`. */
export const CHANGED_NAME = 0;
/** Its name in the baseline, 0 if it is the same. */
export const CHANGED_BASE_NAME = 4;
export const CHANGED_SELF = 8;
export const CHANGED_TOTAL = 16;
export const CHANGED_BASE_SELF = 24;
export const CHANGED_BASE_TOTAL = 32;
/** Sums of squared weights, f64: 0 unless the baseline was kept with them. */
export const CHANGED_SELF_SQUARES = 40;
export const CHANGED_TOTAL_SQUARES = 48;
export const CHANGED_BASE_SELF_SQUARES = 56;
export const CHANGED_BASE_TOTAL_SQUARES = 64;
export const CHANGED_BYTES = 72;
