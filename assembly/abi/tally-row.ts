/** Row of a value of a parameter, with the frames that have it. Times in ms. */
/** Id of the parameter in the dictionary of the run; in the first row, which counts all frames, 0. */
export const TALLY_WORD = 0;
/** TALLY_TEXT: the value is a string + 1. A stream (abi/cdt-stream.ts): a reference. Else TALLY_ANY or TALLY_OTHER. */
export const TALLY_STREAM = 4;
export const TALLY_VALUE = 8;
/** Frames with the value; each counts once. */
export const TALLY_INVOCATIONS = 16;
/** Wall time of the outermost of them: one inside another of the same thread is part of it. */
export const TALLY_TOTAL = 24;
/** Self of all of them, and its suspended part. */
export const TALLY_SELF = 32;
export const TALLY_SUSPENDED = 40;
/** The frame that was counted last. */
export const TALLY_STAMP = 48;
export const TALLY_BYTES = 56;

export const TALLY_TEXT = 0;
/** All values of the parameter together. */
export const TALLY_ANY = 0xfffffffe;
/** The values for which there is no row. */
export const TALLY_OTHER = 0xffffffff;
/** Most rows of values. */
export const MOST_TALLIED = 100000;
