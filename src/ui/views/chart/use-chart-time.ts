/** The part of the time that a chart shows: the scale of the timeline, and the zooms before the current one. */

import { useCallback, useMemo, useRef } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { TimeRange } from "../../../core/types.ts";
import type { ChartColumns, ChartWindow } from "../../../model/chart/columns.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import { LEAST_SPAN } from "../../../model/timeline/scale.ts";
import { useSame } from "../../parts/answers/use-answer.ts";
import { type TimeView, useTimeView } from "../../parts/timeline/use-time-view.ts";

export interface ChartTime {
  view: TimeView;
  /** The visible time in ns since the origin. */
  window: ChartWindow;
  /** Zooms to a part, which `back` returns from. */
  zoomTo: (part: ChartWindow) => void;
  /** Moves a moment into view, to the middle, without a zoom. */
  reveal: (part: ChartWindow) => void;
  /** Nearer there is nothing to show. */
  isClosest: boolean;
  back: () => void;
  showAll: () => void;
}

/** The part of the address: what a chart shows, and how that changes. */
export interface ChartZoom {
  zoom: TimeRange | null;
  onZoom: (zoom: TimeRange | null) => void;
}

export function useChartTime({ origin, span }: ChartColumns, { zoom, onZoom }: ChartZoom): ChartTime {
  const row = useMemo((): TimeRow => {
    const whole = BigInt(Math.ceil(span));
    const to = origin + (whole > LEAST_SPAN ? whole : LEAST_SPAN);
    return { file: "", first: 0, last: 0, measured: false, from: origin, to };
  }, [origin, span]);
  const act = useCallback((action: QueryAction) => action.kind === "zoom" && onZoom(action.zoom), [onZoom]);
  const query = useSame({ zoom });
  const view = useTimeView(row, query, act);
  const { shown } = view;
  const before = useRef<TimeRange[]>([]);
  const window = useSame({ from: Number(shown.from - origin), to: Number(shown.to - origin) });
  const at = (nanos: number) => origin + BigInt(Math.round(nanos));
  const zoomTo = ({ from, to }: ChartWindow) => {
    before.current.push(shown);
    view.zoomTo({ from: at(from), to: at(to) });
  };
  const reveal = ({ from, to }: ChartWindow) => {
    if (to >= window.from && from <= window.to) return;
    const length = shown.to - shown.from;
    const start = at((from + Math.min(to, from + Number(length))) / 2) - length / 2n;
    view.show({ from: start, to: start + length });
  };
  const showAll = () => {
    before.current = [];
    view.reset();
  };
  const back = () => {
    const last = before.current.pop();
    if (last === undefined) showAll();
    else view.show(last);
  };
  return { view, window, zoomTo, reveal, isClosest: shown.to - shown.from <= LEAST_SPAN, back, showAll };
}
