/**
 * Rule 3: the samples of a thread with a span id field, before and after an event. If all from the one before to the
 * one after are of one root, without a border between two tasks, the event is of that root; if they are of one span,
 * and the event is in application code that one of the two is in as well, it is of that span.
 */
import type { ContextFacts, SampleFacts } from "../../core/contexts.ts";
import { after, before } from "./intervals.ts";
import type { Stacks } from "./stacks.ts";

/** The samples and borders of one thread, ascending by time. */
export class ThreadSamples {
  readonly time: Float64Array;
  /** Row of the sample, or BORDER. */
  readonly rows: Uint32Array;
  /** First entry of the run of entries with the same root, and with the same span; borders are runs. */
  private readonly rootRun: Uint32Array;
  private readonly spanRun: Uint32Array;
  private readonly facts: SampleFacts;

  constructor({ samples, borders }: Pick<ContextFacts, "samples" | "borders">, own: Uint32Array, ends: Uint32Array) {
    this.facts = samples;
    this.time = new Float64Array(own.length + ends.length);
    this.rows = new Uint32Array(own.length + ends.length);
    // Of equal times the border is first: what is after it is of another task.
    for (let n = 0, i = 0, k = 0; n < this.rows.length; n++) {
      const isEnd = k < ends.length && (i === own.length || borders.time[ends[k]!]! <= samples.time[own[i]!]!);
      this.time[n] = isEnd ? borders.time[ends[k]!]! : samples.time[own[i]!]!;
      this.rows[n] = isEnd ? BORDER : own[i]!;
      if (isEnd) k++;
      else i++;
    }
    this.rootRun = this.runs(samples.root);
    this.spanRun = this.runs(samples.span);
  }

  private runs(ids: BigUint64Array): Uint32Array {
    const runs = new Uint32Array(this.rows.length);
    for (let i = 1; i < runs.length; i++) {
      const row = this.rows[i]!;
      const last = this.rows[i - 1]!;
      runs[i] = row !== BORDER && last !== BORDER && ids[row] === ids[last] ? runs[i - 1]! : i;
    }
    return runs;
  }

  /** Rows of the samples around an event, and whether all are of one span; null if the rule has no answer. */
  around(from: number, to: number): { before: number; after: number; isOneSpan: boolean } | null {
    const last = after(this.time, from) - 1;
    const next = before(this.time, to);
    if (last < 0 || next >= this.rows.length) return null;
    const low = Math.min(last, next);
    const high = Math.max(last, next);
    if (this.rootRun[low] !== this.rootRun[high] || this.rows[low] === BORDER) return null;
    const row = this.rows[last]!;
    if (this.facts.root[row] === 0n) return null;
    const isOneSpan = this.spanRun[low] === this.spanRun[high] && this.facts.span[row] !== 0n;
    return { before: row, after: this.rows[next]!, isOneSpan };
  }

  /** Entries from the last at `from` or before to the first at `to` or after, as far as there are any. */
  entries(from: number, to: number): { low: number; high: number } {
    const last = after(this.time, from) - 1;
    const next = before(this.time, to);
    return { low: Math.max(0, Math.min(last, next)), high: Math.min(this.rows.length - 1, Math.max(last, next)) };
  }
}

/** An entry that is no sample. */
export const BORDER = 2 ** 32 - 1;

/** Whether the application's method nearest to the leaf of the event's stack is in one of two other stacks. */
export function sharesCode(stacks: Stacks, event: number, one: number, other: number): boolean {
  const code = stacks.code(event);
  return code !== 0 && (stacks.contains(one, code) || stacks.contains(other, code));
}
