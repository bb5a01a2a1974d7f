/** A part of a written message (`assembly/write/output.ts`). */

/** 0 where the host puts the payload. */
export const AT = 0;
export const SIZE = 4;
export const BYTES = 8;
