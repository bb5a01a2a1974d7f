/**
 * Rule 1: an event has the span of the innermost scope of its thread that contains all of it. There is no answer if a
 * scope cuts the event, or if the scopes around it are of different roots.
 */
import type { ScopeFacts } from "../../core/contexts.ts";
import type { ByThread } from "./by-thread.ts";
import { Intervals } from "./intervals.ts";
import { MOST_AROUND, SLACK } from "./limits.ts";

export class ThreadScopes {
  private readonly intervals: Intervals;
  private readonly rows: Uint32Array;
  private readonly facts: ScopeFacts;

  constructor(facts: ScopeFacts, { first, rows }: ByThread, thread: number) {
    this.facts = facts;
    this.rows = rows.subarray(first[thread]!, first[thread + 1]!);
    this.intervals = new Intervals(
      Float64Array.from(this.rows, (row) => facts.start[row]!),
      Float64Array.from(this.rows, (row) => facts.end[row]!),
    );
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
    return rows[innermost]!;
  }
}
