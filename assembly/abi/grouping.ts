/** Groupings of the call tree (`assembly/view/regroup.ts`). */

/** From the functions on top of the stacks to what called them. */
export const Callers = 0;
/** From one function to what called it. */
export const CallersOf = 1;
/** From one function to what it called. */
export const CalleesOf = 2;
