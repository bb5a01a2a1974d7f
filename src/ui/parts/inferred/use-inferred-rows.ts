/** How much of the rows of a table is of samples with inferred context; asked once everything else is on screen. */
import { useMemo } from "react";
import { inferredAmong } from "../../../model/query/attribute.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Query, RowValue, RowValues, TableRows } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../answers/use-answer.ts";

const NOTHING: RowValues = new Map();

/** The value of a row without such samples. */
export const NO_VALUE: RowValue = { self: 0, total: 0 };

/** `rows` is compared by identity. Empty until the answer is there, and where no sample has inferred context. */
export function useInferredRows(profile: Measured, samples: Query, rows: TableRows): RowValues {
  const { inferredBy } = profile;
  const question = useMemo(() => {
    const filter = inferredBy && inferredAmong(samples.filter);
    return filter ? { samples, query: { ...samples, filter }, rows } : null;
  }, [inferredBy, samples, rows]);
  const answered = useAnswer(question, ({ query, rows: asked }) => viewer.valuesOf(query, asked), true);
  // Rows that are fetched or opened later do not take the marks off those that are there.
  return question !== null && answered?.question.samples === samples ? answered.answer : NOTHING;
}

/** Rows of a table of functions. */
export function useNames(rows: readonly { name: string; baseName?: string }[]): TableRows {
  return useMemo(
    () => ({ names: rows.flatMap(({ name, baseName }) => (baseName === undefined ? [name] : [name, baseName])) }),
    [rows],
  );
}
