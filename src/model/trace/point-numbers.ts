/**
 * Times of spans as doubles, which are many times as fast as bigints: made once for each set of points. Times within
 * 104 days of each other are exact; durations round as `Number` does.
 */
import type { SpanPoints } from "./operations.ts";

export interface PointNumbers {
  /** The first start. */
  zero: bigint;
  /** Since `zero`. */
  start: Float64Array;
  duration: Float64Array;
  /** Starts are exact. */
  isExact: boolean;
}

type Times = Pick<SpanPoints, "start" | "duration">;

const WORD = 2 ** 32;
const EXACT = 2 ** 53;
const known = new WeakMap<BigInt64Array, PointNumbers>();

export function numbersOf({ start, duration }: Times): PointNumbers {
  const before = known.get(start);
  if (before !== undefined) return before;
  const zero = least(start);
  const at = since(start, zero);
  const length = since(duration, 0n);
  const starts = new Float64Array(start.length);
  const durations = new Float64Array(start.length);
  let isExact = true;
  for (let place = 0; place < starts.length; place++) {
    starts[place] = at(place);
    durations[place] = length(place);
    if (starts[place]! >= EXACT) isExact = false;
  }
  const made = { zero, start: starts, duration: durations, isExact };
  known.set(start, made);
  return made;
}

/** Differences to a time as doubles, by halves of 64 bits: exact up to 2^53 ns. */
export function since(column: BigInt64Array, zero: bigint): (place: number) => number {
  const words = halves(column);
  const low = Number(BigInt.asUintN(32, zero));
  const high = Number(zero >> 32n);
  return (place) => ((words[2 * place + 1] ?? 0) - high) * WORD + (((words[2 * place] ?? 0) >>> 0) - low);
}

/** Ends minus starts. */
export function differences(end: BigInt64Array, start: BigInt64Array): BigInt64Array {
  const made = new BigInt64Array(end.length);
  const [to, from, difference] = [halves(end), halves(start), halves(made)];
  for (let i = 0; i < to.length; i += 2) {
    const [low, other] = [(to[i] ?? 0) >>> 0, (from[i] ?? 0) >>> 0];
    difference[i] = low - other;
    difference[i + 1] = (to[i + 1] ?? 0) - (from[i + 1] ?? 0) - Number(low < other);
  }
  return made;
}

function least(column: BigInt64Array): bigint {
  const words = halves(column);
  let place = 0;
  for (let each = 1; each < column.length; each++) {
    const [high, most] = [words[2 * each + 1] ?? 0, words[2 * place + 1] ?? 0];
    const isLower = (words[2 * each] ?? 0) >>> 0 < (words[2 * place] ?? 0) >>> 0;
    if (high < most || (high === most && isLower)) place = each;
  }
  return column[place] ?? 0n;
}

/** Low half first; the upper one has the sign. */
function halves({ buffer, byteOffset, length }: BigInt64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, 2 * length);
}
