/** A part of a written message (`assembly/write/output.ts`). */

/** 0 where the host puts the payload. */
export const SEGMENT_AT = 0;
export const SEGMENT_SIZE = 4;
export const SEGMENT_BYTES = 8;
