/**
 * Contextual fields: an event has the fields of all events of its thread that contain it from start to end; of several
 * with one key, and of several trace ids, the innermost counts. An event that cuts it gives nothing.
 */
import type { Enclosing, FieldFacts } from "../../core/samples/contexts.ts";
import { type ByThread, byThread } from "./by-thread.ts";
import { afterNear, Intervals, picked } from "./intervals.ts";
import { MOST_AROUND } from "./limits.ts";

/** By rows of the facts. */
export function enclosingFields(facts: FieldFacts, threads: number): Enclosing {
  const { rows, merge } = facts;
  const found = { set: new Uint32Array(rows.count), traced: new Int32Array(rows.count).fill(-1) };
  const byThreads = byThread(threads, facts.thread, facts.start, facts.end);
  const scopes = Array.from({ length: threads }, (_, thread) => scopesOf(facts, byThreads, thread));
  const merged = new Map<number, number>();
  const joined = (inner: number, outer: number) => {
    if (inner === 0 || outer === 0 || inner === outer) return inner || outer;
    const key = inner * 2 ** 26 + outer;
    const set = merged.get(key) ?? merge(inner, outer);
    merged.set(key, set);
    return set;
  };
  const hasTrace = Uint8Array.from(facts.traceHigh, (high, i) => Number((high | facts.traceLow[i]!) !== 0n));
  const around = new Uint32Array(MOST_AROUND);
  for (let i = 0; i < rows.count; i++) {
    const count = scopes[rows.thread[i]!]?.around(rows.start[i]!, rows.end[i]!, around) ?? 0;
    // From the outermost on, so that few pairs of sets are merged.
    for (let k = count - 1; k >= 0; k--) {
      const scope = around[k]!;
      found.set[i] = joined(facts.set[scope]!, found.set[i]!);
      if (hasTrace[scope] === 1) found.traced[i] = scope;
    }
  }
  return found;
}

interface Scopes {
  /** Writes the rows of the events that contain [from, to], the innermost first; their number. */
  around(from: number, to: number, rows: Uint32Array): number;
}

function scopesOf(facts: FieldFacts, { first, rows }: ByThread, thread: number): Scopes | undefined {
  const own = rows.subarray(first[thread]!, first[thread + 1]!);
  if (own.length === 0) return undefined;
  const start = picked(facts.start, own);
  const intervals = new Intervals(start, picked(facts.end, own));
  // Most rows of a thread are in the order of time.
  let last = 0;
  return {
    around(from, to, found) {
      let count = 0;
      last = afterNear(start, from, last);
      for (let i = intervals.before(last, to); i >= 0 && count < found.length; ) {
        found[count++] = own[i]!;
        i = intervals.before(i, to);
      }
      return count;
    },
  };
}
