/** Facts of a file without waits for monitors. */
import type { LockWaits } from "../../src/core/samples/waits.ts";

const NONE = new Uint32Array(0);
const NO_TIMES = new Float64Array(0);

export const NO_LOCKS: LockWaits = {
  ...{ count: 0, objects: 0, object: NONE, thread: NONE, owner: new Int32Array(0), threadRow: NONE, ownerRow: NONE },
  ...{ start: NO_TIMES, end: NO_TIMES },
};
