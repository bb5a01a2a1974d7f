/** Kinds of incidents: pauses of the process and losses of the recorder (`assembly/store/incidents.ts`). */

/** jdk.GarbageCollection: how long its pauses were together. */
export const Collection = 0;
/** jdk.GCPhasePause. */
export const Pause = 1;
/** jdk.DataLoss. */
export const Loss = 2;
/**
 * A recorder limited an event (text), and wrote as many as the limit lets through: `id` per `time` ns. The amount is
 * the number in the fullest window of the chunk.
 */
export const Limit = 3;
