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
  { zoom, filter }: Pick<TimeQuery, "zoom"> & Partial<Pick<TimeQuery, "filter">>,
  act: (action: QueryAction) => void,
  busy: TimeRange | null = null,
): TimeView {
  const time = filter?.time;
  /** Without a zoom: an empty stretch tells nothing, unless the selected range is there. */
  const first = useMemo((): TimeRange => {
    const isOut = busy === null || (time !== undefined && (time.from < busy.from || time.to > busy.to));
    const { from, to } = isOut ? row : busy;
    return { from, to };
  }, [row, time, busy]);
  const settled = useMemo((): ShownTime => {
    const isIn = zoom !== null && zoom.from < row.to && zoom.to > row.from;
    return { ...(isIn ? within(row, zoom) : first), ...scopeOf(row) };
  }, [row, zoom, first]);
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
        act({ kind: "zoom", zoom: next.from === first.from && next.to === first.to ? null : next });
        setMoved(null);
      }, PAUSE_MS);
    },
    [row, first, act],
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
