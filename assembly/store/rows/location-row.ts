/** Row of a location, with its first line. */
export const FUNCTION: u32 = 0;
export const LINE: u32 = 1;
export const COLUMN: u32 = 2;
export const MAPPING: u32 = 3;
export const ADDRESS: u32 = 4;
export const FRAME_TYPE: u32 = 6;
export const DETAILS: u32 = 7;
