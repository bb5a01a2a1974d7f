/** The trace of a span id, as the host states it for a message. */
export const SPAN = 0;
export const ID_HIGH = 8;
export const ID_LOW = 16;
export const BYTES = 24;
