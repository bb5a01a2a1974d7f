/**
 * Contextual fields: an event has the fields of all events of its thread that contain it from start to end; of several
 * with one key, and of several trace ids, the innermost counts. An event that cuts it gives nothing.
 */
import type { Enclosing, FieldFacts } from "../../core/samples/contexts.ts";
import { type ByThread, byThread } from "./by-thread.ts";
import { after, Intervals } from "./intervals.ts";
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
  for (let i = 0; i < rows.count; i++) {
    const thread = rows.thread[i]!;
    const own = scopes[thread];
    if (own === undefined) continue;
    const around = own.around(rows.start[i]!, rows.end[i]!);
    // From the outermost on, so that few pairs of sets are merged.
    found.set[i] = around.reduceRight((outer, scope) => joined(facts.set[scope]!, outer), 0);
    found.traced[i] = around.find((scope) => (facts.traceHigh[scope]! | facts.traceLow[scope]!) !== 0n) ?? -1;
  }
  return found;
}

interface Scopes {
  /** Rows of the events that contain [from, to], the innermost first. */
  around(from: number, to: number): number[];
}

function scopesOf(facts: FieldFacts, { first, rows }: ByThread, thread: number): Scopes | undefined {
  const own = rows.subarray(first[thread]!, first[thread + 1]!);
  if (own.length === 0) return undefined;
  const start = Float64Array.from(own, (row) => facts.start[row]!);
  const intervals = new Intervals(
    start,
    Float64Array.from(own, (row) => facts.end[row]!),
  );
  return {
    around(from, to) {
      const found: number[] = [];
      for (let i = intervals.before(after(start, from), to); i >= 0 && found.length < MOST_AROUND; ) {
        found.push(own[i]!);
        i = intervals.before(i, to);
      }
      return found;
    },
  };
}
