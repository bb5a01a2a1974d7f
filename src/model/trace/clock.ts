/**
 * The clock between a trace and a recording, measured from spans that have samples: a span must contain them. Each span
 * with evidence allows a range of offsets; the answer is the stretch that most of them allow.
 */
import type { Evidence } from "../../core/samples/spans.ts";
import { compare } from "./places.ts";
import { since } from "./point-numbers.ts";
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
export const SLACK = 100_000n;

/** Clocks that were measured, by evidence: each question about a span asks for the clock of its trace again. */
const measured = new WeakMap<Evidence, { tree: TraceTree; clock: Clock | null }>();

/** Null without evidence. */
export function clockOf(tree: TraceTree, evidence: Evidence): Clock | null {
  const known = measured.get(evidence);
  if (known?.tree === tree) return known.clock;
  const clock = measure(tree, evidence);
  measured.set(evidence, { tree, clock });
  return clock;
}

function measure(tree: TraceTree, evidence: Evidence): Clock | null {
  const asked = evidence.has.reduce((sum, has) => sum + has, 0);
  const { base, lows, highs } = doubleRanges(tree, evidence, asked) ?? longRanges(tree, evidence);
  const stretches = deepest<number | bigint>(lows, highs);
  let best: Stretch | null = null;
  for (const { low, high } of stretches.list) {
    const stretch = { low: base + BigInt(low), high: base + BigInt(high) };
    const isNearer = best === null || compare(distance(stretch), distance(best)) < 0;
    // Stretches ascend, so of equally near ones the first is the lowest.
    if (isNearer) best = stretch;
  }
  if (best === null) return null;
  const { low, high } = best;
  const isZero = low <= 0n && high >= 0n;
  return { offset: isZero ? 0n : floorHalf(low + high), low, high, agree: stretches.depth, asked: lows.length };
}

/** Ranges of offsets: lows and highs ascend, and count from `base`. */
interface Ranges {
  base: bigint;
  lows: ArrayLike<number | bigint>;
  highs: ArrayLike<number | bigint>;
}

/** Sums of four times below this are exact in doubles. */
const EXACT = 2 ** 51;

/** In doubles, which take a tenth of the time; null where the times are too far apart for them. */
function doubleRanges(
  { start, end, untimed }: TraceTree,
  { has, first, last }: Evidence,
  asked: number,
): Ranges | null {
  const one = has.indexOf(1);
  const [zero, from] = [start[one] ?? 0n, first[one] ?? 0n];
  const [starts, ends] = [since(start, zero), since(end, zero)];
  const [firsts, lasts] = [since(first, from), since(last, from)];
  const slack = Number(SLACK);
  const [lows, highs] = [new Float64Array(asked), new Float64Array(asked)];
  let count = 0;
  for (let place = 0; place < has.length; place++) {
    if (has[place] === 0 || untimed[place] === 1) continue;
    const [a, b] = [starts(place), ends(place)];
    const [c, d] = [firsts(place), lasts(place)];
    if (Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d)) > EXACT) return null;
    if (d - c > b - a + 2 * slack) continue;
    lows[count] = d - b - slack;
    highs[count++] = c - a + slack;
  }
  return { base: from - zero, lows: lows.subarray(0, count).sort(), highs: highs.subarray(0, count).sort() };
}

/** Ranges of offsets for times of any distance, in bigints. */
function longRanges({ start, end, untimed }: TraceTree, { has, first, last }: Evidence): Ranges {
  const lows: bigint[] = [];
  const highs: bigint[] = [];
  for (let place = 0; place < has.length; place++) {
    if (has[place] === 0 || untimed[place] === 1) continue;
    const [from, to] = [start[place] ?? 0n, end[place] ?? 0n];
    const [a, b] = [first[place] ?? 0n, last[place] ?? 0n];
    if (b - a > to - from + 2n * SLACK) continue;
    lows.push(b - to - SLACK);
    highs.push(a - from + SLACK);
  }
  return { base: 0n, lows: lows.sort(compare), highs: highs.sort(compare) };
}

interface Stretch<T = bigint> {
  low: T;
  high: T;
}

/** The stretches that most ranges contain, ends included, ascending. Both lists ascend. */
function deepest<T extends number | bigint>(
  lows: ArrayLike<T>,
  highs: ArrayLike<T>,
): { depth: number; list: Stretch<T>[] } {
  let best = 0;
  let list: Stretch<T>[] = [];
  for (let i = 0, closed = 0; i < lows.length; i++) {
    const low = lows[i] as T;
    while (closed < highs.length && (highs[closed] as T) < low) closed++;
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
