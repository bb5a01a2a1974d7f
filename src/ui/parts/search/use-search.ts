/** A search pattern, its regular expression, and the value of the samples that go through its frames. */
import { useMemo } from "react";
import type { SearchAnswer } from "../../../core/view-types.ts";
import type { Pattern } from "../../../model/query/pattern.ts";
import type { Query, Result } from "../../../worker/api.ts";
import { type Around, useSurroundings } from "../answers/surroundings.ts";
import { useAnswer, useSame } from "../answers/use-answer.ts";
import { usePattern } from "./use-pattern.ts";

export interface Search {
  /** Null without a search, or with an invalid pattern. */
  expression: Pattern | null;
  error: string | null;
  /** Of this pattern; null until it is there. */
  answer: SearchAnswer | null;
  /** Its nodes: functions, and runs that have one inside. */
  found?: ReadonlySet<number>;
  /** Value of all selected samples. */
  total: number;
}

interface Found {
  found: SearchAnswer;
  total: number;
}

interface Question {
  samples: Query;
  pattern: string;
}

async function ask(viewer: Around["viewer"], { samples, pattern }: Question): Promise<Result<Found>> {
  const [found, totals] = await Promise.all([viewer.search(samples, pattern), viewer.totals(samples)]);
  if (!found.ok) return found;
  if (!totals.ok) return totals;
  return { ok: true, value: { found: found.value, total: Number(totals.value.value) } };
}

/** `isShown`: the frames are on screen. The worker answers in order, and a search may take longer than they do. */
export function useSearch(samples: Query, pattern: string, isShown = true): Search {
  const { viewer } = useSurroundings();
  const { expression, error } = usePattern(pattern);
  const question = useSame(expression === null || !isShown ? null : { samples, pattern });
  const answered = useAnswer(question, (asked) => ask(viewer, asked));
  const fresh = question !== null && answered?.question.pattern === pattern ? answered.answer : null;
  const answer = fresh?.found ?? null;
  const found = useMemo(() => new Set(answer?.nodes), [answer]);
  return useSame({ expression, error, answer, found, total: fresh?.total ?? 0 });
}
