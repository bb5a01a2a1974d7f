/**
 * The clock between a trace and a recording, measured from spans that have samples: a span must contain them. Each span
 * with evidence allows a range of offsets; the answer is the stretch that most of them allow.
 */
import type { SpanTimes } from "../../core/spans.ts";
import { compare } from "./places.ts";
import type { TraceTree } from "./tree.ts";

/** ns that are added to a time of the trace for one of the recording. */
export interface Clock {
  offset: bigint;
  low: bigint;
  high: bigint;
  /** Spans that allow an offset between `low` and `high`. */
  agree: number;
  /** Spans with evidence. */
  asked: number;
}

/** ns by which a sample may be outside of its span: two readings of clocks, and the microseconds of some files. */
const SLACK = 100_000n;

/** Clocks that were measured, by evidence: each question about a span asks for the clock of its trace again. */
const measured = new WeakMap<ReadonlyMap<bigint, SpanTimes>, { tree: TraceTree; clock: Clock | null }>();

/** Null without evidence. `times`: first and last time of the samples and scopes of a span id; it must not change. */
export function clockOf(tree: TraceTree, times: ReadonlyMap<bigint, SpanTimes>): Clock | null {
  const known = measured.get(times);
  if (known?.tree === tree) return known.clock;
  const clock = measure(tree, times);
  measured.set(times, { tree, clock });
  return clock;
}

function measure({ count, id, start, end }: TraceTree, times: ReadonlyMap<bigint, SpanTimes>): Clock | null {
  const lows: bigint[] = [];
  const highs: bigint[] = [];
  for (let place = 0; place < count; place++) {
    const evidence = times.get(id[place] ?? 0n);
    if (evidence === undefined) continue;
    const [from, to] = [start[place] ?? 0n, end[place] ?? 0n];
    if (evidence.last - evidence.first > to - from + 2n * SLACK) continue;
    lows.push(evidence.last - to - SLACK);
    highs.push(evidence.first - from + SLACK);
  }
  const stretches = deepest(lows.sort(compare), highs.sort(compare));
  const best = stretches.list.sort((a, b) => compare(distance(a), distance(b)) || compare(a.low, b.low))[0];
  if (best === undefined) return null;
  const { low, high } = best;
  const isZero = low <= 0n && high >= 0n;
  return { offset: isZero ? 0n : floorHalf(low + high), low, high, agree: stretches.depth, asked: lows.length };
}

interface Stretch {
  low: bigint;
  high: bigint;
}

/** The stretches that most ranges contain, ends included. Both lists ascend. */
function deepest(lows: readonly bigint[], highs: readonly bigint[]): { depth: number; list: Stretch[] } {
  let best = 0;
  let list: Stretch[] = [];
  for (let i = 0, closed = 0; i < lows.length; i++) {
    const low = lows[i] ?? 0n;
    while ((highs[closed] ?? 0n) < low && closed < highs.length) closed++;
    const depth = i + 1 - closed;
    if (depth < best) continue;
    if (depth > best) {
      best = depth;
      list = [];
    }
    list.push({ low, high: highs[closed] ?? low });
  }
  return { depth: best, list };
}

/** How far a stretch is from an offset of 0. */
function distance({ low, high }: Stretch): bigint {
  if (low <= 0n && high >= 0n) return 0n;
  return low > 0n ? low : -high;
}

/** Half of a sum, rounded down. */
function floorHalf(sum: bigint): bigint {
  return sum >= 0n ? sum / 2n : -((1n - sum) / 2n);
}
