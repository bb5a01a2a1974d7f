import { ascending } from "./ascending.ts";

/** Rows by thread: the rows of each thread are together, in the order of a column. */
export interface ByThread {
  /** Rows of thread i: [first[i], first[i + 1]). */
  first: Uint32Array;
  rows: Uint32Array;
}

/**
 * Groups `count` rows by their thread. Within a thread they ascend by `time`; among equal times `tie`, if there is one,
 * puts the larger first, and else the earlier row is first.
 */
export function byThread(threads: number, thread: Uint32Array, time: Float64Array, tie?: Float64Array): ByThread {
  const { first, rows } = grouped(threads, thread);
  const ties = tie?.map((each) => -each);
  for (let t = 0; t < threads; t++) {
    const part = rows.subarray(first[t]!, first[t + 1]!);
    part.set(ascending(time, part));
    for (let from = 0, to = 1; ties !== undefined && from < part.length; from = to++) {
      while (to < part.length && time[part[to]!] === time[part[from]!]) to++;
      if (to > from + 1) part.set(ascending(ties, part.subarray(from, to)), from);
    }
  }
  return { first, rows };
}

/** Groups rows by their number below `count`: those of a number are together, the earlier row first. */
export function grouped(count: number, of: Uint32Array): ByThread {
  const first = new Uint32Array(count + 1);
  for (let i = 0; i < of.length; i++) first[of[i]! + 1]!++;
  for (let i = 0; i < count; i++) first[i + 1]! += first[i]!;
  const next = first.slice();
  const rows = new Uint32Array(of.length);
  for (let i = 0; i < of.length; i++) rows[next[of[i]!]!++] = i;
  return { first, rows };
}
