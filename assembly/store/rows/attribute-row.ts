/** Row of an attribute. Key and unit are strings. */
export const KEY: u32 = 0;
export const TYPE: u32 = 1;
export const VALUE: u32 = 2;
export const UNIT: u32 = 4;
