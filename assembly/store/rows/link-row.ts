/** Row of a link. */
export const TRACE_HIGH: u32 = 0;
export const TRACE_LOW: u32 = 2;
export const SPAN: u32 = 4;
