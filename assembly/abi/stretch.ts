/** A stretch of time: the observations between two moments, made by `assembly/view/between.ts`. */
export const STRETCH_SAMPLES = 0;
export const STRETCH_FIRST = 8;
export const STRETCH_LAST = 16;
export const STRETCH_BYTES = 24;
