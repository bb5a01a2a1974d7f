/** Row of a call of a CDT dump: a record of the stream `calls`, or a root of the trace without one. Times in ms. */
export const CALL_RUN = 0;
/** Id in the dictionary of the run. */
export const CALL_METHOD = 4;
/** Key: the enter of its root, as trace file index, offset of the block, ordinal of the event in it. */
export const CALL_FILE = 8;
export const CALL_OFFSET = 12;
export const CALL_ORDINAL = 16;
/** 1 for the first call of its key, 2 for the second. */
export const CALL_TWIN = 20;
/** The call of the same key before this one, 0 = none. */
export const CALL_BEFORE = 24;
/** Name of the thread, a string. */
export const CALL_THREAD = 28;
/** One of abi/call-tree.ts. */
export const CALL_TREE = 32;
/** Format of the record; for roots without a record CALL_UNRECORDED. */
export const CALL_FORMAT = 36;
/** Frames, with the root. */
export const CALL_ENTERS = 40;
/** Row of the parameters, 0 = none. */
export const CALL_PARAMS = 44;
/** Row of the link that the parameters state, 0 = none. */
export const CALL_LINK = 48;
/** 1: damage went through the root of its key. */
export const CALL_DAMAGED = 52;
export const CALL_START = 56;
export const CALL_DURATION = 64;
/** Part of the call in pauses. */
export const CALL_SUSPENSION = 72;
/** Wall time of its tree, or of what there is of it. */
export const CALL_TREE_WALL = 80;
/** Id of the thread in the trace, −1 without a tree. */
export const CALL_THREAD_ID = 88;
/** Figures of the record, each i64: see CALL_FORMAT for those that it has. */
export const CALL_CPU = 96;
export const CALL_WAIT = 104;
export const CALL_QUEUE = 112;
export const CALL_TRANSACTIONS = 120;
export const CALL_MEMORY = 128;
export const CALL_FILE_READ = 136;
export const CALL_FILE_WRITTEN = 144;
export const CALL_NET_READ = 152;
export const CALL_NET_WRITTEN = 160;
export const CALL_LOGS_GENERATED = 168;
export const CALL_LOGS_WRITTEN = 176;
/** In place of the string of a parameter without values. */
export const NO_VALUE = 0xffffffff;
export const CALL_BYTES = 184;
export const CALL_UNRECORDED = 255;
