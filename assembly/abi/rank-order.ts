/** Orders of the rows of a ranking. */

/** Largest first, then by samples. */
export const Value = 0;
/** Most first, then by value. */
export const Samples = 1;
/** By the keys that the host gives; without keys by id. */
export const Key = 2;
/** The earliest first. */
export const First = 3;
/** Time from the first observation to the last: longest first. */
export const Duration = 4;
/** Attribute rows only: most requests first. */
export const Requests = 5;
/** Attribute rows only: the largest 95th percentile of the requests' extents first. */
export const Slowest = 6;
