/** Row of a sample (samples.ts). */
export const BYTES: usize = 32;
export const EVENT: usize = 0;
export const STACK: usize = 4;
export const LINK: usize = 8;
export const THREAD: usize = 12;
export const SET: usize = 16;
export const COUNT: usize = 20;
export const SUM: usize = 24;
