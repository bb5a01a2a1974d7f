/**
 * Rule 1: an event has the span of the innermost scope of its thread that contains all of it. There is no answer if a
 * scope cuts the event, if the scopes around it are of different roots, or if the innermost crosses another: then it is
 * the whole time of a span, and its thread did other things in between.
 */
import type { ScopeFacts } from "../../core/samples/contexts.ts";
import type { ByThread } from "./by-thread.ts";
import { before, Intervals, picked } from "./intervals.ts";
import { MOST_AROUND, SLACK } from "./limits.ts";

export class ThreadScopes {
  private readonly intervals: Intervals;
  /** Intervals with time backwards; null where no two scopes cross. */
  private readonly backwards: Intervals | null;
  private readonly rows: Uint32Array;
  private readonly facts: ScopeFacts;

  constructor(facts: ScopeFacts, { first, rows }: ByThread, thread: number) {
    this.facts = facts;
    this.rows = rows.subarray(first[thread]!, first[thread + 1]!);
    this.intervals = new Intervals(picked(facts.start, this.rows), picked(facts.end, this.rows));
    this.backwards = crosses(this.intervals) ? backwards(this.intervals) : null;
  }

  get count(): number {
    return this.rows.length;
  }

  /** Row of the scope of the event [from, to]; −1 if there is no answer. */
  around(from: number, to: number): number {
    const { intervals, facts, rows } = this;
    const innermost = intervals.last(from, to);
    if (innermost < 0) return -1;
    const root = facts.root[rows[innermost]!];
    let left = MOST_AROUND;
    for (let i = innermost; i >= 0; i = intervals.before(i, from)) {
      const isInside = intervals.start[i]! - SLACK <= from && to <= intervals.end[i]! + SLACK;
      if (!isInside || facts.root[rows[i]!] !== root || --left === 0) return -1;
    }
    const start = intervals.start[innermost]!;
    const end = intervals.end[innermost]!;
    if (this.backwards !== null && (isOutlived(intervals, start, end) || isOutlived(this.backwards, -end, -start))) {
      return -1;
    }
    return rows[innermost]!;
  }
}

/** Whether an interval starts inside [start, end] and ends after it, both by more than the clocks may differ. */
function isOutlived(intervals: Intervals, start: number, end: number): boolean {
  const last = intervals.before(before(intervals.start, end - SLACK), end + SLACK);
  return last >= 0 && intervals.start[last]! >= start + SLACK;
}

/** Whether one of the intervals is outlived by one that starts inside it. */
function crosses(intervals: Intervals): boolean {
  const { start, end, count } = intervals;
  for (let i = 0; i + 1 < count; i++) {
    if (start[i + 1]! < end[i]! && isOutlived(intervals, start[i]!, end[i]!)) return true;
  }
  return false;
}

function backwards({ start, end, count }: Intervals): Intervals {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => end[b]! - end[a]! || start[a]! - start[b]!);
  return new Intervals(
    Float64Array.from(order, (i) => -end[i]!),
    Float64Array.from(order, (i) => -start[i]!),
  );
}
