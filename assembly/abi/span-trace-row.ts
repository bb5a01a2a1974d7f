/** The trace of a span id, as the host states it for a message. */
export const SPAN_TRACE_SPAN = 0;
export const SPAN_TRACE_ID_HIGH = 8;
export const SPAN_TRACE_ID_LOW = 16;
export const SPAN_TRACE_BYTES = 24;
