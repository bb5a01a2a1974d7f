/** The orders of the explorer's rows, and their words. */
import type { RankBy, RankSort } from "../../core/types.ts";

/** `requests`: an order of the values of an attribute only. */
const SORT_WORDS: Record<RankSort, { word: string; requests?: true }> = {
  weight: { word: "total" },
  samples: { word: "samples" },
  requests: { word: "requests", requests: true },
  slowest: { word: "p95 duration", requests: true },
  duration: { word: "duration" },
  first: { word: "start" },
  name: { word: "name" },
};
export const SORTS = Object.keys(SORT_WORDS) as RankSort[];

/** The order of a list whose order was not chosen: the slowest request, the heaviest value. */
export function sortFor(chosen: RankSort | "", by: RankBy, timed: boolean): RankSort {
  const known = sortsOf(by).find((sort) => sort === chosen);
  return known ?? (by.kind === "attribute" || !timed ? "weight" : "duration");
}

/** Orders of values without times and samples. */
const OF_VALUES: readonly RankSort[] = ["weight", "name"];

/** The orders for a list of these rows. `ofCalls`: those of dumps. */
export function sortsOf(by: RankBy, ofCalls = false): readonly RankSort[] {
  if (ofCalls) return OF_VALUES;
  return SORTS.filter((sort) => by.kind === "attribute" || SORT_WORDS[sort].requests !== true);
}

export function sortWord(sort: RankSort, by: RankBy): string {
  return sort === "name" && by.kind !== "attribute" ? "id" : SORT_WORDS[sort].word;
}
