/** Row of a scope. Texts are strings. */
export const NAME: u32 = 0;
export const VERSION: u32 = 1;
export const SET: u32 = 2;
export const URL: u32 = 3;
export const RESOURCE_URL: u32 = 4;
export const RESOURCE: u32 = 5;
export const HOLDER: u32 = 6;
