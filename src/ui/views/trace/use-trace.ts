/** The spans of the trace that the query names, or that its filter is about. */
import { useMemo, useRef } from "react";
import type { Filter } from "../../../core/types.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";

interface Question {
  id: string;
  ids: readonly bigint[];
}

/** Undefined until the first answer; null where there is no such trace. An `id` of null asks for none. */
export function useTrace(id: string | null, filter: Filter): TraceSpans | null | undefined {
  const last = useRef<{ question: Question; answer: TraceSpans | null } | null>(null);
  const ids = [filter.span, filter.localRoot].flatMap((each) => each ?? []);
  const key = `${id} ${ids.join(" ")}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what id and ids are
  const question = useMemo<Question | null>(() => {
    if (id === null) return null;
    // A span that is selected in the trace on screen changes the filter, not the trace.
    const shown = last.current;
    const isShown = shown !== null && shown.question.id === id && ids.some((each) => shown.answer?.id.includes(each));
    return isShown ? shown.question : { id, ids };
  }, [key]);
  const answered = useAnswer(question, (asked) => viewer.ofTraces("spans", asked.id, asked.ids));
  last.current = answered;
  return id === null ? undefined : answered?.answer;
}

/** Places of the spans that contain a text; null without a search, and until the answer is there. */
export function useFound(trace: string, text: string): Uint32Array | null {
  const question = useMemo(() => (text.trim() === "" ? null : { trace, text }), [trace, text]);
  const found = useAnswer(question, (asked) => viewer.ofTraces("find", asked.trace, asked.text));
  return question === null || found?.question !== question ? null : found.answer;
}
