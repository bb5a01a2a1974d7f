/** Rules for the value of an observation (`assembly/read/jfr/sample.ts`). */
export const Count = 0;
export const Field = 1;
export const Amount = 2;
export const Rounded = 3;
export const Scaled = 4;
export const Duration = 5;
export const ScaledDuration = 6;
export const Any = 7;
/** An amount that an event with the rule Freed may give back. */
export const Allocated = 8;
export const Freed = 9;
