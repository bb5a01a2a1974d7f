/** Row of a pause of a dump's run. Rows are in the order of time, and apart from each other. Times in ms. */
export const PAUSE_FROM = 0;
export const PAUSE_TO = 8;
/** Paused time of the rows before. */
export const PAUSE_BEFORE = 16;
export const PAUSE_BYTES = 24;
