/** Times of the observations of a link: both are maxima, 0 where no observation counts. */
export const EVIDENCE_SPAN = 0;
/** Local root, 0 = none. */
export const EVIDENCE_ROOT = 8;
export const EVIDENCE_NOT_FIRST = 16;
export const EVIDENCE_LAST = 24;
export const EVIDENCE_BYTES = 32;
