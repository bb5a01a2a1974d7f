import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from "react";
import { useRef, useState } from "react";
import type { TimeRange } from "../../../core/types.ts";
import { momentAt, moveEdge, rangeBetween, shareAt } from "../../../model/timeline/lanes.ts";
import { formatClock, formatOffset, formatSpan } from "../../../model/words/moments.ts";
import css from "./Timeline.module.css";
import type { TimeView } from "./use-time-view.ts";

interface Props {
  view: TimeView;
  /** The time filter. */
  range: TimeRange | null;
  onRange: (range: TimeRange | null) => void;
  testId: string;
  /** Name of the plot, for the words beside the pointer. */
  plot: string;
  /** The edges are reached by keys; one picker of several is enough. */
  keys: boolean;
  /** The range being dragged, in words, or "". */
  dragged: RefObject<string>;
  children?: ReactNode;
}

/** A drag of fewer pixels was a click. */
const LEAST_PX = 3;
/** Step of a key, as a share of the shown range; with Shift ten steps. */
const STEP = 0.005;
const EDGES = ["from", "to"] as const;

/**
 * Dragging over the strips takes a range of time; a click beside it gives it back. Its two edges are sliders, so that
 * keys reach it too; before there is one they are at both ends.
 */
export function RangePicker({ view, range, onRange, testId, plot, keys, dragged, children }: Props) {
  const { row, shown } = view;
  const { drag, handlers } = useRangeDrag(view, range, onRange, dragged);
  const onKeyDown = (event: KeyboardEvent, edge: "from" | "to") => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP, PageDown: -10 * STEP, PageUp: 10 * STEP }[event.key];
    const scale = Number(shown.to - shown.from) / Math.max(1, Number(row.to - row.from));
    if (by !== undefined) onRange(moveEdge(row, range ?? shown, edge, scale * (event.shiftKey ? 10 * by : by)));
    else if ((event.key === "Escape" || event.key === "Delete") && range !== null) onRange(null);
    else return;
    event.preventDefault();
  };

  const kept = drag === null ? range && { from: shareAt(shown, range.from), to: shareAt(shown, range.to) } : drag;
  const [left, right] = kept === null ? [0, 1] : [Math.min(kept.from, kept.to), Math.max(kept.from, kept.to)];
  const words = (moment: bigint) => `${formatOffset(moment - row.from, 3)}, ${formatClock(moment, 3)} UTC`;
  return (
    <div className={css.picker} data-testid={testId}>
      <div className={css.area} data-testid={`${testId}-area`} data-plot={plot} {...handlers}>
        {children}
        {kept !== null && (
          <>
            <div className={css.outside} style={{ left: 0, width: `${100 * left}%` }} />
            <div className={css.outside} style={{ right: 0, width: `${100 * (1 - right)}%` }} />
          </>
        )}
      </div>
      {EDGES.filter(() => keys).map((edge) => (
        <div
          key={edge}
          role="slider"
          tabIndex={0}
          className={css.edge}
          data-testid={`${testId}-${edge}`}
          data-set={kept !== null || undefined}
          aria-label={edge === "from" ? "Start of the range" : "End of the range"}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(100 * (edge === "from" ? left : right))}
          aria-valuetext={words((range ?? shown)[edge])}
          style={{ left: `${100 * (edge === "from" ? left : right)}%` }}
          onKeyDown={(event) => onKeyDown(event, edge)}
        />
      ))}
    </div>
  );
}

/** The range being dragged over, in shares of the width. */
function useRangeDrag(
  { row, shown }: TimeView,
  range: Props["range"],
  onRange: Props["onRange"],
  dragged: Props["dragged"],
) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const least = useRef(0);
  const shareOf = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    least.current = LEAST_PX / Math.max(1, width);
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  };
  const stop = () => {
    dragged.current = "";
    setDrag(null);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    // A second finger zooms.
    if (!event.isPrimary) return stop();
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const share = shareOf(event);
    setDrag({ from: share, to: share });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (drag === null || !event.isPrimary) return;
    const to = shareOf(event);
    setDrag({ ...drag, to });
    const next = rangeBetween(shown, drag.from, to, least.current);
    dragged.current = next === null ? "" : `Select ${formatSpan(next.from - row.from, next.to - row.from)}`;
  };
  const onPointerUp = (event: PointerEvent) => {
    if (drag === null) return;
    stop();
    const share = shareOf(event);
    const next = rangeBetween(shown, drag.from, share, least.current);
    if (next !== null) return onRange(next);
    const moment = momentAt(shown, share);
    if (range !== null && (moment < range.from || moment >= range.to)) onRange(null);
  };
  return { drag, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: stop } };
}
