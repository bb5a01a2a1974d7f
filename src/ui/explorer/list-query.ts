/** The part of the query that the list depends on. */
import type { QueryState } from "../../model/query/query.ts";

export const LIST_FIELDS = ["filter", "shape", "look", "by", "sort", "reversed", "rows"] as const;

export type ListQuery = Pick<QueryState, (typeof LIST_FIELDS)[number]>;
