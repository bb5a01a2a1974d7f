/** Frames of an answer: names, matches, paths, and the keys that move between them. */
import type { FrameColumns } from "../../core/types.ts";
import type { Finder } from "../query/pattern.ts";
import { isFound } from "../query/shape.ts";
import { formatCount } from "../words/format.ts";
import { visible } from "../words/text.ts";

/** Name for the root of the whole tree, which is nameless in the recording. */
export const ROOT_NAME = "all";

/** Characters of a frame's name that are drawn; no box is wider. */
export const LABEL_CAP = 200;

/** The name of a row, safe to show; the nameless root of the tree is called `rootName`. */
export function frameName(columns: FrameColumns, row: number, rootName: string, cap?: number): string {
  const name = columns.names[columns.name[row]] ?? "";
  if (name === "") return columns.node[row] === 0 ? rootName : "(no name)";
  return visible(name, cap);
}

/** A frame without the widest ones below it. */
export function partName(name: string, past: number): string {
  return `${name} without its ${formatCount(past)} widest`;
}

export type FlameStep = "up" | "down" | "left" | "right" | "home" | "end";

const STEPS: ReadonlyMap<string, FlameStep> = new Map(
  Object.entries({
    ArrowUp: "up",
    ArrowDown: "down",
    ArrowLeft: "left",
    ArrowRight: "right",
    Home: "home",
    End: "end",
  }),
);
const UPSIDE_DOWN: Partial<Record<FlameStep, FlameStep>> = { up: "down", down: "up" };

/** What an arrow key means; in a graph that grows upwards, up is away from the root. */
export function stepOf(key: string, up: boolean): FlameStep | undefined {
  const step = STEPS.get(key);
  return up && step !== undefined ? (UPSIDE_DOWN[step] ?? step) : step;
}

/** Row of a tree node in this answer, 0 where it is not shown. */
export function rowOfNode(columns: FrameColumns, node: number): number {
  return Math.max(0, columns.node.indexOf(node));
}

/** Ids of the names from the frame below the focus down to `row`: the path there in a regrouped tree. */
export function namesDownTo(columns: FrameColumns, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at !== 0; at = columns.parent[at]) path.unshift(columns.nameIds[columns.name[at]]);
  return path;
}

/** Row at the end of such a path, 0 where it is not shown. */
export function rowOfNames(columns: FrameColumns, path: readonly number[]): number {
  let row = 0;
  let depth = 0;
  // A frame is after its parent.
  for (let at = 1; at < columns.parent.length && depth < path.length; at++) {
    if (columns.parent[at] !== row || columns.nameIds[columns.name[at]] !== path[depth]) continue;
    row = at;
    depth++;
  }
  return depth === path.length ? row : 0;
}

/** The frames from `row` out to the topmost, a line each; `above` are the names over the focus, the topmost first. */
export function stackText(columns: FrameColumns, row: number, above: readonly string[]): string {
  const names: string[] = [];
  for (let at = row; ; at = columns.parent[at]) {
    names.push(columns.names[columns.name[at]]);
    if (at === 0) break;
  }
  return [...names, ...above.toReversed()].filter((name) => name !== "").join("\n");
}

/** Rows whose function the expression finds. */
export function matchingRows(columns: FrameColumns, expression: Finder, lines = false): Set<number> {
  const named = columns.names.map((name) => isFound(expression, name, lines));
  const rows = new Set<number>();
  columns.name.forEach((name, row) => {
    if (named[name]) rows.add(row);
  });
  return rows;
}

/** The match after `at` (1) or before it (-1), round and round; from anywhere else the first or the last. */
export function nextMatch(matches: readonly number[], at: number, step: number): number | undefined {
  const from = matches.indexOf(at);
  const next = from < 0 && step < 0 ? matches.length - 1 : (from + step + matches.length) % matches.length;
  return matches[next];
}

/** Depth of one row below the focus. */
export function depthOf({ parent }: FrameColumns, row: number): number {
  let depth = 0;
  for (let at = row; at !== 0; at = parent[at]) depth++;
  return depth;
}
