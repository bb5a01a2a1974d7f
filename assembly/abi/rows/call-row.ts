/** Row of a call of a CDT dump: a record of the stream `calls`, or a root of the trace without one. Times in ms. */
export const RUN = 0;
/** Id in the dictionary of the run. */
export const METHOD = 4;
/** Key: the enter of its root, as trace file index, offset of the block, ordinal of the event in it. */
export const FILE = 8;
export const OFFSET = 12;
export const ORDINAL = 16;
/** 1 for the first call of its key, 2 for the second. */
export const TWIN = 20;
/** The call of the same key before this one, 0 = none. */
export const BEFORE = 24;
/** Name of the thread, a string. */
export const THREAD = 28;
/** One of abi/call-tree.ts. */
export const TREE = 32;
/** Format of the record; for roots without a record UNRECORDED. */
export const FORMAT = 36;
/** Frames, with the root. */
export const ENTERS = 40;
/** Row of the parameters, 0 = none. */
export const PARAMS = 44;
/** Row of the link that the parameters state, 0 = none. */
export const LINK = 48;
/** 1: damage went through the root of its key. */
export const DAMAGED = 52;
export const START = 56;
export const DURATION = 64;
/** Part of the call in pauses. */
export const SUSPENSION = 72;
/** Wall time of its tree, or of what there is of it. */
export const TREE_WALL = 80;
/** Id of the thread in the trace, −1 without a tree. */
export const THREAD_ID = 88;
/** Figures of the record, each i64: see FORMAT for those that it has. */
export const CPU = 96;
export const WAIT = 104;
export const QUEUE = 112;
export const TRANSACTIONS = 120;
export const MEMORY = 128;
export const FILE_READ = 136;
export const FILE_WRITTEN = 144;
export const NET_READ = 152;
export const NET_WRITTEN = 160;
export const LOGS_GENERATED = 168;
export const LOGS_WRITTEN = 176;
/** In place of the string of a parameter without values. */
export const NO_VALUE = 0xffffffff;
export const BYTES = 184;
export const UNRECORDED = 255;
