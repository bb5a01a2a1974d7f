/** Groupings of the call tree (`assembly/view/regroup.ts`). */

/** From the functions on top of the stacks to their callers. */
export const Callers = 0;
/** From one function to its callers. */
export const CallersOf = 1;
/** From one function to its callees. */
export const CalleesOf = 2;
