/** The orders of the explorer's rows, and their words. */
import type { RankBy, RankSort } from "../../core/types.ts";

const SORT_WORDS: Record<RankSort, string> = {
  weight: "weight",
  samples: "samples",
  name: "name",
  first: "first seen",
  duration: "time span",
};
export const SORTS = Object.keys(SORT_WORDS) as RankSort[];

export function sortWord(sort: RankSort, by: RankBy): string {
  return sort === "name" && by.kind !== "attribute" ? "id" : SORT_WORDS[sort];
}
