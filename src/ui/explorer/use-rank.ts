/** A ranking, fetched page by page as it scrolls into view. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Filter, RankBy, RankRow } from "../../core/types.ts";
import type { Measured } from "../../model/measure.ts";
import { filterKey } from "../../model/query.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";

export const PAGE_ROWS = 100;

export interface Ranking {
  /** Rows in all; null until the first answer. */
  count: number | null;
  /** Fetched pages by index. Those of the ranking before stay until the first new one is there. */
  pages: ReadonlyMap<number, RankRow[]>;
  /** What the rows are ranked by. */
  by: RankBy;
  /** The question answered here; another object, another ranking. */
  question: object;
}

export function useRank(
  profile: Measured,
  filter: Filter,
  by: RankBy,
  onFailure: (failure: Failure) => void,
): { ranking: Ranking; need: (page: number) => void } {
  const { id, measure } = profile;
  const key = JSON.stringify([id, measure, filterKey(filter), by]);
  // The question behind the key: equal keys are equal questions, so the object of the first one stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the others
  const question = useMemo(() => ({ query: { profile: id, measure, filter }, by }), [key]);
  const [ranking, setRanking] = useState<Ranking>({ count: null, pages: new Map(), by, question });
  const asked = useRef(new Set<number>());

  const need = useCallback(
    (page: number) => {
      const pagesAsked = asked.current;
      if (pagesAsked.has(page)) return;
      pagesAsked.add(page);
      void viewer.rank(question.query, question.by, page * PAGE_ROWS, PAGE_ROWS).then((answer) => {
        if (asked.current !== pagesAsked) return; // another ranking is on screen by now
        if (!answer.ok) return onFailure(answer.error);
        const { count, rows } = answer.value;
        setRanking((now) => ({
          count,
          by: question.by,
          question,
          pages: new Map([...(now.question === question ? now.pages : []), [page, rows]]),
        }));
      });
    },
    [question, onFailure],
  );

  useEffect(() => {
    need(0);
    return () => {
      // Answers on their way belong to this question only.
      asked.current = new Set();
    };
  }, [need]);

  return { ranking, need };
}
