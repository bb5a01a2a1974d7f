/** Times of the observations of a link's span: both are maxima, 0 where no observation counts. */
export const EVIDENCE_SPAN = 0;
export const EVIDENCE_NOT_FIRST = 8;
export const EVIDENCE_LAST = 16;
export const EVIDENCE_BYTES = 24;
