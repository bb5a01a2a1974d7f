/** Names of the parts of a span's time and of the states of its samples, and words for their intervals. */
import { formatNanos } from "../words/format.ts";
import type { BreakdownName, BreakdownPart } from "./breakdown.ts";
import type { RequestTime } from "./request-time.ts";
import type { ToldState } from "./states.ts";

export const PART_WORDS: Readonly<Record<BreakdownName, { name: string; about: string }>> = {
  cpu: { name: "CPU", about: "on a processor, by CPU samples" },
  runnable: { name: "ready to run", about: "not on a processor, by its CPU samples" },
  running: { name: "running or ready to run", about: "this recording does not tell whether on a processor" },
  lock: { name: "lock", about: "blocked by monitors" },
  wait: { name: "wait", about: "waiting on monitors" },
  park: { name: "park", about: "parked" },
  sleep: { name: "sleep", about: "asleep" },
  socket: { name: "socket", about: "socket I/O" },
  file: { name: "file", about: "file I/O" },
  call: { name: "system call", about: "in a system call of unknown kind" },
  idle: { name: "idle", about: "a thread waited for its next task, and still had the ids" },
  unknown: { name: "other wait", about: "waiting in another way" },
  "off-thread": { name: "on no thread", about: "waits for a callback or a result" },
  gc: { name: "GC", about: "pauses of the garbage collector, and waits for one" },
  children: { name: "child spans", about: "child spans ran, and no event of this span" },
  unsampled: { name: "not sampled", about: "no event, sample or child span explains it" },
};

export const STATE_WORDS: Record<ToldState, string> = {
  running: "running or ready to run",
  lock: "blocked",
  wait: "waiting",
  park: "parked",
  sleep: "asleep",
  io: "reading or writing",
  idle: "idle",
  gc: "in a GC pause",
  unknown: "in another wait",
};

/** `12 ms – 40 ms`; of a part that is known exactly `measured`. */
export function intervalWords({ low, high }: Pick<BreakdownPart, "low" | "high">): string {
  return low === high ? "measured" : `${formatNanos(Number(low))} – ${formatNanos(Number(high))}`;
}

/** Threads that work at once have one time, and each its CPU time: "" where that is not above the duration. */
export function atOnceWords({ duration, cpu, counted }: Pick<RequestTime, "duration" | "cpu" | "counted">): string {
  if (cpu === null || cpu <= duration) return "";
  const [own, more] = [cpu / counted, (cpu - duration) / counted].map(formatNanos);
  return `Several threads worked at once: CPU time is ${own}, ${more} above the duration.`;
}
