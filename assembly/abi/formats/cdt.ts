/** CDT dumps, which are passed stream by stream (read/cdt/dump.ts): why the reader of a stream stopped in a file. */

/** The number of the reader. Dumps are never opened. */
export const Reader = 5;

export const None = 0;
/** The file ends within a record, a phrase or a block. */
export const Truncated = 1;
/** A value that no healthy agent writes. */
export const Implausible = 2;
/** A phrase of 0 bytes, or of more than any agent sends. */
export const PhraseLength = 3;
/** Calls of an unknown format, or of no plausible time. */
export const CallsFormat = 4;
