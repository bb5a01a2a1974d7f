/** The parts of other spans of an operation, or of other requests: their median and 95th percentile. */
import type { BreakdownName, BreakdownPart } from "./breakdown.ts";
import { BREAKDOWN } from "./breakdown.ts";

/** Spans that are compared at most, spread evenly over the recording. */
export const MOST_PEERS = 200;
/** Fewer have no 95th percentile. */
const FEWEST = 5;
const P50 = 50;
const P95 = 95;
const PERCENT = 100;

export interface PeerPart {
  part: BreakdownName;
  /** Ns by nearest rank; a span without the part has 0. */
  p50: bigint;
  p95: bigint;
}

export interface Peers {
  /** Spans or requests that are compared. */
  count: number;
  /** All that there are. */
  all: number;
  /** Parts that one of them has. */
  parts: PeerPart[];
}

export function peersOf(breakdowns: readonly (readonly BreakdownPart[])[], all: number): Peers {
  const parts = BREAKDOWN.flatMap((part): PeerPart[] => {
    const times = breakdowns.map((rows) => rows.find((row) => row.part === part)?.nano ?? 0n);
    if (!times.some((nano) => nano > 0n)) return [];
    times.sort((a, b) => Number(a - b));
    const rank = (percent: number) => times[Math.ceil((percent * times.length) / PERCENT) - 1] ?? 0n;
    return [{ part, p50: rank(P50), p95: rank(P95) }];
  });
  return { count: breakdowns.length, all, parts };
}

/** At most so many of a list, spread evenly. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)] as T);
}

/** Even the low end of the part's interval is above the 95th percentile of the others. */
export function isFarOut({ part, low }: Pick<BreakdownPart, "part" | "low">, { count, parts }: Peers): boolean {
  const others = parts.find((each) => each.part === part);
  return count >= FEWEST && low > (others?.p95 ?? 0n);
}
