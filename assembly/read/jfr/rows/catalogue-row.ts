/** Row of an event of the catalogue, after its name. */
export const BYTES: usize = 144;
export const FLAGS: usize = 8;
export const RULE: usize = 12;
export const SECOND: usize = 16;
export const SNAPSHOT: usize = 20;
export const FIELDS: usize = 24;
export const SKIP: usize = 72;
export const ROUTE: usize = 80;
export const WHERE: usize = 88;
export const ROUTE_TEXTS: usize = 96;
export const ATTRIBUTES: usize = 104;
export const KNOWN: usize = 112;
/** Fields that take the place of the usual ones, and the unit of a field that states none; empty in the catalogue. */
export const STACK: usize = 120;
export const THREAD: usize = 128;
export const UNIT: usize = 136;
