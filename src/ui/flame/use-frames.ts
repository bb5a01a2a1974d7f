/** Totals and visible frames of the samples looked at; asked again when filter, zoom or width change. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Filter, FramesAnswer, SelectionTotals } from "../../core/types.ts";
import { FrameBudget } from "../../model/frame-budget.ts";
import { Latest } from "../../model/latest.ts";
import type { Measured } from "../../model/measure.ts";
import { filterKey } from "../../model/query.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";

/** One for the page: what a drawing costs does not depend on what is drawn. */
export const frameBudget = new FrameBudget();

export interface Selection {
  profile: Measured;
  filter: Filter;
  totals: SelectionTotals;
  answer: FramesAnswer;
  /** Zoom and width the answer was asked for. */
  focus: number;
  width: number;
}

export function useSelection(
  profile: Measured,
  filter: Filter,
  focus: number,
  width: number,
  onFailure: (failure: Failure, focus: number) => void,
): Selection | null {
  const [selection, setSelection] = useState<Selection | null>(null);
  const latest = useRef(new Latest());
  const key = `${profile.id} ${profile.measure} ${filterKey(filter)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for both
  const question = useMemo(() => ({ profile, filter }), [key]);

  useEffect(() => {
    if (width <= 0) return;
    const budget = frameBudget.frames();
    const { id, measure } = question.profile;
    const query = { profile: id, measure, filter: question.filter };
    latest.current.ask(
      () => Promise.all([viewer.totals(query), viewer.frames(query, { focus, width, budget })]),
      ([totals, frames]) => {
        if (!totals.ok) onFailure(totals.error, focus);
        else if (!frames.ok) onFailure(frames.error, focus);
        else setSelection({ ...question, totals: totals.value, answer: frames.value, focus, width });
      },
    );
  }, [question, focus, width, onFailure]);

  useEffect(() => {
    const asking = latest.current;
    return () => asking.forget();
  }, []);

  return selection;
}
