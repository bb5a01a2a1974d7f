/**
 * Who reads which chunk of a recording: the core that holds it, or one of the others. A plan is made once, by the sizes
 * of the chunks. Time is counted in bytes read.
 */

/** A larger chunk is read by the core that holds the recording: it would be in memory twice. */
const LARGEST = 2 ** 29;
/** Merging a part, in proportion to reading its chunk. */
const MERGE = 0.2;
/** Chunks, of those that have no other reader yet, among which the next of another core is chosen, for each of them. */
const WINDOW = 3;

/**
 * Index of the other core that reads each chunk, null for the one that holds the recording. Each of the `others` gets,
 * whenever it is free, the first chunk that it has read before the recording is merged up to there; else the one that
 * shortens the reading most. They begin after `startBytes`.
 */
export function planOf(sizes: readonly number[], others: number, startBytes: number): (number | null)[] {
  const by: (number | null)[] = sizes.map(() => null);
  const done = sizes.map(() => 0);
  const free = Array.from({ length: others }, () => startBytes);
  // Up to here the plan is made, and the recording is merged at that time.
  let settled = 0;
  let merged = 0;
  while (others > 0) {
    const core = free.indexOf(Math.min(...free));
    const from = free[core] ?? 0;
    const alone = endOf(sizes, by, done, settled, merged);
    let best: number | null = null;
    let most = 0;
    let left = WINDOW * (others + 1);
    for (let i = settled; i < sizes.length && left > 0; i++) {
      const bytes = sizes[i] ?? 0;
      if (by[i] !== null || bytes > LARGEST) continue;
      left--;
      by[i] = core;
      done[i] = from + bytes;
      const gain = alone - endOf(sizes, by, done, settled, merged);
      by[i] = null;
      if (gain <= most) continue;
      best = i;
      most = gain;
      // It is not waited for.
      if (gain >= (1 - MERGE) * bytes * 0.999) break;
    }
    if (best === null) break;
    by[best] = core;
    free[core] = from + (sizes[best] ?? 0);
    done[best] = free[core] ?? 0;
    // No core that becomes free later reads a chunk that is merged before.
    while (settled < best && merged + (sizes[settled] ?? 0) <= Math.min(...free)) {
      merged = after(merged, sizes[settled] ?? 0, by[settled] === null ? null : (done[settled] ?? 0));
      settled++;
    }
  }
  return by;
}

/** When the recording is merged, from chunk `first` on, before which it is merged at `time`. */
function endOf(
  sizes: readonly number[],
  by: readonly (number | null)[],
  done: readonly number[],
  first: number,
  time: number,
): number {
  let end = time;
  for (let i = first; i < sizes.length; i++) end = after(end, sizes[i] ?? 0, by[i] === null ? null : (done[i] ?? 0));
  return end;
}

/** The time after a chunk that another core has read at `done`, or that is read now. */
function after(time: number, bytes: number, done: number | null): number {
  return done === null ? time + bytes : Math.max(time, done) + MERGE * bytes;
}
