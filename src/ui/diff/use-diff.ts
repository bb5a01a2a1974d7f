/** Frames of the selection and of what it is compared with. */
import { useMemo } from "react";
import { type BaselineChoice, inOtherFile } from "../../model/query/baseline.ts";
import type { QueryState } from "../../model/query/query.ts";
import type { Shape } from "../../model/query/shape.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { visible } from "../../model/words/text.ts";
import type { Baseline, DiffPage, Failure, Query, Result } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { frameBudget } from "../flame/use-frames.ts";

export interface Diff {
  profile: Measured;
  page: DiffPage;
  /** What the baseline is. */
  words: string;
  normalised: boolean;
  shape: Shape | undefined;
  width: number;
}

interface Question {
  profile: Measured;
  samples: Query;
  choice: BaselineChoice;
  focus: number;
  width: number;
  normalised: boolean;
}

/** A baseline in the worker's terms. What shares a value has to be looked up: it is the value most of the selection has. */
export async function resolveBaseline(
  samples: Query,
  choice: BaselineChoice,
): Promise<Result<{ baseline: Baseline; words: string }>> {
  if (choice.kind === "pinned") {
    return { ok: true, value: { baseline: { filter: choice.filter, rest: false }, words: "pinned" } };
  }
  if (choice.kind === "file") {
    const filter = inOtherFile(samples.filter, choice.name);
    return { ok: true, value: { baseline: { filter, rest: false }, words: visible(choice.name, 60) } };
  }
  const everything = { baseline: { filter: {}, rest: true }, words: "everything else" };
  if (choice.kind === "rest") return { ok: true, value: everything };
  const totals = await viewer.totals(samples);
  if (!totals.ok) return totals;
  for (const key of choice.kind === "key" ? [choice.key] : choice.keys) {
    const values = await viewer.rank(samples, { kind: "attribute", key }, 0, 2);
    if (!values.ok) return values;
    const [first] = values.value.rows;
    if (first === undefined) continue;
    // Only of what the whole selection shares is it a part that can be taken out.
    const rest = first.samples === totals.value.samples;
    // Nobody asked for this key, so a selection of several of its values is compared with everything.
    if (!rest && choice.kind === "operation") continue;
    const filter = { attributes: [{ key, value: first.label }] };
    const words = `${rest ? "the rest of" : "all of"} ${visible(key, 40)} = ${visible(first.label, 60)}`;
    return { ok: true, value: { baseline: { filter, rest }, words } };
  }
  return { ok: true, value: everything };
}

async function ask(question: Question): Promise<Result<{ page: DiffPage; words: string }>> {
  const resolved = await resolveBaseline(question.samples, question.choice);
  if (!resolved.ok) return resolved;
  const { baseline, words } = resolved.value;
  const { samples, focus, width, normalised } = question;
  const request = { focus, width, normalised, budget: frameBudget.frames() };
  const page = await viewer.diff(samples, baseline, request);
  return page.ok ? { ok: true, value: { page: page.value, words } } : page;
}

export function useDiff(
  profile: Measured,
  samples: Query,
  choice: BaselineChoice,
  { focus, scale }: QueryState,
  width: number,
  onFailure: (failure: Failure) => void,
): Diff | null {
  const question = useMemo(
    (): Question | null =>
      width <= 0 ? null : { profile, samples, choice, focus, width, normalised: scale === "share" },
    [profile, samples, choice, focus, width, scale],
  );
  const answered = useAnswer(question, ask, onFailure);
  return useMemo(() => {
    if (answered === null) return null;
    const { profile: of, samples: looked, normalised, width: room } = answered.question;
    return { profile: of, ...answered.answer, normalised, shape: looked.shape, width: room };
  }, [answered]);
}
