/** Frames of the selection and of its baseline. */
import { useMemo } from "react";
import type { Compared } from "../../../model/flame/diff-detail.ts";
import { foldDiff } from "../../../model/flame/prefix.ts";
import {
  type Baseline,
  type BaselineChoice,
  isEverything,
  type ResolvedBaseline,
  resolveBaseline,
} from "../../../model/query/baseline.ts";
import type { QueryState } from "../../../model/query/query.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { DiffPage, Failure, Query, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";

export interface Diff extends Pick<Drawing, "profile" | "shape" | "named" | "width"> {
  page: Compared;
  /** What the baseline is. */
  words: string;
  baseline: Baseline;
  samples: Query;
  normalised: boolean;
}

interface Question extends Pick<Diff, "profile" | "samples" | "normalised" | "width"> {
  choice: BaselineChoice;
  focus: number;
}

/** The baseline of a choice, for which the worker may have to be asked. */
export function askBaseline(samples: Query, choice: BaselineChoice): Promise<Result<ResolvedBaseline>> {
  return resolveBaseline<Failure>(choice, samples.filter, {
    totals: () => viewer.totals(samples),
    totalsOf: (filter) => viewer.totals({ ...samples, filter }),
    values: (key) => viewer.rank(samples, { kind: "attribute", key }, 0, 2),
  });
}

async function ask(question: Question): Promise<Result<Pick<Diff, "words" | "baseline"> & { page: DiffPage }>> {
  const resolved = await askBaseline(question.samples, question.choice);
  if (!resolved.ok) return resolved;
  const { baseline, words } = resolved.value;
  const { samples, focus, normalised } = question;
  // The page draws no frames where the baseline is empty: one pixel of them is enough.
  const width = isEverything(samples.filter, baseline) ? 1 : question.width;
  const request = { focus, width, normalised };
  const page = await viewer.diff(samples, baseline, request);
  return page.ok ? { ok: true, value: { page: page.value, words, baseline } } : page;
}

export function useDiff(
  profile: Measured,
  samples: Query,
  choice: BaselineChoice,
  { focus, scale, look }: QueryState,
  width: number,
): Diff | null {
  const question = useSame<Question | null>(
    width <= 0 ? null : { profile, samples, choice, focus, width, normalised: scale === "share" },
  );
  const answered = useAnswer(question, ask);
  return useMemo(() => {
    if (answered === null) return null;
    const { profile: of, samples: looked, normalised, width: room } = answered.question;
    const { page, ...baseline } = answered.answer;
    return {
      profile: of,
      samples: looked,
      ...baseline,
      page: look.folded ? foldDiff<Compared>(page) : page,
      normalised,
      shape: looked.shape,
      named: looked.named,
      width: room,
    };
  }, [answered, look.folded]);
}
