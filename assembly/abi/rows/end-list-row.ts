/** A list of the state at the end of a chunk, of a file that ended, made by `assembly/store/snapshots.ts`. */
export const EVENT = 0;
/** When its chunk began, i64 ns since 1970. */
export const BEGIN = 8;
export const BYTES = 16;
