/** Treatment of recursive calls in the call tree (`assembly/view/shape.ts`). */
export const Kept = 0;
/** A function that calls itself is one frame. */
export const Direct = 1;
/** A function that comes again below itself is led back to its frame further out. */
export const All = 2;
