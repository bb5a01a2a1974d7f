/** Distances of a thread's samples as counts, made by `assembly/view/short-gaps.ts`: u32 for each bin. */
export const GAP_NANOS = 10000;
/** Up to 12.5 ms: the longest tick of a kernel is 10 ms. The last bin has all longer ones. */
export const GAP_BINS = 1251;
