/** Limits of what the core keeps or reads. */

/** Attributes of one owner: finding a key means comparing all of them. */
export const MAX_ATTRIBUTES = 256;
/** Inlined lines of a location: every stack through it gets as many frames. */
export const MAX_LINES = 64;
/** Lists inside each other in the value of an attribute. No producer is known that goes as deep. */
export const MAX_DEPTH = 16;
