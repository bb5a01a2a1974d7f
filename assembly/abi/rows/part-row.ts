/** Rows of parts of waits, each held by one holder (`assembly/store/held/divided.ts`). */
export const OBSERVATION = 0;
/** With the name of the holder. */
export const ATTRIBUTE = 4;
export const VALUE = 8;
export const BYTES = 16;
