/** Part of the query for a part of the page: the same object until one of its fields changes. */
import { useMemo } from "react";
import type { QueryState } from "../../../model/query/query.ts";

/** `names` never change. A component in `memo` that gets the part is not rendered for other fields. */
export function usePart<Name extends keyof QueryState>(
  query: QueryState,
  names: readonly Name[],
): Pick<QueryState, Name> {
  return useMemo(
    () => Object.fromEntries(names.map((name) => [name, query[name]])) as Pick<QueryState, Name>,
    // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are what it depends on
    names.map((name) => query[name]),
  );
}
