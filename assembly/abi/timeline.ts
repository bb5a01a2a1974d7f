/** A bin of time and a thread of the timeline, made by `assembly/view/timeline.ts`. */
export const BIN_ALL = 0;
export const BIN_SELECTED = 8;
export const BIN_SAMPLES = 16;
export const BIN_SELECTED_SAMPLES = 20;
export const BIN_BYTES = 24;

/** Bins in a column of a heat map, 20 ms each. */
export const HEAT_ROWS = 50;

export const ACTIVITY_THREAD = 0;
/** Attributes with the name and the id. */
export const ACTIVITY_NAME = 4;
export const ACTIVITY_ID = 8;
export const ACTIVITY_SAMPLES = 12;
export const ACTIVITY_ALL = 16;
export const ACTIVITY_SELECTED = 24;
export const ACTIVITY_FIRST = 32;
export const ACTIVITY_BYTES = 40;
