/**
 * Questions that are asked as soon as the user acts. React renders the whole page for an action before its effects ask
 * the worker, which has nothing to do meanwhile. The panel knows which question the next state will lead to; it is
 * asked first, and the effect takes its answer.
 *
 *   action ── asked ahead ── rendered ── the effect asks the same: takes the answer
 *                └── worker ──┘
 */
import { useEffect, useRef } from "react";
import type { QueryState } from "../../../model/query/query.ts";
import type { Result } from "../../../worker/api.ts";
import { isUrgent } from "./after-paint.ts";

/** A question with its key: equal keys have equal answers. */
export interface Ahead<T = unknown> {
  key: string;
  ask: () => Promise<Result<T>>;
}

type Foresee = (query: QueryState) => Ahead | null;

let foresee: Foresee | null = null;
/** At most one: the graph, or the view, that the user waits for. */
let asked: { key: string; answer: Promise<unknown> } | null = null;

/** `which` tells what the page asks first in a state. It is for the time that the component is on the page. */
export function useForesight(which: Foresee): void {
  const newest = useRef(which);
  newest.current = which;
  useEffect(() => {
    const mine: Foresee = (query) => newest.current(query);
    foresee = mine;
    return () => {
      if (foresee === mine) foresee = null;
      // Another recording may be asked the same.
      asked = null;
    };
  }, []);
}

/** To be called before the page has `next` in place of `query`. */
export function askAhead(query: QueryState, next: QueryState): void {
  asked = null;
  // While the user drags, one question is asked at a time (latest.ts).
  if (foresee === null || next === query || isUrgent()) return;
  const question = foresee(next);
  if (question !== null && question.key !== foresee(query)?.key) {
    asked = { key: question.key, answer: question.ask() };
  }
}

/** The answer to a question: that of the question asked ahead if it is the same. */
export function answerTo<T>({ key, ask }: Ahead<T>): Promise<Result<T>> {
  const before = asked;
  asked = null;
  return before?.key === key ? (before.answer as Promise<Result<T>>) : ask();
}
