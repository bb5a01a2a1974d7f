/** Row of a place: a frame as it is shown. */
export const BYTES: usize = 20;
export const LOCATION: usize = 0;
export const FUNCTION: usize = 4;
export const LINE: usize = 8;
export const COLUMN: usize = 12;
/** 0 if the frame has no name. */
export const NAME: usize = 16;
