/** Details of a location: what few locations have. */
export const SET: usize = 0;
export const LABEL: usize = 4;
/** The first of the further lines. */
export const LINES: usize = 8;
