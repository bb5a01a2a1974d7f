/** Totals of a profile in the store, made by `assembly/view/summary.ts`. */
export const SUMMARY_SAMPLES = 0;
export const SUMMARY_STACKS = 4;
export const SUMMARY_THREADS = 8;
export const SUMMARY_WITH_SPAN = 12;
export const SUMMARY_VALUE = 16;
export const SUMMARY_SECOND = 24;
export const SUMMARY_WITH_ROOT = 32;
/** For the row alone; the figures above are those of its family.The value is not multiplied by a period. */
export const SUMMARY_OWN_SAMPLES = 36;
export const SUMMARY_OWN_VALUE = 40;
export const SUMMARY_BYTES = 48;
