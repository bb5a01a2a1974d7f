/** Row of a frame of a call of a CDT dump, in the order of entering. Times in ms. */
export const LISTED_CALL = 0;
export const LISTED_DEPTH = 4;
/** Id in the dictionary of the run, 0xffffffff = time that the call reports beyond its tree. */
export const LISTED_METHOD = 8;
export const LISTED_START = 16;
export const LISTED_TOTAL = 24;
export const LISTED_SELF = 32;
/** Suspended part of self. */
export const LISTED_SUSPENDED = 40;
export const LISTED_BYTES = 48;
/**
 * Frames of the longest stack. Time and number of deeper frames count for the frame at this depth: a trace of n enters
 * in each other would have stacks of n² / 2 frames.
 */
export const MOST_DEPTH = 2048;
