/** Transforms of the call tree, for every view: they change how stacks are shown, not which samples are selected. */
import type { Filter } from "../../core/types.ts";
import type { Recursion, RunRule, Shape as SomeShape } from "../../core/view-types.ts";
import { exactPattern, type Finder } from "./pattern.ts";

export type { Recursion };

export type Shape = Required<SomeShape>;

export const RECURSIONS: readonly Recursion[] = ["kept", "direct", "all"];

export const WHOLE: Shape = { from: "", merged: [], recursion: "kept", lines: false, roots: [], runs: [], opened: [] };

/** Equal keys, equal trees; "" for the whole one. */
export function shapeKey(shape: SomeShape | undefined): string {
  if (shape === undefined) return "";
  const key = keyOf(shape);
  return key === WHOLE_KEY ? "" : key;
}

function keyOf({ from, merged, recursion, lines, roots = [], runs = [], opened = [] }: SomeShape): string {
  return JSON.stringify([from, merged, recursion, lines, roots.map(({ by }) => by), runs, opened]);
}

const WHOLE_KEY = keyOf(WHOLE);

/**
 * Stacks that begin at a function are those that have it: samples without it are skipped, so that totals agree.
 */
export function filterFrom(filter: Filter, from: string): Filter {
  if (from === "") return filter;
  const having = { pattern: exactPattern(from) };
  const known = filter.frames?.some(({ pattern, exclude }) => pattern === having.pattern && exclude !== true) ?? false;
  return known ? filter : { ...filter, frames: [...(filter.frames ?? []), having] };
}

/** The query with its fold as a run of the shape: that of graphs and trees, while tables list functions. */
export function drawn<T extends { shape?: SomeShape; fold?: RunRule }>(query: T): T {
  const { fold, shape = WHOLE } = query;
  return fold === undefined ? query : { ...query, shape: { ...shape, runs: [fold, ...(shape.runs ?? [])] } };
}

/** The query without collapsed runs. Borders stay: they remove frames. */
export function unfolded<T extends { shape?: SomeShape | undefined }>(query: T): T {
  const { shape } = query;
  const runs = shape?.runs?.filter(({ border = false }) => border) ?? [];
  return runs.length === (shape?.runs?.length ?? 0) ? query : { ...query, shape: { ...shape!, runs, opened: [] } };
}

/** The query without collapsed runs: findings see the functions inside them. */
export function withoutRuns<T extends { shape?: SomeShape | undefined }>(query: T): T {
  const { shape } = query;
  return shape?.runs === undefined || shape.runs.length === 0
    ? query
    : { ...query, shape: { ...shape, runs: [], opened: [] } };
}

/** Whether a frame is one that is looked for. */
export function isFound(expression: Finder | null, name: string, lines = false): boolean {
  return expression !== null && name !== "" && expression.test(functionOf(name, lines));
}

/** The function of a frame's name, where frames are split by line. */
export function functionOf(name: string, lines: boolean): string {
  return lines ? name.replace(/:\d+$/, "") : name;
}
