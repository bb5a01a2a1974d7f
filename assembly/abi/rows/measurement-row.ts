/** A row of the measurements (`assembly/store/measurements.ts`). */
export const SERIES = 0;
export const CHUNK = 4;
export const TIME = 8;
export const VALUE = 16;
export const BYTES = 24;
