/**
 * Threads that wait for the whole of a selection outside of any task, such as a reader of an idle connection or a main
 * thread that waits for the end. They are no cause of anything, so the sentence of a recording sets them aside. A
 * program that does hardly anything else has none: then its waits are the story.
 */
import type { Held } from "../../core/held.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { framesOf, namesPattern } from "../context/stack-states.ts";

/** Functions in which threads of pools and servers run tasks. */
export const TASKS = namesPattern(
  ...["ThreadPoolExecutor.runWorker", "ForkJoinTask.doExec", "EnhancedQueueExecutor$ThreadBody.run"],
  ...["QueuedThreadPool.runJob", "AbstractEventExecutor.runTask", "AbstractEventExecutor.safeExecute"],
  ...["java.lang.VirtualThread.run", "java.util.concurrent.ThreadPerTaskExecutor"],
);
/** A thread is active with more of its samples than this outside of such waits, busy together with this much of one. */
const LEAST_ACTIVE = 0.05;
const LEAST_BUSY = 0.1;
/** A thread that was there for less than this of the longest has no whole to wait for. */
const LEAST_LIFE = 0.5;
const THREADS = 500;
const THREAD = "thread.name";

/** Their names. `active`: filters of the samples in which threads run or are blocked. */
export function idleThreads(
  held: Held,
  { id }: Pick<ProfileSummary, "id">,
  filter: Filter,
  active: readonly Filter[],
): string[] {
  const byThread = (of: Filter) => {
    const { rows } = held.about(id, of).rank({ kind: "attribute", key: THREAD }, 0, THREADS);
    return new Map(rows.map(({ label, value }) => [label, Number(value)]));
  };
  const all = byThread(filter);
  const longest = Math.max(0, ...all.values());
  const inTasks = { ...filter, frames: [...(filter.frames ?? []), { pattern: TASKS }, ...framesOf(null, ["idle"])] };
  const parts = [...active, inTasks].map(byThread);
  const activeOf = (name: string) => parts.reduce((sum, part) => sum + (part.get(name) ?? 0), 0);
  const idle = [...all].filter(([name, whole]) => {
    return name !== "" && whole >= LEAST_LIFE * longest && activeOf(name) <= LEAST_ACTIVE * whole;
  });
  const set = new Set(idle.map(([name]) => name));
  const busy = [...all.keys()].reduce((sum, name) => sum + (set.has(name) ? 0 : activeOf(name)), 0);
  return busy < LEAST_BUSY * longest ? [] : [...set];
}

/** The filter without some threads. */
export function withoutThreads(filter: Filter, names: readonly string[]): Filter {
  if (names.length === 0) return filter;
  const attributes = names.map((value) => ({ key: THREAD, value, exclude: true }));
  return { ...filter, attributes: [...(filter.attributes ?? []), ...attributes] };
}
