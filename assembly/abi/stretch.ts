/** A stretch of time: the observations between two moments, made by `assembly/view/diff/between.ts`. */
export const SAMPLES = 0;
export const FIRST = 8;
export const LAST = 16;
export const BYTES = 24;
