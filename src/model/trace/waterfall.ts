/** Rows of a waterfall: the spans of a trace without those below closed ones, and their places on the time axis. */
import { tickStep } from "../timeline/axis.ts";
import { formatNanos } from "../words/format.ts";
import type { Reason } from "./reasons.ts";

/** Columns of spans, a parent before its children; a subtree is one stretch of `size` places. */
export interface SpanPlaces {
  up: Int32Array;
  size: Uint32Array;
}

/** The places of the spans to show, in their order. */
export function shownPlaces({ size }: SpanPlaces, closed: ReadonlySet<number>): Uint32Array {
  const shown: number[] = [];
  for (let place = 0; place < size.length; place += closed.has(place) ? Math.max(1, size[place] ?? 1) : 1) {
    shown.push(place);
  }
  return Uint32Array.from(shown);
}

/** `closed` without the spans above a place, so that its row is shown. */
export function openedTo({ up }: SpanPlaces, closed: ReadonlySet<number>, place: number): Set<number> {
  const open = new Set(closed);
  for (let above = up[place] ?? -1; above >= 0; above = up[above] ?? -1) open.delete(above);
  return open;
}

/** The next of some ascending places after (`step` 1) or before (−1) one, around the ends. */
export function nextPlace(places: ArrayLike<number>, from: number, step: 1 | -1): number | undefined {
  const all = Array.from(places);
  if (step === 1) return all.find((place) => place > from) ?? all[0];
  return all.findLast((place) => place < from) ?? all.at(-1);
}

/** A hue of OKLCH for each service: neighbours in the order of appearance differ clearly. */
export function serviceHue(index: number): number {
  const GOLDEN_ANGLE = 137.508;
  return (230 + index * GOLDEN_ANGLE) % 360;
}

/** CSS pixels between two ticks at least, and the room of the last one's text. */
const LEAST_TICK = 80;
const TICK_TEXT = 48;

export interface AxisTick {
  /** Share of the width. */
  at: number;
  text: string;
}

/** Ticks of an axis from 0 to a duration, without one at the end that lacks room, and the share between two. */
export function axisOf(duration: number, width: number): { ticks: AxisTick[]; step: number } {
  if (duration <= 0 || width <= 0) return { ticks: [], step: 1 };
  const step = tickStep(duration, Math.max(1, Math.floor(width / LEAST_TICK)));
  const ticks: AxisTick[] = [];
  for (let i = 0; i * step < duration; i++) {
    const at = (i * step) / duration;
    if (i === 0 || (1 - at) * width >= TICK_TEXT) ticks.push({ at, text: i === 0 ? "0" : formatNanos(i * step) });
  }
  return { ticks, step: step / duration };
}

export type LabelPlace = "after" | "inside" | "before";

/** Where a text of so many CSS pixels fits: after a bar, inside of it, or before it; null where it does not fit. */
export function labelPlace(
  bar: { from: number; to: number },
  duration: number,
  width: number,
  text: number,
): LabelPlace | null {
  const px = (nanos: number) => (duration === 0 ? 0 : (width * nanos) / duration);
  if (px(duration - bar.to) >= text) return "after";
  if (px(bar.to - bar.from) >= text) return "inside";
  return px(bar.from) >= text ? "before" : null;
}

/** Services of which no process is recorded: all of their spans ran elsewhere. Indexes in the trace's texts. */
export function unrecorded({ serviceOf, reason, reasons }: ServiceReasons): Set<number> {
  const found = new Set(serviceOf);
  for (const [place, service] of serviceOf.entries()) {
    if (reasons[(reason[place] ?? 0) - 1] !== "other-process") found.delete(service);
  }
  return found;
}

interface ServiceReasons {
  serviceOf: Uint32Array;
  reason: Uint8Array;
  reasons: readonly Reason[];
}
