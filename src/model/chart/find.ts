/** Boxes of a chart that a search finds, and the next of them. */
import type { Finder } from "../query/pattern.ts";
import type { ChartColumns } from "./columns.ts";

export interface ChartMatches {
  /** 1 for the names that match. */
  names: Uint8Array;
  boxes: number;
  /** Ns in matching boxes; nested ones count once. */
  nanos: number;
}

export function findBoxes(columns: ChartColumns, finder: Finder): ChartMatches {
  const { lane, depth, duration, name } = columns;
  const names = Uint8Array.from(columns.names, (text) => Number(finder.test(text)));
  let boxes = 0;
  let nanos = 0;
  // The outermost match that is open: its lane and depth.
  let open = { lane: -1, depth: 0 };
  for (let box = 0; box < lane.length; box++) {
    if (open.lane !== lane[box] || depth[box] <= open.depth) open = { lane: -1, depth: 0 };
    if (names[name[box]] === 0) continue;
    boxes++;
    if (open.lane >= 0) continue;
    nanos += duration[box];
    open = { lane: lane[box], depth: depth[box] };
  }
  return { names, boxes, nanos };
}

/** The match after a box (1) or before it (−1), round and round; null if there is none. */
export function nextBox({ name }: ChartColumns, names: Uint8Array, from: number, step: number): number | null {
  for (let i = 1; i <= name.length; i++) {
    const box = (from + step * i + name.length * 2) % name.length;
    if (names[name[box]] !== 0) return box;
  }
  return null;
}
