/** Flags of an output in the plan of a message; its layout is in `assembly/write/plan.ts`. */

/** A sample has one value, the sum, and no timestamps. */
export const OUTPUT_AGGREGATED = 1;
/** The label is an attribute of the Profile, not of each of its samples. */
export const OUTPUT_LABELLED = 2;
/** The profile is the first row of its family, and the output has the samples of all of them. */
export const OUTPUT_JOINED = 4;
/** Values are multiplied by the period of their row. */
export const OUTPUT_TIMED = 8;
/** A message states the type: it is written without samples, too, beside types of its pprof file with samples. */
export const OUTPUT_STATED = 16;
/** A message states the type: it is written without samples beside any type, because nothing is filtered. */
export const OUTPUT_KEPT = 32;
