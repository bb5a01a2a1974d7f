/** Clean end of the process, without Node's hang in compile jobs. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects garbage once, so that Node's compile jobs can end. At its end Node waits for the jobs that optimise
 * JavaScript on other threads, and a job that finds the heap full waits for the main thread to collect: a deadlock
 * (nodejs/node#54918). After a collection the heap has room for the allocations of a job. To be called when the work is
 * done.
 */
export function settle(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect === "function") collect();
}
