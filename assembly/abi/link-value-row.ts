/** A link with selected samples. */
export const LINK_VALUE_VALUE = 0;
export const LINK_VALUE_SPAN = 8;
/** Local root, 0 = none. */
export const LINK_VALUE_ROOT = 16;
/** Row of one of the samples. */
export const LINK_VALUE_SAMPLE = 24;
export const LINK_VALUE_LINK = 28;
export const LINK_VALUE_SAMPLES = 32;
export const LINK_VALUE_BYTES = 40;
