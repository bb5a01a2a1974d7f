/** Rows of a waterfall: the spans of a trace without those below closed ones, and their places on the time axis. */

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
