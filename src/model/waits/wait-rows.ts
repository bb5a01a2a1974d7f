/** Waits of a trace as rows below their spans. */
import type { BreakdownName } from "../span-time/breakdown.ts";
import { holderName, onWords } from "./state-words.ts";
import { byDuration, type Held, type Wait, type WaitKind } from "./waits.ts";

/** The part of a span's time that a wait is; a queue is before the span, and pauses have their bands. */
export const WAIT_PARTS: Partial<Record<WaitKind, BreakdownName>> = {
  monitor: "lock",
  notify: "wait",
  park: "park",
  sleep: "sleep",
  socket: "socket",
  file: "file",
};
export const WAIT_KINDS = Object.keys(WAIT_PARTS) as WaitKind[];

/** Shorter waits have no row, only a mark on the bar. So have those after the longest ones. */
const LEAST_SHARE = 0.01;
const MOST = 200;

interface Spans {
  id: BigUint64Array;
  size: Uint32Array;
  /** Ns since 1970, on the clock of the trace. */
  start: bigint;
  duration: number;
  /** To be added for a time of the recording. */
  offset: number | null;
}

/** Waits by the place of their span, else of their request. Of spans with one id the first has them. */
export function waitsByPlace({ id, duration }: Spans, waits: readonly Wait[]): Map<number, Wait[]> {
  const long = waits.filter(({ durationNano }) => Number(durationNano) >= LEAST_SHARE * duration);
  const kept = new Set(long.toSorted(byDuration).slice(0, MOST));
  const places = new Map<bigint, number>();
  for (let place = id.length - 1; place >= 0; place--) places.set(id[place] ?? 0n, place);
  const found = new Map<number, Wait[]>();
  for (const wait of long) {
    const placeOf = (of: bigint | null) => (of === null ? undefined : places.get(BigInt.asUintN(64, of)));
    const place = placeOf(wait.span) ?? placeOf(wait.localRoot);
    if (place === undefined || !kept.has(wait)) continue;
    found.set(place, [...(found.get(place) ?? []), wait]);
  }
  return found;
}

/** A row of the waterfall: a span, or a wait of it. */
export interface WaterfallRow {
  place: number;
  wait: Wait | null;
}

/** Each span with its waits right below, unless it is closed. */
export function waterfallRows(
  places: Uint32Array,
  closed: ReadonlySet<number>,
  waits: ReadonlyMap<number, readonly Wait[]>,
): WaterfallRow[] {
  return [...places].flatMap((place) => {
    const own = closed.has(place) ? [] : (waits.get(place) ?? []);
    return [{ place, wait: null }, ...own.map((wait) => ({ place, wait }))];
  });
}

/** Ns from the start of the trace. */
export function startInTrace({ start, offset }: Spans, wait: Wait): number {
  return Number(wait.startUnixNano - start) - (offset ?? 0);
}

/** The stretch in which one thread held it longest; null where no holder is known. */
export function mainHolder({ held }: Wait): Held | null {
  return held.toSorted(byDuration)[0] ?? null;
}

/** `for Stock, held by POST /reindex (worker-3, request 0x…) and 2 others`. */
export function waitWords(wait: Wait): string {
  const holder = mainHolder(wait);
  const on = onWords(wait).trimStart();
  const others = wait.held.length - 1;
  const more = others < 1 ? "" : ` and ${others} other${others === 1 ? "" : "s"}`;
  return [on, holder === null ? "" : `held by ${holderName(holder)}${more}`].filter((part) => part !== "").join(", ");
}
