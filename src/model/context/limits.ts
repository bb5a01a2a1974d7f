/** Limits of the rules that infer context, in ns (docs/context.md). */

/** How far the clocks of two chunks, and the two readings around a call, may differ. */
export const SLACK = 200_000;
/** The distance that an event keeps from every edge of a trace whose clock is not known. */
export const UNSURE = 2_000_000;
/** Scopes or spans around one event that are inspected; inside more, there is no answer. */
export const MOST_AROUND = 4096;
