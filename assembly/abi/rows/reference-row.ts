/** Row of a reference of the trace of a CDT dump into its large texts. */
export const STREAM = 0;
export const FILE = 4;
/** Of the string, in the unpacked file. */
export const OFFSET = 8;
/** String + 1; 0 = not found, or not kept. */
export const TEXT = 12;
/** 1 = a string begins there. */
export const FOUND = 16;
export const BYTES = 24;
