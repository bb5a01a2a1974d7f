/** A row of the diagnostics (`assembly/store/diagnostics.ts`). */
export const DIAGNOSTIC_CODE = 0;
export const DIAGNOSTIC_CHUNK = 4;
export const DIAGNOSTIC_COUNT = 8;
export const DIAGNOSTIC_OFFSET = 16;
export const DIAGNOSTIC_VALUE = 24;
export const DIAGNOSTIC_BYTES = 32;
