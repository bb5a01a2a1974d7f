/**
 * Self time and critical path of spans. All times are exact: i64 nanoseconds.
 *
 * The critical path of a root goes backwards from its end. The span waited for the child that ended last before a
 * moment, and the time between is the span's. A child that ends later ran beside that: the child and the spans below it
 * are off the path. (The last child to finish, as in CRISP and on Jaeger's page.)
 */
import { compare, type Places } from "./places.ts";

/** Start and end of each place. */
export interface Extents {
  start: BigInt64Array;
  end: BigInt64Array;
}

/** Duration minus the union of the children's intervals, cut to the span's. */
export function selfTimes(extents: Extents, places: Pick<Places, "size">): BigInt64Array {
  return extents.start.map((_, place) => {
    let self = 0n;
    walkSelf(extents, places, place, (from, to) => {
      self += to - from;
    });
    return self;
  });
}

/** When a span ran and none of its children, in the order of time. */
export function selfStretches(
  extents: Extents,
  places: Pick<Places, "size">,
  place: number,
): [from: bigint, to: bigint][] {
  const found: [bigint, bigint][] = [];
  walkSelf(extents, places, place, (from, to) => found.push([from, to]));
  return found;
}

function walkSelf(
  { start, end }: Extents,
  { size }: Pick<Places, "size">,
  place: number,
  visit: (from: bigint, to: bigint) => void,
): void {
  const to = end[place] ?? 0n;
  const after = place + (size[place] ?? 0);
  let at = start[place] ?? 0n;
  // Children are in the order of their starts.
  for (let child = place + 1; child < after; child += size[child] ?? 1) {
    const [a, b] = [start[child] ?? 0n, end[child] ?? 0n];
    const first = a > at ? a : at;
    const last = b < to ? b : to;
    if (last <= first) continue;
    if (first > at) visit(at, first);
    at = last;
  }
  if (to > at) visit(at, to);
}

interface Piece {
  place: number;
  low: bigint;
  high: bigint;
}

/** A child, cut to what is walked of its parent; doubles of both, which round, but keep the order. */
interface Cut {
  place: number;
  start: bigint;
  end: bigint;
  roughStart: number;
  roughEnd: number;
}

/** A stretch of the critical path: the span is what the request waited for. */
export interface CriticalStretch {
  place: number;
  from: bigint;
  to: bigint;
}

/** The critical path of the roots among places [`first`, `after`), in the order of time. */
export function criticalPath(
  extents: Extents,
  places: Pick<Places, "size" | "up">,
  ids: BigUint64Array,
  [first, after]: readonly [number, number],
): CriticalStretch[] {
  const path: CriticalStretch[] = [];
  walkCritical(extents, places, ids, [first, after], (place, from, to) => {
    if (to > from) path.push({ place, from, to });
  });
  return path.sort((a, b) => compare(a.from, b.from));
}

/** What each span has of the critical path of its root: over a tree it adds up to the root's duration. */
export function criticalTimes(extents: Extents, places: Places, ids: BigUint64Array): BigInt64Array {
  const critical = new BigInt64Array(places.size.length);
  walkCritical(extents, places, ids, [0, critical.length], (place, from, to) => {
    critical[place] = (critical[place] ?? 0n) + to - from;
  });
  return critical;
}

function walkCritical(
  { start, end }: Extents,
  { size, up }: Pick<Places, "size" | "up">,
  ids: BigUint64Array,
  [first, after]: readonly [number, number],
  visit: (place: number, from: bigint, to: bigint) => void,
): void {
  const open: Piece[] = [];
  for (let root = first; root < after; root += size[root] ?? 1) {
    if (up[root] === -1) open.push({ place: root, low: start[root] ?? 0n, high: end[root] ?? 0n });
  }
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    const { place, low, high } = piece;
    let at = high;
    for (const child of cutChildren(place, low, high)) {
      if (child.end > at) continue;
      visit(place, child.end, at);
      open.push({ place: child.place, low: child.start, high: child.end });
      at = child.start;
    }
    visit(place, low, at);
  }

  /** From the one that ends last: of equals, that starts last, then of the lowest id. */
  function cutChildren(place: number, low: bigint, high: bigint): Cut[] {
    const cuts: Cut[] = [];
    const after = place + (size[place] ?? 0);
    for (let child = place + 1; child < after; child += size[child] ?? 1) {
      const [a, b] = [start[child] ?? 0n, end[child] ?? 0n];
      const cut = { place: child, start: a > low ? a : low, end: b < high ? b : high };
      if (cut.end <= cut.start) continue;
      cuts.push({ ...cut, roughStart: Number(cut.start - low), roughEnd: Number(cut.end - low) });
    }
    return cuts.sort(
      (x, y) =>
        y.roughEnd - x.roughEnd ||
        compare(y.end, x.end) ||
        y.roughStart - x.roughStart ||
        compare(y.start, x.start) ||
        compare(ids[x.place], ids[y.place]),
    );
  }
}
