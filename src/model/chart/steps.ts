/** Steps through the tree of a chart. Boxes are in the order of entering (columns.ts), so they need no links. */
import type { LegendFrames } from "../flame/legend.ts";
import type { ChartColumns } from "./columns.ts";

export type ChartStep = "parent" | "child" | "next" | "previous";

/** The box that a step leads to; the box itself where there is none. */
export function stepFrom(columns: ChartColumns, box: number, step: ChartStep): number {
  const { depth } = columns;
  if (step === "child") return isIn(columns, box, box + 1) && depth[box + 1] === depth[box] + 1 ? box + 1 : box;
  if (step === "parent") return parentOf(columns, box) ?? laneBefore(columns, box);
  if (step === "next") return siblingAfter(columns, box) ?? box;
  return siblingBefore(columns, box) ?? box;
}

function isIn({ lane }: ChartColumns, box: number, other: number): boolean {
  return other >= 0 && other < lane.length && lane[other] === lane[box];
}

export function parentOf(columns: ChartColumns, box: number): number | null {
  const { depth } = columns;
  if (depth[box] === 0) return null;
  for (let at = box - 1; isIn(columns, box, at); at--) if (depth[at] < depth[box]) return at;
  return null;
}

/** From the top of a lane up to the first box of the lane above it. */
function laneBefore({ lane, depth }: ChartColumns, box: number): number {
  if (depth[box] !== 0) return box;
  let at = box;
  while (at >= 0 && lane[at] === lane[box]) at--;
  if (at < 0) return box;
  const above = lane[at];
  while (at > 0 && lane[at - 1] === above) at--;
  return at;
}

function siblingAfter(columns: ChartColumns, box: number): number | null {
  const { depth } = columns;
  let at = box + 1;
  for (; isIn(columns, box, at); at++) if (depth[at] <= depth[box]) return sameLevel(columns, box, at);
  // From the last box at the top of a lane on to the next lane.
  return depth[box] === 0 && at < depth.length ? at : null;
}

function siblingBefore(columns: ChartColumns, box: number): number | null {
  const { depth } = columns;
  for (let at = box - 1; isIn(columns, box, at); at--) if (depth[at] <= depth[box]) return sameLevel(columns, box, at);
  return null;
}

function sameLevel({ depth }: ChartColumns, box: number, at: number): number | null {
  return depth[at] === depth[box] ? at : null;
}

/** The end of the boxes below a box: they are box + 1 … end − 1. */
export function endOfTree(columns: ChartColumns, box: number): number {
  const { depth, lane } = columns;
  let at = box + 1;
  while (at < lane.length && lane[at] === lane[box] && depth[at] > depth[box]) at++;
  return at;
}

/** Which of its parent's boxes a box is, from 1 on, and how many these are. */
export function placeAmongSiblings(columns: ChartColumns, box: number): { place: number; count: number } {
  const { depth, lane } = columns;
  const above = parentOf(columns, box);
  let [from, to] = [box, box + 1];
  if (above === null) {
    while (isIn(columns, box, from - 1)) from--;
    while (isIn(columns, box, to)) to++;
  } else [from, to] = [above + 1, endOfTree(columns, above)];
  let [place, count] = [0, 0];
  for (let at = from; at < to; at++) {
    if (depth[at] !== depth[box] || lane[at] !== lane[box]) continue;
    count++;
    if (at <= box) place++;
  }
  return { place, count };
}

/** Ns in pauses of a box and all below it. */
export function suspensionOf(columns: ChartColumns, box: number): number {
  const { suspended } = columns;
  const end = endOfTree(columns, box);
  let sum = 0;
  for (let at = box; at < end; at++) sum += suspended[at];
  return sum;
}

/** Names from the box out to the top of its lane. */
export function stackOf(columns: ChartColumns, box: number): string[] {
  const names: string[] = [];
  for (let at: number | null = box; at !== null; at = parentOf(columns, at))
    names.push(columns.names[columns.name[at]]);
  return names;
}

/** The boxes that are frames, as a legend reads them, and the time of all. A box at the top of a lane is its own parent. */
export function legendFrames(columns: ChartColumns): { frames: LegendFrames; whole: number } {
  const { names, name, library, frameType, lane, lanes, depth, duration } = columns;
  const ofFrames = (nanos: Float64Array) =>
    nanos.map((each, box) => (lanes[lane[box]].beside === undefined ? each : 0));
  const [total, self] = [ofFrames(duration), ofFrames(columns.self)];
  const parent = new Uint32Array(lane.length);
  /** The last box of each level. */
  const last: number[] = [];
  let whole = 0;
  for (let box = 0; box < lane.length; box++) {
    last[depth[box]] = box;
    parent[box] = last[Math.max(0, depth[box] - 1)];
    if (depth[box] === 0) whole += total[box];
  }
  const hiddenValue = new Float64Array(lane.length);
  return { frames: { names, name, frameType, total, self, parent, hiddenValue, ...(library && { library }) }, whole };
}
