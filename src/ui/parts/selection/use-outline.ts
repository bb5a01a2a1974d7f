/** The outline of the filters in force over all profiles: for the counts of the tabs and the selection's header. */
import { useMemo } from "react";
import type { Filter, ProfileSummary, SelectionTotals } from "../../../core/types.ts";
import type { Outline } from "../../../core/view-types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS, SELECTION_KEYS } from "../../../model/lists/request-keys.ts";
import { filterKey, filterOf, type QueryState, type Selecting } from "../../../model/query/query.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../answers/use-answer.ts";

export interface Outlined {
  filter: Filter;
  outline: Outline;
}

/** Samples of the selection on screen whose context is inferred; 0 until it is known. */
export function inferredIn(outlined: Outlined | null, profile: ProfileSummary, { samples }: SelectionTotals): number {
  const { scope = 0, trace = 0, neighbours = 0 } = profile.inferredBy ?? {};
  if (outlined === null) return samples === profile.samples ? scope + trace + neighbours : 0;
  const row = outlined.outline.split.find((each) => each.profile === profile.id);
  return row?.totals.samples === samples ? (row.inferred ?? 0) : 0;
}

/** Null while only the answer to other filters is there: its figures would be wrong. */
export function currentOutline(outlined: Outlined | null, query: Selecting): Outline | null {
  const { rawNames: _, ...filter } = filterOf(query);
  return outlined !== null && filterKey(outlined.filter) === filterKey(filter) ? outlined.outline : null;
}

const OF_SPAN = { endpoint: ENDPOINT_KEYS, operation: OPERATION_KEYS };

export const askOutline = (filter: Filter) =>
  viewer.outline(filter, filter.span === undefined ? SELECTION_KEYS : OF_SPAN);

/** Null without filters; until the answer to other filters arrives, that of the former ones. */
export function useOutline(query: QueryState): Outlined | null {
  const { rawNames: _, ...filter } = filterOf(query);
  const key = filterKey(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal keys have equal filters
  const question = useMemo(() => (Object.keys(filter).length === 0 ? null : filter), [key]);
  const answered = useAnswer(question, askOutline, true);
  return question === null || answered === null ? null : { filter: answered.question, outline: answered.answer };
}
