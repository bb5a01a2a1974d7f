/** The part of the query that the timeline depends on. */
import type { TimeRange } from "../../../core/types.ts";
import type { QueryAction, QueryState } from "../../../model/query/query.ts";

export const TIME_FIELDS = [
  "filter",
  "shape",
  "look",
  "timeline",
  "lanes",
  "laneOrder",
  "zoom",
  "jvm",
  "notes",
] as const;

export type TimeQuery = Pick<QueryState, (typeof TIME_FIELDS)[number]>;

/** The range that samples are filtered by, and the way to another one or to none. */
export function timeFilter({ filter }: TimeQuery, act: (action: QueryAction) => void) {
  const range = filter.time ?? null;
  const onRange = (time: TimeRange | null) => {
    if (time !== null) act({ kind: "add", chip: { kind: "time", ...time } });
    else if (range !== null) act({ kind: "remove", chip: { kind: "time", ...range } });
  };
  return { range, onRange };
}
