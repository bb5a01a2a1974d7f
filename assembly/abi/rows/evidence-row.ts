/** Times of the observations of a link: both are maxima, 0 where no observation counts. */
export const SPAN = 0;
/** Local root, 0 = none. */
export const ROOT = 8;
export const NOT_FIRST = 16;
export const LAST = 24;
export const BYTES = 32;
