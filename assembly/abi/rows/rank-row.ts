/** A row of a ranking, made by `assembly/view/rank.ts`. */
export const SPAN = 0;
/** In place of the span where attributes are ranked. */
export const GROUP = 0;
export const TRACE_LOW = 8;
export const TRACE_HIGH = 16;
export const VALUE = 24;
export const SAMPLES = 32;
export const LABEL = 36;
/** All bits of the first time inverted, so that 0 means no time. */
export const FIRST = 40;
export const LAST = 48;
export const SAMPLE = 56;
/** Observations whose context is inferred. */
export const INFERRED = 60;
/** Attribute rows only: the row of their requests, see below. */
export const REQUESTS = 64;
export const BYTES = 96;

/** Requests of a value: local roots with samples of it, and percentiles of their extents in nanoseconds. */
export const REQUEST_COUNT = 0;
export const REQUEST_P50 = 8;
export const REQUEST_P95 = 16;
export const REQUEST_LONGEST = 24;
export const REQUEST_BYTES = 32;

/** Set in a label that is a string index, not an attribute. */
export const LABEL_TEXT = 0x80000000;

/** The id of a group of spans or traces. */
export const ID_LOW = 0;
export const ID_HIGH = 8;
export const ID_BYTES = 16;
