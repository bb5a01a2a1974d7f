/** The row of an observation, and the blocks that observations are in (samples.ts). */

export const BYTES: usize = 20;
export const SAMPLE: usize = 0;
export const TIME: usize = 4;
export const VALUE: usize = 12;

/** Observations per block: as many as fit into 1 MiB. */
export const BLOCK_ROWS: u32 = (1 << 20) / 20;
