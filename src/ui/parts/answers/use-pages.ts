/** A long answer, fetched page by page as the user scrolls. */
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { Result } from "../../../worker/api.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { Grown } from "./use-answer.ts";

const PAGE_ROWS = 100;

export interface Pages<Q, A extends Page> {
  /** Rows in all; null until the first answer. */
  count: number | null;
  /** The newest answer, for its fields besides the rows. */
  answer: A | null;
  /** The question that the rows answer; another object, another answer. */
  question: Q;
  /** They answer the question that is asked now, of the recording as it is now. */
  isCurrent: boolean;
  /** The recording that the newest answer is of. */
  grown: unknown;
  /** The rows that were fetched; the same array until more are there. */
  fetched: A["rows"];
  rowAt: (index: number) => A["rows"][number] | undefined;
  /** Rows of this range are in view. */
  need: (first: number, last: number) => void;
}

interface Page {
  count: number;
  rows: unknown[];
}

type Ask<Q, A> = (question: Q, offset: number, limit: number) => Promise<Result<A>>;

/** `question` is compared by identity. Rows of the one before stay until the first new ones are there. */
export function usePages<Q, A extends Page>(question: Q, ask: Ask<Q, A>): Pages<Q, A> {
  const onFailure = useFailure();
  const grown = useContext(Grown);
  const [held, setHeld] = useState({ answer: null as A | null, question, grown, pages: new Map<number, A["rows"]>() });
  const asked = useRef(new Set<number>());
  const asking = useRef(ask);
  asking.current = ask;
  const growth = useRef(grown);
  growth.current = grown;

  const need = useCallback(
    (first: number, last: number) => {
      const mine = asked.current;
      for (let page = Math.floor(first / PAGE_ROWS); page <= Math.floor(last / PAGE_ROWS); page++) {
        if (mine.has(page)) continue;
        mine.add(page);
        void asking.current(question, page * PAGE_ROWS, PAGE_ROWS).then((answer) => {
          if (asked.current !== mine) return; // something else is asked by now
          if (!answer.ok) return onFailure(answer.error);
          const { value } = answer;
          setHeld((now) => ({
            answer: value,
            question,
            grown: growth.current,
            pages: new Map([...(now.question === question ? now.pages : []), [page, value.rows]]),
          }));
        });
      }
    },
    [question, onFailure],
  );

  const shown = useRef(held);
  shown.current = held;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the recording grew, and its rows are others
  useEffect(() => {
    const { question: of, pages } = shown.current;
    for (const page of new Set([0, ...(of === question ? pages.keys() : [])])) need(page * PAGE_ROWS, page * PAGE_ROWS);
    return () => {
      // Answers on their way belong to this question only.
      asked.current = new Set();
    };
  }, [need, question, grown]);

  const { pages, answer } = held;
  const rowAt = useCallback((index: number) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS], [pages]);
  const fetched = useMemo(() => [...pages.values()].flat() as A["rows"], [pages]);
  const isCurrent = answer !== null && held.question === question && held.grown === grown;
  return {
    count: answer?.count ?? null,
    answer,
    question: held.question,
    isCurrent,
    grown: held.grown,
    fetched,
    rowAt,
    need,
  };
}

/**
 * The same rows in the same order while the pointer is over them: what the recording has more would take a click to a
 * neighbour. Rows that were not there come from the newest answer. `list` is another object where another list was
 * asked for.
 */
export function useStill<Q, A extends Page>(pages: Pages<Q, A>, list: object) {
  const [isOver, setIsOver] = useState(false);
  const still = useRef({ pages, list });
  const { question, count, grown, answer } = still.current.pages;
  const isHeld = isOver && count !== null && grown !== pages.grown && still.current.list === list;
  if (!isHeld) still.current = { pages, list };
  const { pages: before } = still.current;
  const rowAt = useCallback((index: number) => before.rowAt(index) ?? pages.rowAt(index), [before, pages]);
  return {
    pages: isHeld ? { ...pages, question, count, answer, rowAt } : pages,
    over: { onPointerEnter: () => setIsOver(true), onPointerLeave: () => setIsOver(false) },
  };
}
