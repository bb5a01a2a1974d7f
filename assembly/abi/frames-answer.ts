/** The answer to a request for frames; its layout is drawn in `assembly/view/frame-answer.ts`. */
export const FRAMES_ROWS = 0;
export const FRAMES_PATH_ROWS = 4;
export const FRAMES_IN_FOCUS = 8;
export const FRAMES_HIDDEN = 12;
export const FRAMES_SELECTION_TOTAL = 16;
export const FRAMES_HIDDEN_VALUE = 24;

/** Pointers to the columns over rows, and to the rows of the path. */
export const FRAMES_NODES = 32;
export const FRAMES_PARENTS = 36;
export const FRAMES_NAMES = 40;
export const FRAMES_TYPES = 44;
export const FRAMES_TOTALS = 48;
export const FRAMES_SELFS = 52;
export const FRAMES_HIDDEN_COUNTS = 56;
export const FRAMES_HIDDEN_VALUES = 60;
export const FRAMES_PATH = 64;
export const FRAMES_BYTES = 72;

/** A row of the path. */
export const PATH_NODE = 0;
export const PATH_NAME = 4;
export const PATH_TOTAL = 8;
export const PATH_BYTES = 16;
