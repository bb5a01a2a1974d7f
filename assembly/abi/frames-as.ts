/** What the second pass over a trace makes of the frames of calls. */
/** Samples of their paths. */
export const Samples = 0;
/** A list in the order of entering. */
export const List = 1;
/** Sums by the values of their parameters. */
export const Tally = 2;
/** Samples of calls that the selected ones are compared with. */
export const Others = 3;
