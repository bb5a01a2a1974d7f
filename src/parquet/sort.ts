/** Sorting of row numbers by whole numbers: stable, so that the last key sorted by counts first. */

const BITS = 16;
const BUCKETS = 1 << BITS;

/** Sorts rows by the lower `bits` of `key(row)`, which has 32 bits. */
export function sortBy(rows: Uint32Array<ArrayBuffer>, keys: Uint32Array, bits: number): Uint32Array<ArrayBuffer> {
  let from = rows;
  for (let shift = 0; shift < bits; shift += BITS) {
    const starts = new Uint32Array(BUCKETS + 1);
    for (let i = 0; i < from.length; i++) starts[((keys[from[i]!]! >>> shift) & (BUCKETS - 1)) + 1]!++;
    for (let b = 0; b < BUCKETS; b++) starts[b + 1]! += starts[b]!;
    const to = new Uint32Array(from.length);
    for (let i = 0; i < from.length; i++) {
      const row = from[i]!;
      to[starts[(keys[row]! >>> shift) & (BUCKETS - 1)]!++] = row;
    }
    from = to;
  }
  return from;
}

/** What the order of samples depends on, by row; of `request` and `group` the number of different values. */
export interface SampleOrder {
  rows: Uint32Array<ArrayBuffer>;
  /** Halves of nanoseconds, the lower one first. */
  time: Uint32Array;
  /** 0 for no request. */
  request: Uint32Array;
  requests: number;
  group: Uint32Array;
  groups: number;
}

/** Rows by group, by the first moment of their request, and by time. Those without a request are before the others. */
export function inOrder({ rows, time, request, requests, group, groups }: SampleOrder): Uint32Array<ArrayBuffer> {
  const high = new Uint32Array(request.length);
  const low = new Uint32Array(request.length);
  for (const row of rows) {
    low[row] = time[2 * row]!;
    high[row] = time[2 * row + 1]!;
  }
  const byTime = sortBy(sortBy(rows, low, 32), high, 32);
  const numbers = new Uint32Array(requests + 1);
  let count = 0;
  for (const row of byTime) {
    const key = request[row]!;
    if (key === 0) continue;
    if (numbers[key] === 0) numbers[key] = ++count;
    // The keys of time are no longer needed.
    low[row] = numbers[key]!;
  }
  for (const row of byTime) if (request[row] === 0) low[row] = 0;
  return sortBy(sortBy(byTime, low, 32 - Math.clz32(count)), group, 32 - Math.clz32(groups));
}
