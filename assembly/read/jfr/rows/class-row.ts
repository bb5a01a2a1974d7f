/** Row of a class of the metadata. */
export const BYTES: usize = 64;
export const ID: usize = 0;
export const NAME: usize = 8;
export const NAME_SIZE: usize = 12;
export const FIRST_FIELD: usize = 16;
export const FIELDS: usize = 20;
export const BASE: usize = 24;
export const PLAN: usize = 28;
export const POOL: usize = 32;
export const EVENT_PLAN: usize = 36;
export const EVENTS: usize = 40;
export const SIMPLE: usize = 44;
/** See `textField` and `textPlan` in struct.ts; 0 = not asked yet. */
export const TEXT_FIELD: usize = 48;
export const TEXT_PLAN: usize = 52;
export const STRING: usize = 56;
