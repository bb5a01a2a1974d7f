/** A row of the functions that two selections weigh differently, made by `assembly/view/changed.ts`. */
export const CHANGED_NAME = 0;
export const CHANGED_SELF = 8;
export const CHANGED_TOTAL = 16;
export const CHANGED_BASE_SELF = 24;
export const CHANGED_BASE_TOTAL = 32;
export const CHANGED_BYTES = 40;
