/** A line of a location, in its row or in its details. */
export const FUNCTION: usize = 0;
export const NUMBER: usize = 4;
export const COLUMN: usize = 8;
export const BYTES: usize = 12;
