/** For tests: the process kills itself at a step of a commit. */
import type { Step } from "./data-set.ts";

/** `SPANFLAME_KILL_AT=N`: at the Nth step. */
export function killedAt(): Step | undefined {
  const at = Number(process.env.SPANFLAME_KILL_AT ?? 0);
  if (!(at > 0)) return undefined;
  let steps = 0;
  return () => {
    if (++steps === at) process.kill(process.pid, "SIGKILL");
  };
}
