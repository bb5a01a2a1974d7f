/** What the session's answers share: jobs that are repeated, throttled progress. */
import { Missing } from "../core/instance/missing.ts";
import { EngineMissing, loadPatterns } from "../pattern/pattern.ts";
import type { Progress } from "./api/api.ts";

/** The page lays out and paints its figures for each, while the worker reads on. */
const PROGRESS_EVERY_MS = 200;

let turns = 0;

/** Does a job, again and again once it has what it lacked, as the engine for patterns, or frames of calls. */
export async function repeated<T>(job: () => T | Promise<T>): Promise<T> {
  const turn = ++turns;
  for (;;) {
    try {
      return await job();
    } catch (error) {
      if (error instanceof EngineMissing) await loadPatterns();
      else if (error instanceof Missing) await error.load(turn);
      else throw error;
    }
  }
}

/** At most one call every PROGRESS_EVERY_MS, the first one at once. */
export function throttled<P = Progress>(onProgress: (p: P) => void): (p: P) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS) return;
    last = now;
    onProgress(progress);
  };
}
