/** Counts of a run of a CDT dump, u32 each except for the time. */
export const RUN_WORDS = 0;
export const RUN_PARAMS = 4;
export const RUN_PAUSES = 8;
export const RUN_BLOCKS = 12;
/** u64: sum of the records' delays in ms. */
export const RUN_PAUSED = 16;
export const RUN_EVENTS = 24;
export const RUN_ROOTS = 28;
export const RUN_UNRECORDED = 32;
export const RUN_LINKED = 36;
export const RUN_THREADS = 40;
export const RUN_SQL = 44;
export const RUN_XML = 48;
/** Bits: formats of the calls that were read, 1 << format. */
export const RUN_FORMATS = 52;
/** Pieces of roots whose beginning is missing; exits at depth 0; frames that end before they begin. */
export const RUN_FRAGMENTS = 56;
export const RUN_UNDERFLOWS = 60;
export const RUN_BACKWARDS = 64;
/** Calls whose key leads to no enter of their method, although its trace file is there. */
export const RUN_DANGLING = 68;
/** References into sql or xml: distinct ones, those without a string, and the first of these. */
export const RUN_REFERENCES = 72;
export const RUN_LOST_REFERENCES = 76;
export const RUN_LOST_STREAM = 80;
export const RUN_LOST_FILE = 84;
export const RUN_LOST_OFFSET = 88;
/** Lowest id without a text, + 1; 0 if every id that was used has one. */
export const RUN_SHORT = 92;
/** Rows of its calls: first, and the one after the last. */
export const RUN_FIRST_CALL = 96;
export const RUN_LAST_CALL = 100;
/** Frames below MOST_DEPTH others (abi/listed-frame.ts). */
export const RUN_DEEP = 104;
export const RUN_BYTES = 112;
