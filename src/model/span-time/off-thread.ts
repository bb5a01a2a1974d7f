/**
 * The time in which no thread worked for a request: it waited for a callback or a result. Where the recording states
 * when threads worked for it, the rest is known; else the looks of the sampler of wall time tell its share.
 */
import { likelyShare } from "../lists/confidence.ts";
import type { Bounds, Looks } from "./looks.ts";
import { lengthOf, union } from "./parts.ts";

/** What is known of some requests together; sums, so that those of others can be added. */
export interface OffThread {
  /** Ns on no thread, by stated activations. */
  stated: Bounds;
  /** Ns of which looks tell, and of them those outside of pauses. */
  length: number;
  unpaused: number;
  /** Looks outside of pauses, and how many of them found the request: the best guess, the fewest, the most. */
  looks: number;
  found: Bounds;
  /** Looks that had found it if it had been on a thread all the time. */
  expected: Bounds;
}

const nothing = (): Bounds => ({ likely: 0, low: 0, high: 0 });

export function nothingKnown(): OffThread {
  return { stated: nothing(), length: 0, unpaused: 0, looks: 0, found: nothing(), expected: nothing() };
}

export function addOffThread(to: OffThread, other: OffThread): void {
  for (const key of ["length", "unpaused", "looks"] as const) to[key] += other[key];
  for (const key of ["stated", "found", "expected"] as const) {
    for (const bound of ["likely", "low", "high"] as const) to[key][bound] += other[key][bound];
  }
}

/** Ns on no thread: the best guess, and its interval. */
export interface OffTime {
  nano: number;
  low: number;
  high: number;
  measured: number;
  /** The interval of what looks leave open, without the chance of when they are. */
  least: number;
  most: number;
}

/** Less is an error of rounding. */
const SMALLEST = 1e-9;

/** No time where nothing contradicts that a thread worked for it all the time. */
export function offTime({ stated, length, unpaused, looks, found, expected }: OffThread): OffTime {
  const { likely: measured } = stated;
  if (looks === 0)
    return { nano: measured, low: stated.low, high: stated.high, measured, least: stated.low, most: stated.high };
  const off = (share: number, rate: number) => {
    const left = 1 - (share * looks) / rate;
    return left < SMALLEST ? 0 : Math.min(1, left);
  };
  const low = off(likelyShare(found.high, looks)[1], expected.low);
  const high = off(likelyShare(found.low, looks)[0], expected.high);
  const likely = low === 0 ? 0 : Math.min(high, Math.max(low, off(found.likely / looks, expected.likely)));
  return {
    nano: measured + likely * unpaused,
    low: stated.low + low * unpaused,
    high: stated.high + high * length,
    measured,
    least: stated.low + off(found.high / looks, expected.low) * unpaused,
    most: stated.high + off(found.low / looks, expected.high) * length,
  };
}

type Interval = [from: number, to: number];

/**
 * Of a request on which threads worked in these times; all are ns after its start. A thread starts it before it states
 * that it works for it, and may be kept from its processor in between. In a pause it may have been on a thread or not.
 */
export function statedOff(
  length: number,
  active: readonly Interval[],
  { others, pauses }: { others: readonly Interval[]; pauses: readonly Interval[] },
): OffThread {
  const rest = (...covered: (readonly Interval[])[]) =>
    length - lengthOf(union(covered.flat().map(([from, to]) => [Math.max(0, from), Math.min(length, to)])));
  const first = Math.min(...active.map(([from]) => from));
  const [likely, low] = [rest(active, others, pauses), rest(active, others, pauses, [[0, first]])];
  return { ...nothingKnown(), stated: { likely, low, high: rest(active, others) } };
}

/** Of a request from the looks that found its links. `aside`: child spans, in ns after its start. */
export function seenOff(
  looks: Looks,
  links: ReadonlySet<number>,
  extent: { start: bigint; end: bigint },
  { aside, pauses }: { aside: readonly Interval[]; pauses: readonly Interval[] },
): OffThread {
  const [first, end] = looks.within(extent);
  const off = nothingKnown();
  if (first === end) return off;
  const { sure, likely: guessed, most } = looks.foundBy(links);
  const skipped = union([...aside, ...pauses]);
  const length = Number(extent.end - extent.start);
  const timeOf = (i: number) =>
    Math.max(0, Math.min(length, (looks.at[i] ?? length) - Number(extent.start - looks.base)));
  const told = { all: 0, likely: 0, low: 0, high: 0 };
  let [next, isFound, empty] = [0, false, 0];
  for (let i = first; i < end; i++) {
    const at = timeOf(i);
    while (next < skipped.length && (skipped[next]?.[1] ?? 0) < at) next++;
    if ((skipped[next]?.[0] ?? Number.POSITIVE_INFINITY) <= at) continue;
    off.looks++;
    // A sampler without a processor looks late.
    const time = (i + 1 === end ? length : (at + timeOf(i + 1)) / 2) - (i === first ? 0 : (timeOf(i - 1) + at) / 2);
    told.all += time;
    if (sure.has(i)) told.low += time;
    if (guessed.has(i)) told.likely += time;
    if (most.has(i)) told.high += time;
    // Looks that found nobody between two that found it: the sampler may not have looked.
    if (guessed.has(i)) {
      if (isFound) told.high += empty;
      [isFound, empty] = [true, 0];
    } else if (looks.isEmpty[i] === 1) empty += time;
    else isFound = false;
  }
  const scale = told.all > 0 ? off.looks / told.all : 0;
  const { rate } = looks;
  for (const bound of ["likely", "low", "high"] as const) {
    off.found[bound] = Math.min(off.looks, told[bound] * scale);
    off.expected[bound] = off.looks * rate[bound];
  }
  const covered = looks.covered(extent);
  off.length = Math.max(0, covered - lengthOf(union(aside)));
  off.unpaused = Math.max(0, covered - lengthOf(skipped));
  return off;
}
