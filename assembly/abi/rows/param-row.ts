/** Row of a parameter that the stream `params` of a dump states. */
export const NAME = 0;
/** Place among the parameters, signed: the lowest is first. */
export const ORDER = 4;
/** Name of the function that groups its values, such as `sql`; empty without one. */
export const GROUPING = 8;
/** Bits: INDEXED, LIST. */
export const FLAGS = 12;
export const BYTES = 16;

export const INDEXED = 1;
export const LIST = 2;
