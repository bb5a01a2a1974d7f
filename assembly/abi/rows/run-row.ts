/** Counts of a run of a CDT dump, u32 each except for the time. */
export const WORDS = 0;
export const PARAMS = 4;
export const PAUSES = 8;
export const BLOCKS = 12;
/** u64: sum of the records' delays in ms. */
export const PAUSED = 16;
export const EVENTS = 24;
export const ROOTS = 28;
export const UNRECORDED = 32;
export const LINKED = 36;
export const THREADS = 40;
export const SQL = 44;
export const XML = 48;
/** Bits: formats of the calls that were read, 1 << format. */
export const FORMATS = 52;
/** Pieces of roots whose beginning is missing; exits at depth 0; frames that end before they begin. */
export const FRAGMENTS = 56;
export const UNDERFLOWS = 60;
export const BACKWARDS = 64;
/** Calls whose key leads to no enter of their method, although its trace file is there. */
export const DANGLING = 68;
/** References into sql or xml: distinct ones, those without a string, and the first of these. */
export const REFERENCES = 72;
export const LOST_REFERENCES = 76;
export const LOST_STREAM = 80;
export const LOST_FILE = 84;
export const LOST_OFFSET = 88;
/** Lowest id without a text, + 1; 0 if every id that was used has one. */
export const SHORT = 92;
/** Rows of its calls: first, and the one after the last. */
export const FIRST_CALL = 96;
export const LAST_CALL = 100;
/** Frames below MOST_DEPTH others (abi/listed-frame.ts). */
export const DEEP = 104;
export const BYTES = 112;
