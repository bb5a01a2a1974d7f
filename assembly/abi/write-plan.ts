/** Flags of an output in the plan of a message; its layout is in `assembly/write/plan.ts`. */

/** A sample has one value, the sum, and no timestamps. */
export const OUTPUT_AGGREGATED = 1;
/** The label is an attribute of the Profile, not of each of its samples. */
export const OUTPUT_LABELLED = 2;
