/** Row of a reference of the trace of a CDT dump into its large texts. */
export const REFERENCE_STREAM = 0;
export const REFERENCE_FILE = 4;
/** Of the string, in the unpacked file. */
export const REFERENCE_OFFSET = 8;
/** String + 1; 0 = not found, or not kept. */
export const REFERENCE_TEXT = 12;
/** 1 = a string begins there. */
export const REFERENCE_FOUND = 16;
export const REFERENCE_BYTES = 24;
