/** Row of a pause of a dump's run. Rows are in the order of time, and apart from each other. Times in ms. */
export const FROM = 0;
export const TO = 8;
/** Paused time of the rows before. */
export const BEFORE = 16;
export const BYTES = 24;
