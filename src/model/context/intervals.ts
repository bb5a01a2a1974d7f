/**
 * Intervals of one thread, ascending by start and, among equal starts, descending by end: an interval is before those
 * that are inside it. A tree over the largest end of each block of intervals finds those that touch a stretch of time.
 */
export class Intervals {
  readonly count: number;
  /** Ascending. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Largest end below each node of a binary tree; node 1 is the top, leaf i is node `leaves` + i. */
  private readonly latest: Float64Array;
  private readonly leaves: number;

  /** The intervals in their order. */
  constructor(start: Float64Array, end: Float64Array) {
    this.count = start.length;
    this.start = start;
    this.end = end;
    let leaves = 1;
    while (leaves < this.count) leaves <<= 1;
    this.leaves = leaves;
    this.latest = new Float64Array(2 * leaves).fill(Number.NEGATIVE_INFINITY);
    this.latest.set(end, leaves);
    for (let node = leaves - 1; node > 0; node--) {
      this.latest[node] = Math.max(this.latest[2 * node]!, this.latest[2 * node + 1]!);
    }
  }

  /** The last interval that starts at `to` or before and ends at `from` or after; −1 without one. */
  last(from: number, to: number): number {
    return this.before(after(this.start, to), from);
  }

  /** The last interval below number `limit` that ends at `from` or after; −1 without one. */
  before(limit: number, from: number): number {
    // Up from the leaf until a left neighbour has such an interval, then down to it.
    let node = this.leaves + limit;
    if (limit >= this.leaves) {
      if (limit === 0 || this.latest[1]! < from) return -1;
      node = 1;
    } else {
      while (true) {
        if (node === 1) return -1;
        const isRight = (node & 1) === 1;
        if (isRight && this.latest[node - 1]! >= from) {
          node -= 1;
          break;
        }
        node >>= 1;
      }
    }
    while (node < this.leaves) node = this.latest[2 * node + 1]! >= from ? 2 * node + 1 : 2 * node;
    return node - this.leaves;
  }
}

/** Number of elements of an ascending column that are `limit` at most. */
export function after(column: Float64Array | Uint32Array, limit: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `after`, of a limit not far from one whose answer is `near`. */
export function afterNear(column: Float64Array, limit: number, near: number): number {
  let at = near;
  for (let left = NEAR; left > 0; left--) {
    if (at < column.length && column[at]! <= limit) at++;
    else if (at > 0 && column[at - 1]! > limit) at--;
    else return at;
  }
  return after(column, limit);
}

/** Steps that take less time than a search. */
const NEAR = 8;

/** Number of elements of an ascending column that are below `limit`. */
export function before(column: Float64Array, limit: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Those of a column at some rows. In a loop: `from` with a function makes arrays, and takes as long as the search. */
export function picked(column: Float64Array, rows: Uint32Array): Float64Array {
  const made = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) made[i] = column[rows[i]!]!;
  return made;
}
