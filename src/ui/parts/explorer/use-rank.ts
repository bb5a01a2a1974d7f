/** A ranking, fetched page by page as it scrolls into view. */
import type { Filter, RankBy, RankHow, RankPage } from "../../../core/types.ts";
import type { QueryState } from "../../../model/query/query.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Query } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { whenPainted } from "../answers/after-paint.ts";
import { useSame, useSamples } from "../answers/use-answer.ts";
import { type Pages, usePages } from "../answers/use-pages.ts";

/** `question.by` is the ranking of the current rows. */
export type Ranking = Pages<{ samples: Query; by: RankBy; how: RankHow }, RankPage>;

/** `by` and `how` are compared by identity. */
export function useRank(profile: Measured, filter: Filter, by: RankBy, how: RankHow): Ranking {
  const samples = useSamples(profile, filter);
  const question = useSame({ samples, by, how });
  return usePages(question, async (asked, offset, limit) => {
    // The user sees the graph first.
    await new Promise<void>(whenPainted);
    return viewer.rank(asked.samples, asked.by, offset, limit, asked.how);
  });
}

/** The part of the query that the list depends on. */
export const LIST_FIELDS = ["filter", "shape", "look", "by", "sort", "reversed", "rows"] as const;

export type ListQuery = Pick<QueryState, (typeof LIST_FIELDS)[number]>;
