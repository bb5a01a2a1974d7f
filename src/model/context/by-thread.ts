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
  const first = new Uint32Array(threads + 1);
  for (const t of thread) first[t + 1]!++;
  for (let t = 0; t < threads; t++) first[t + 1]! += first[t]!;
  const next = first.slice();
  const rows = new Uint32Array(thread.length);
  for (let i = 0; i < thread.length; i++) rows[next[thread[i]!]!++] = i;
  const order = (a: number, b: number) => time[a]! - time[b]! || (tie ? tie[b]! - tie[a]! : 0) || a - b;
  for (let t = 0; t < threads; t++) {
    const part = rows.subarray(first[t]!, first[t + 1]!);
    if (!isSorted(part, order)) part.sort(order);
  }
  return { first, rows };
}

/** Buffers of a thread are mostly in order. */
function isSorted(rows: Uint32Array, order: (a: number, b: number) => number): boolean {
  for (let i = 1; i < rows.length; i++) if (order(rows[i - 1]!, rows[i]!) > 0) return false;
  return true;
}
