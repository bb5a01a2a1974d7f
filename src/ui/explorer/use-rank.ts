/** A ranking, fetched page by page as it scrolls into view. */
import { useMemo } from "react";
import type { Filter, RankBy, RankRow } from "../../core/types.ts";
import type { Measured } from "../../model/measure.ts";
import type { Failure, Query } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useSamples } from "../analysis/use-answer.ts";
import { type Pages, usePages } from "../analysis/use-pages.ts";

/** `question.by` is what the rows at hand are ranked by. */
export type Ranking = Pages<{ samples: Query; by: RankBy }, RankRow>;

export function useRank(profile: Measured, filter: Filter, by: RankBy, onFailure: (failure: Failure) => void): Ranking {
  const samples = useSamples(profile, filter);
  const question = useMemo(() => ({ samples, by }), [samples, by]);
  return usePages(question, (asked, offset, limit) => viewer.rank(asked.samples, asked.by, offset, limit), onFailure);
}
