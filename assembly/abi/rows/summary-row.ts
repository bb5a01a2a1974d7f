/** Totals of a profile in the store, made by `assembly/view/summary.ts`. */
export const SAMPLES = 0;
export const STACKS = 4;
export const THREADS = 8;
export const WITH_SPAN = 12;
export const VALUE = 16;
export const SECOND = 24;
export const WITH_ROOT = 32;
/** For the row alone; the figures above are those of its family.The value is not multiplied by a period. */
export const OWN_SAMPLES = 36;
export const OWN_VALUE = 40;
export const BYTES = 48;
