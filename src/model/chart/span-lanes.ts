/**
 * Lanes for the spans of a trace. A span is one row below its parent; one that overlaps the span before it in that row
 * begins another lane, with all below it. So the boxes of a lane are a tree, as the chart needs (columns.ts).
 */

/** Spans, a parent before its children; a subtree is one stretch of `size` places. Times in ns from a common zero. */
export interface LanedSpans {
  /** Place of the parent, −1 for roots. */
  up: Int32Array;
  size: Uint32Array;
  from: Float64Array;
  length: Float64Array;
}

export interface SpanLanes {
  lanes: number;
  /** Lane of each span, `NO_LANE` for those that are left out. */
  lane: Int32Array;
  /** Row in the lane. */
  depth: Uint32Array;
  /** Spans that need more than `most` lanes. */
  left: number;
}

export const NO_LANE = -1;

export function spanLanes({ up, size, from, length }: LanedSpans, most: number): SpanLanes {
  const count = up.length;
  const lane = new Int32Array(count).fill(NO_LANE);
  const depth = new Uint32Array(count);
  /** For each lane and row the latest end of a span. */
  const reach: number[][] = [];
  let left = 0;
  for (let place = 0; place < count; ) {
    const [start, end] = [from[place], from[place] + length[place]];
    const above = up[place];
    let row = above < 0 ? 0 : depth[above] + 1;
    let at = above < 0 ? 0 : lane[above];
    const isFree = () => start >= (reach[at]?.[row] ?? Number.NEGATIVE_INFINITY);
    if (!isFree()) row = 0;
    // Further lanes only: the rows of those before may belong to spans around this one.
    while (!isFree()) at++;
    if (at >= most) {
      left += size[place];
      place += size[place];
      continue;
    }
    lane[place] = at;
    depth[place] = row;
    reach[at] ??= [];
    reach[at][row] = Math.max(end, reach[at][row] ?? end);
    place++;
  }
  return { lanes: reach.length, lane, depth, left };
}
