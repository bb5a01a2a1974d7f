/**
 * Rule 3: the samples of a thread with a span id field, before and after an event. If all from the one before to the
 * one after are of one root, without a border between two tasks, the event is of that root; if they are of one span,
 * and the event is in application code that one of the two is in as well, it is of that span.
 */
import type { ContextFacts, SampleFacts } from "../../core/samples/contexts.ts";
import { after, before, picked } from "./intervals.ts";
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
  private readonly own: Uint32Array;
  private only: SampleSpans | null = null;

  constructor({ samples, borders }: Pick<ContextFacts, "samples" | "borders">, own: Uint32Array, ends: Uint32Array) {
    this.facts = samples;
    this.own = own;
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
    // Samples of one time have no order: all of them count. Borders of that time are before them.
    let low = Math.min(next, before(this.time, this.time[last]!));
    while (low < last && this.rows[low] === BORDER) low++;
    const high = Math.max(last, after(this.time, this.time[next]!) - 1);
    if (this.rootRun[low] !== this.rootRun[high] || this.rows[low] === BORDER) return null;
    const row = this.rows[last]!;
    if (this.facts.root[row] === 0n) return null;
    const isOneSpan = this.spanRun[low] === this.spanRun[high] && this.facts.span[row] !== 0n;
    return { before: row, after: this.rows[next]!, isOneSpan };
  }

  /** The samples without the borders. */
  get spans(): SampleSpans {
    this.only ??= new SampleSpans(this.facts, this.own);
    return this.only;
  }
}

/** An entry that is no sample. */
const BORDER = 2 ** 32 - 1;

/** The spans of the samples of one thread, ascending by time. */
class SampleSpans {
  private readonly time: Float64Array;
  private readonly span: BigUint64Array;
  /** First sample of the run of samples with the same span. */
  private readonly run: Uint32Array;

  constructor({ time, span }: SampleFacts, rows: Uint32Array) {
    this.time = picked(time, rows);
    this.span = BigUint64Array.from(rows, (row) => span[row]!);
    this.run = new Uint32Array(rows.length);
    for (let i = 1; i < rows.length; i++) this.run[i] = this.span[i] === this.span[i - 1] ? this.run[i - 1]! : i;
  }

  /**
   * The span of the samples from the last one at `from` or before to the first one at `to` or after, of those between
   * `low` and `high`. NONE without such samples, MIXED if they are of several spans.
   */
  around(from: number, to: number, low: number, high: number): bigint | typeof NONE | typeof MIXED {
    const last = after(this.time, from) - 1;
    const next = before(this.time, to);
    // Samples of one time have no order: all of them count.
    const earliest = last < 0 ? 0 : before(this.time, this.time[last]!);
    const latest = next < this.time.length ? after(this.time, this.time[next]!) : next;
    const first = Math.max(Math.min(earliest, next), after(this.time, low));
    const end = Math.min(Math.max(latest, last + 1), before(this.time, high));
    if (first >= end) return NONE;
    return this.run[first] === this.run[end - 1] ? this.span[first]! : MIXED;
  }
}

export const NONE = "none";
export const MIXED = "mixed";

/** Whether the application's method nearest to the leaf of the event's stack is in one of two other stacks. */
export function sharesCode(stacks: Stacks, event: number, one: number, other: number): boolean {
  const code = stacks.code(event);
  return code !== 0 && (stacks.contains(one, code) || stacks.contains(other, code));
}
