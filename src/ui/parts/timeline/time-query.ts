/** The part of the query that the timeline depends on. */
import type { QueryState } from "../../../model/query/query.ts";

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
