/** Durations of spans by the name of their operation. */
import { compare } from "./places.ts";

export interface Durations {
  spans: number;
  p50: bigint;
  p95: bigint;
  max: bigint;
}

/** Percentiles by nearest rank: the ⌈p · n⌉-th duration, ascending. `durations` are not empty. */
export function durationsOf(durations: readonly bigint[]): Durations {
  const sorted = [...durations].sort(compare);
  const rank = (percent: number) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? 0n;
  return { spans: sorted.length, p50: rank(50), p95: rank(95), max: sorted.at(-1) ?? 0n };
}
