/**
 * The part of a row of time that the timeline shows. Gestures move it at once; the address and the worker follow when
 * they pause.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { TimeRange } from "../../../core/types.ts";
import type { ShownTime } from "../../../core/view-types.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import { around, isWhole, panned, within, zoomed } from "../../../model/timeline/scale.ts";
import type { TimeQuery } from "./time-query.ts";

/** A gesture that rests so long is over. */
const PAUSE_MS = 160;

export interface TimeView {
  row: TimeRow;
  /** What is drawn. */
  shown: TimeRange;
  /** What the worker is asked about: the same once no gesture moves it. */
  settled: ShownTime;
  isWhole: boolean;
  show: (range: TimeRange) => void;
  zoom: (factor: number, at: number) => void;
  pan: (share: number) => void;
  zoomTo: (selection: TimeRange) => void;
  reset: () => void;
}

export function useTimeView(
  row: TimeRow,
  { zoom }: Pick<TimeQuery, "zoom">,
  act: (action: QueryAction) => void,
): TimeView {
  const settled = useMemo((): ShownTime => {
    const isIn = zoom !== null && zoom.from < row.to && zoom.to > row.from;
    return { ...(isIn ? within(row, zoom) : { from: row.from, to: row.to }), ...scopeOf(row) };
  }, [row, zoom]);
  const [moved, setMoved] = useState<TimeRange | null>(null);
  const latest = useRef<TimeRange>(settled);
  const timer = useRef(0);
  const shown = moved ?? settled;
  latest.current = shown;

  useEffect(() => () => clearTimeout(timer.current), []);

  const show = useCallback(
    (range: TimeRange) => {
      const next = within(row, range);
      latest.current = next;
      setMoved(next);
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        act({ kind: "zoom", zoom: isWhole(row, next) ? null : next });
        setMoved(null);
      }, PAUSE_MS);
    },
    [row, act],
  );
  const moves = useMemo(
    () => ({
      show,
      zoom: (factor: number, at: number) => show(zoomed(row, latest.current, factor, at)),
      pan: (share: number) => show(panned(row, latest.current, share)),
      zoomTo: (selection: TimeRange) => show(around(row, selection)),
      reset: () => show(row),
    }),
    [row, show],
  );
  return { row, shown, settled, isWhole: isWhole(row, shown), ...moves };
}

/** Which observations a row is of, and where its time begins. */
export function scopeOf({ first, last, from }: TimeRow) {
  return { first, last, zero: from };
}
