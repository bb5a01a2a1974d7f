/** Row of a frame of a call of a CDT dump, in the order of entering. Times in ms. */
export const CALL = 0;
export const DEPTH = 4;
/** Id in the dictionary of the run, 0xffffffff = time that the call reports beyond its tree. */
export const METHOD = 8;
export const START = 16;
export const TOTAL = 24;
export const SELF = 32;
/** Suspended part of self. */
export const SUSPENDED = 40;
export const BYTES = 48;
/** Row of a tag of a listed frame: the row of the frame, and its name in the dictionary. */
export const TAG_FRAME = 0;
export const TAG_WORD = 4;
/** Stream of a large text, 0 = the text is in the trace. */
export const TAG_STREAM = 8;
/** String + 1 of the text, or its reference. */
export const TAG_VALUE = 12;
export const TAG_BYTES = 16;
/**
 * Frames of the longest stack. Time and number of deeper frames count for the frame at this depth: a trace of n enters
 * in each other would have stacks of n² / 2 frames.
 */
export const MOST_DEPTH = 2048;
