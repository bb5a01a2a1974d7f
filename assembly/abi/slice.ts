/** A run of bytes by its place and its size (`assembly/memory/slice.ts`). */
export const AT = 0;
export const SIZE = 4;
export const BYTES = 8;
