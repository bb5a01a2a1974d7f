/** How much of a call's tree the trace has. */
export const None = 0;
export const Whole = 1;
/** Open at the end of the data. */
export const Active = 2;
/** Damage, a missing file or the end of the data went through it. */
export const Cut = 3;
