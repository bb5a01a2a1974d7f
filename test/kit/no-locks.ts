/** Facts of a file without waits for monitors, and without parks. */
import type { ContextFacts } from "../../src/core/samples/contexts.ts";

const NONE = new Uint32Array(0);
const NO_TIMES = new Float64Array(0);
const NO_WAITS = {
  ...{ count: 0, objects: 0, object: NONE, thread: NONE, owner: new Int32Array(0), threadRow: NONE, ownerRow: NONE },
  ...{ start: NO_TIMES, end: NO_TIMES },
};

export const NO_LOCKS: Pick<ContextFacts, "locks" | "parks"> = {
  locks: NO_WAITS,
  parks: { ...NO_WAITS, wait: NONE, stack: NONE },
};
