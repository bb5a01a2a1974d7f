/** The row of an observation, and the blocks that observations are in (samples.ts). */

export const OBSERVATION_BYTES: usize = 20;
export const OBSERVATION_SAMPLE: usize = 0;
export const OBSERVATION_TIME: usize = 4;
export const OBSERVATION_VALUE: usize = 12;

/** Observations per block: as many as fit into 1 MiB. */
export const BLOCK_ROWS: u32 = (1 << 20) / 20;
