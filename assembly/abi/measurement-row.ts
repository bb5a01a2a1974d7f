/** A row of the measurements (`assembly/store/measurements.ts`). */
export const MEASUREMENT_SERIES = 0;
export const MEASUREMENT_CHUNK = 4;
export const MEASUREMENT_TIME = 8;
export const MEASUREMENT_VALUE = 16;
export const MEASUREMENT_BYTES = 24;
