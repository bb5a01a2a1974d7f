/** The worker's answer to the newest question; the former answer stays until it arrives. */
import { createContext, startTransition, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { Filter } from "../../../core/types.ts";
import { Latest } from "../../../model/query/latest.ts";
import { LOOK } from "../../../model/query/look.ts";
import { filterKey, type QueryState } from "../../../model/query/query.ts";
import { foldOf } from "../../../model/query/run-rules.ts";
import { shapeKey } from "../../../model/query/shape.ts";
import { contentionOf } from "../../../model/recording/contention.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Failure, Query, Result } from "../../../worker/api.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { beginUrgent, whenPainted } from "./after-paint.ts";
import { useNamed } from "./symbol-store.ts";

export interface Answered<Q, T> {
  question: Q;
  answer: T;
}

/** Changes when more of the recording was read: every question is asked again. */
export const Grown = createContext<unknown>(null);

/**
 * The same object as long as it has the same fields, each compared by identity: a question is asked again when it is
 * another object.
 */
export function useSame<T extends object | null>(now: T): T {
  const kept = useRef(now);
  if (!hasSameFields(kept.current, now)) kept.current = now;
  return kept.current;
}

function hasSameFields(before: object | null, now: object | null): boolean {
  if (before === null || now === null) return before === now;
  const [old, fields] = [Object.entries(before), Object.entries(now)];
  return (
    old.length === fields.length && fields.every(([name, value], i) => old[i]?.[0] === name && old[i][1] === value)
  );
}

/**
 * `question` is compared by identity; null asks nothing. A question that is not urgent asks `later`, once all other
 * answers to the same click are painted. A failure is told to `instead`, or to what is around.
 */
export function useAnswer<Q, T>(
  question: Q | null,
  ask: (question: Q) => Promise<Result<T>>,
  later = false,
  instead?: (failure: Failure) => void,
): Answered<Q, T> | null {
  const around = useFailure();
  const onFailure = instead ?? around;
  const [answered, setAnswered] = useState<Answered<Q, T> | null>(null);
  const latest = useRef(new Latest());
  // Kept in a ref: a new function with the same question must not send a request.
  const isFirst = answered === null;
  const asking = useRef({ ask, onFailure, isFirst });
  asking.current = { ask, onFailure, isFirst };
  const grown = useContext(Grown);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another recording, other answers
  useEffect(() => {
    if (question === null) return;
    let wanted = true;
    const post = () => {
      if (!wanted) return;
      latest.current.ask(
        () => (later ? asking.current.ask(question) : first(asking.current.ask(question))),
        (result) => {
          if (!result.ok) return asking.current.onFailure(result.error);
          const set = () => setAnswered({ question, answer: result.value });
          // The first picture takes longest: it is made in slices.
          if (asking.current.isFirst) startTransition(set);
          else set();
        },
      );
    };
    if (later) whenPainted(post);
    else post();
    return () => {
      // A delayed question is not asked any more; one that was asked is answered as ever.
      wanted = false;
    };
  }, [question, later, grown]);

  useEffect(() => {
    const mine = latest.current;
    return () => mine.forget();
  }, []);

  return answered;
}

async function first<T>(answer: Promise<T>): Promise<T> {
  const end = beginUrgent();
  try {
    return await answer;
  } finally {
    end();
  }
}

/** What decides about the call tree of samples. */
type Tree = Pick<QueryState, "shape" | "look">;
type Sampled = Pick<Measured, "id" | "measure"> & Partial<Pick<Measured, "meaning" | "events">>;

/**
 * The selected samples, as the worker is asked for them: the same object as long as they are the same, and the shape of
 * their call tree, where it matters, with them.
 */
export function useSamples(profile: Sampled, filter: Filter, tree?: Tree): Query {
  const named = useNamed();
  const now = samplesOf(profile, filter, tree, named);
  const key = samplesKey(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal keys have equal samples
  return useMemo(() => now, [key]);
}

export function samplesOf(profile: Sampled, filter: Filter, tree: Tree | undefined, named: number): Query {
  const { shape, look = LOOK } = tree ?? {};
  return {
    ...{ profile: profile.id, measure: profile.measure, filter: contentionOf(profile, filter) },
    ...(shapeKey(shape) !== "" && shape !== undefined && { shape }),
    ...(tree !== undefined && foldOf(look)),
    ...(named > 0 && { named }),
  };
}

/** Equal keys, equal samples and equal trees of them. */
export function samplesKey({ profile, measure, filter, shape, fold, named = 0 }: Query): string {
  return `${profile} ${measure} ${named} ${fold?.name ?? ""} ${shapeKey(shape)} ${filterKey(filter)}`;
}
