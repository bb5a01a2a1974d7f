/** A long answer, fetched page by page as it comes into view. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Failure, Result } from "../../worker/api.ts";

const PAGE_ROWS = 100;

export interface Pages<Q, T> {
  /** Rows in all; null until the first answer. */
  count: number | null;
  /** The question that the rows answer; another object, another answer. */
  question: Q;
  rowAt: (index: number) => T | undefined;
  /** Rows of this range are in view. */
  need: (first: number, last: number) => void;
}

type Ask<Q, T> = (question: Q, offset: number, limit: number) => Promise<Result<{ count: number; rows: T[] }>>;

/** `question` is compared by identity. Rows of the one before stay until the first new ones are there. */
export function usePages<Q, T>(question: Q, ask: Ask<Q, T>, onFailure: (failure: Failure) => void): Pages<Q, T> {
  const [held, setHeld] = useState({ count: null as number | null, question, pages: new Map<number, T[]>() });
  const asked = useRef(new Set<number>());
  const asking = useRef(ask);
  asking.current = ask;

  const need = useCallback(
    (first: number, last: number) => {
      const mine = asked.current;
      for (let page = Math.floor(first / PAGE_ROWS); page <= Math.floor(last / PAGE_ROWS); page++) {
        if (mine.has(page)) continue;
        mine.add(page);
        void asking.current(question, page * PAGE_ROWS, PAGE_ROWS).then((answer) => {
          if (asked.current !== mine) return; // something else is asked by now
          if (!answer.ok) return onFailure(answer.error);
          const { count, rows } = answer.value;
          setHeld((now) => ({
            count,
            question,
            pages: new Map([...(now.question === question ? now.pages : []), [page, rows]]),
          }));
        });
      }
    },
    [question, onFailure],
  );

  useEffect(() => {
    need(0, 0);
    return () => {
      // Answers on their way belong to this question only.
      asked.current = new Set();
    };
  }, [need]);

  const { pages } = held;
  const rowAt = useCallback((index: number) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS], [pages]);
  return { count: held.count, question: held.question, rowAt, need };
}
