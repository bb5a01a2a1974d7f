/** Row of a function. Names and the file are strings. */
export const NAME: u32 = 0;
export const SYSTEM_NAME: u32 = 1;
export const FILE_NAME: u32 = 2;
export const START_LINE: u32 = 3;
