/** The rows of time of the files on the page, and the one that the axis is of. */
import { useCallback, useMemo, useState } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { Timeline } from "../../../core/view-types.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import { rowAt, rowsOf } from "../../../model/timeline/scale.ts";
import type { Query } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { type Answered, useAnswer } from "../answers/use-answer.ts";
import type { TimeQuery } from "./time-query.ts";
import { scopeOf } from "./use-time-view.ts";

export type Overviews = Answered<{ samples: Query; rows: readonly TimeRow[] }, Timeline[]>;

/** Columns of an overview. */
const BINS = 150;

export function useRow(
  rows: readonly TimeRow[],
  samples: Query,
  { filter, zoom }: TimeQuery,
  act: (action: QueryAction) => void,
) {
  const files = useMemo(() => rowsOf(rows, filter.file), [rows, filter.file]);
  const question = useMemo(() => (files.length < 2 ? null : { samples, rows: files }), [samples, files]);
  const overviews: Overviews | null = useAnswer(
    question,
    (asked) => viewer.overviews(asked.samples, BINS, asked.rows.map(shownOf)),
    true,
  );
  const [chosen, setChosen] = useState<TimeRow | null>(null);
  const kept = chosen !== null && files.includes(chosen) ? chosen : null;
  const row = kept ?? rowAt(files, zoom?.from) ?? rowAt(files, filter.time?.from) ?? fullest(files, overviews);
  const onRow = useCallback(
    (next: TimeRow) => {
      setChosen(next);
      if (zoom !== null) act({ kind: "zoom", zoom: null });
    },
    [act, zoom],
  );
  return { files, row, overviews, onRow };
}

/** The row with most samples of the profile; until they are counted, of the largest file. */
function fullest(files: readonly TimeRow[], overviews: Overviews | null): TimeRow {
  const samplesIn = (row: TimeRow) => {
    const strip = overviews?.answer[overviews.question.rows.indexOf(row)]?.strips[0];
    return strip === undefined ? row.last - row.first : strip.samples.reduce((sum, n) => sum + n, 0);
  };
  return files.reduce((most, row) => (samplesIn(row) > samplesIn(most) ? row : most));
}

function shownOf(row: TimeRow) {
  const { from, to } = row;
  return { from, to, ...scopeOf(row) };
}
