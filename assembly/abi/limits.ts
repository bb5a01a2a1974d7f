/** Limits on the amounts of data that the core keeps or reads. */

/** Attributes of one owner: finding a key means comparing all of them. */
export const MAX_ATTRIBUTES = 256;
/** Inlined lines of a location: every stack through it gets as many frames. */
export const MAX_LINES = 64;
/** Frames of a stack. Threads of the JVM have 512 KiB to some MiB of stack, which are some ten thousand frames. */
export const MOST_STACK_FRAMES = 65536;
/** Frames of a stack after all inlined lines that the messages of a core may have; two locations have no more. */
export const LEAST_STACK_FRAMES = 128;
/** Lists inside each other in the value of an attribute. No producer is known that goes as deep. */
export const MAX_DEPTH = 16;
/** Frames of a drawing per CSS pixel of its width: a frame narrower than half a pixel is hidden. */
export const FRAMES_PER_PIXEL = 2;
/**
 * Rows of one answer for a drawing, against files made to exhaust a browser. Large recordings have 20,000 frames that
 * are wide enough for a screen.
 */
export const MAX_FRAMES = 262144;
/** Rows of the table of spans, which take 112 bytes each. */
export const MAX_SPANS = 16777216;
