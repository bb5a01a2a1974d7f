/** The answer to a request for frames; its layout is drawn in `assembly/view/frame-answer.ts`. */
export const ROWS = 0;
export const PATH_ROWS = 4;
export const IN_FOCUS = 8;
export const HIDDEN = 12;
export const SELECTION_TOTAL = 16;
export const HIDDEN_VALUE = 24;

/** Pointers to the columns over rows, and to the rows of the path. */
export const NODES = 32;
export const PARENTS = 36;
export const NAMES = 40;
export const TYPES = 44;
export const TOTALS = 48;
export const SELFS = 52;
export const HIDDEN_COUNTS = 56;
export const HIDDEN_VALUES = 60;
export const PATH = 64;
export const BYTES = 72;

/** A row of the path. */
export const PATH_NODE = 0;
export const PATH_NAME = 4;
export const PATH_TOTAL = 8;
export const PATH_BYTES = 16;
