/** Row of a field of a class. */
export const BYTES: usize = 48;
export const CLASS_ID: usize = 0;
export const NAME: usize = 8;
export const NAME_SIZE: usize = 12;
export const CLASS: usize = 16;
export const FLAGS: usize = 20;
export const UNIT: usize = 24;
/** 1 where an integer is to be read without a sign. */
export const UNSIGNED: usize = 28;
export const UNIT_ANNOTATION: usize = 32;
/** 1 where the value applies to all events of its thread during the event (jdk.jfr.Contextual). */
export const CONTEXTUAL: usize = 40;
export const IS_ARRAY: u32 = 1;
export const IS_REFERENCE: u32 = 2;
