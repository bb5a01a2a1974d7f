/** Row of an output of a plan (plan.ts). */
export const BYTES: usize = 56;
export const PROFILE: usize = 0;
export const MEASURE: usize = 4;
export const FLAGS: usize = 8;
export const LAYER: usize = 12;
/** Factor of values: 1, or the period that a sample represents. */
export const SCALE: usize = 16;
export const PERIOD: usize = 24;
export const TYPE: usize = 32;
export const UNIT: usize = 36;
export const PERIOD_TYPE: usize = 40;
export const PERIOD_UNIT: usize = 44;
/** String: the value of `profile.type`, empty if it is not written. */
export const LABEL: usize = 48;
/** Run of its samples in protobuf. */
export const RUN: usize = 52;
