/** A row of the diagnostics (`assembly/store/diagnostics.ts`). */
export const CODE = 0;
export const CHUNK = 4;
export const COUNT = 8;
export const OFFSET = 16;
export const VALUE = 24;
export const BYTES = 32;
