/** A link with selected samples. */
export const VALUE = 0;
export const SPAN = 8;
/** Local root, 0 = none. */
export const ROOT = 16;
/** Row of one of the samples. */
export const SAMPLE = 24;
export const LINK = 28;
export const SAMPLES = 32;
export const BYTES = 40;
