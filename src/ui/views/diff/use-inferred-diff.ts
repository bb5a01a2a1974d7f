/** Inferred context of a selection and of the baseline beside it. */
import { useMemo } from "react";
import { inferredAmong } from "../../../model/query/attribute.ts";
import type { Baseline } from "../../../model/query/baseline.ts";
import { filterFrom } from "../../../model/query/shape.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Query, Result, RowValues, TableRows } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { useInferredRows } from "../../parts/inferred/use-inferred-rows.ts";

/** Samples with inferred context, of the selection and of the baseline. */
export interface InferredSides {
  own: number;
  base: number;
}

const NOTHING: InferredSides = { own: 0, base: 0 };

/** Zeros until they are known. */
export function useInferredSides(profile: Measured, samples: Query, baseline: Baseline | null): InferredSides {
  const question = useSame(baseline === null || profile.inferredBy === undefined ? null : { samples, baseline });
  const answered = useAnswer(question, sidesOf, true);
  return answered !== null && answered.question === question ? answered.answer : NOTHING;
}

async function sidesOf({ samples, baseline }: { samples: Query; baseline: Baseline }): Promise<Result<InferredSides>> {
  const own = await inferredSamples(samples);
  if (!own.ok) return own;
  const base = await inferredSamples(baseQuery(samples, baseline));
  if (!base.ok) return base;
  const rest = baseline.rest ? own.value : 0;
  return { ok: true, value: { own: own.value, base: base.value - rest } };
}

async function inferredSamples(query: Query): Promise<Result<number>> {
  const filter = inferredAmong(query.filter);
  if (filter === null) return { ok: true, value: 0 };
  const totals = await viewer.totals({ ...query, filter });
  return totals.ok ? { ok: true, value: totals.value.samples } : totals;
}

/** The samples of a baseline; with `rest` those of the selection are among them. */
export function baseQuery(samples: Query, { filter }: Baseline): Query {
  return { ...samples, filter: filterFrom(filter, samples.shape?.from ?? "") };
}

/** Inferred context of the functions of a table, on both sides. */
export function useInferredFunctions(
  profile: Measured,
  samples: Query,
  baseline: Baseline | null,
  rows: TableRows,
): { own: RowValues; base: (name: string) => number } {
  const others = useMemo(() => (baseline === null ? samples : baseQuery(samples, baseline)), [samples, baseline]);
  const own = useInferredRows(profile, samples, rows);
  const all = useInferredRows(profile, others, rows);
  const rest = baseline?.rest === true;
  return { own, base: (name) => (all.get(name)?.total ?? 0) - (rest ? (own.get(name)?.total ?? 0) : 0) };
}
