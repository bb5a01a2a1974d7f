/** The outline of the filters in force over all profiles: for the counts of the tabs and the selection's header. */
import { useMemo } from "react";
import type { Filter } from "../../core/types.ts";
import type { Outline } from "../../core/view-types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS, ROOT_OPERATION } from "../../model/lists/explorer.ts";
import { filterKey, filterOf, type QueryState } from "../../model/query/query.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";

export interface Outlined {
  filter: Filter;
  outline: Outline;
}

/** The operation of a request is that of its root where tracers name it. */
const OF_ROOT = { endpoint: ENDPOINT_KEYS, operation: [ROOT_OPERATION, ...OPERATION_KEYS] };
const OF_SPAN = { endpoint: ENDPOINT_KEYS, operation: OPERATION_KEYS };

/** Null without filters; until the answer to other filters arrives, that of the former ones. */
export function useOutline(query: QueryState, onFailure: (failure: Failure) => void): Outlined | null {
  const { rawNames: _, ...filter } = filterOf(query);
  const key = filterKey(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter
  const question = useMemo(() => (Object.keys(filter).length === 0 ? null : filter), [key]);
  const answered = useAnswer(
    question,
    (asked) => viewer.outline(asked, asked.span === undefined ? OF_ROOT : OF_SPAN),
    onFailure,
    true,
  );
  return question === null || answered === null ? null : { filter: answered.question, outline: answered.answer };
}
