/** Row of a value of a parameter, with the frames that have it. Times in ms. */
/** Id of the parameter in the dictionary of the run; in the first row, which counts all frames, 0. */
export const WORD = 0;
/** TEXT: the value is a string + 1. A stream (abi/cdt-stream.ts): a reference. Else ANY or OTHER. */
export const STREAM = 4;
export const VALUE = 8;
/** Frames with the value; each counts once. */
export const INVOCATIONS = 16;
/** Wall time of the outermost of them: one inside another of the same thread is part of it. */
export const TOTAL = 24;
/** Self of all of them, and its suspended part. */
export const SELF = 32;
export const SUSPENDED = 40;
/** The frame that was counted last. */
export const STAMP = 48;
export const BYTES = 56;

export const TEXT = 0;
/** All values of the parameter together. */
export const ANY = 0xfffffffe;
/** The values for which there is no row. */
export const OTHER = 0xffffffff;
/** Most rows of values. */
export const MOST_TALLIED = 100000;
