/** A run of bytes by its place and its size (`assembly/memory/slice.ts`). */
export const SLICE_AT = 0;
export const SLICE_SIZE = 4;
export const SLICE_BYTES = 8;
