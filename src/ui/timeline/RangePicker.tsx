import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useRef, useState } from "react";
import type { TimeRange } from "../../core/types.ts";
import { momentAt, moveEdge, rangeBetween, shareAt } from "../../model/timeline/lanes.ts";
import { formatOffset } from "../../model/words/moments.ts";
import css from "./Timeline.module.css";

interface Props {
  whole: TimeRange;
  range: TimeRange | null;
  onRange: (range: TimeRange | null) => void;
  testId: string;
  /** The edges are reached by keys; one picker of several is enough. */
  keys: boolean;
  /** What is marked within `reach` ns of a moment. */
  wordsAt?: (moment: bigint, reach: number) => string;
  children?: ReactNode;
}

/** A drag of fewer pixels was a click. */
const LEAST_PX = 3;
/** One key press, as a share of the whole; with Shift ten of them. */
const STEP = 0.005;
const EDGES = ["from", "to"] as const;

/**
 * Dragging over the strips takes a range of time; a click gives it back. Its two edges are sliders, so that keys reach
 * it too; before there is one they are at both ends.
 */
export function RangePicker({ whole, range, onRange, testId, keys, wordsAt, children }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);

  const shareOf = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const share = shareOf(event);
    setDrag({ from: share, to: share });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const share = shareOf(event);
    if (drag !== null) setDrag({ ...drag, to: share });
    if (wordsAt === undefined) return;
    const reach = (LEAST_PX * Number(whole.to - whole.from)) / Math.max(1, event.currentTarget.clientWidth);
    event.currentTarget.title = wordsAt(momentAt(whole, share), reach);
  };
  const onPointerUp = (event: PointerEvent) => {
    if (drag === null) return;
    setDrag(null);
    const least = LEAST_PX / Math.max(1, area.current?.clientWidth ?? 1);
    const next = rangeBetween(whole, drag.from, shareOf(event), least);
    if (next !== null || range !== null) onRange(next);
  };
  const onKeyDown = (event: KeyboardEvent, edge: "from" | "to") => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP, PageDown: -10 * STEP, PageUp: 10 * STEP }[event.key];
    if (by !== undefined) onRange(moveEdge(whole, range ?? whole, edge, event.shiftKey ? 10 * by : by));
    else if ((event.key === "Escape" || event.key === "Delete") && range !== null) onRange(null);
    else return;
    event.preventDefault();
  };

  const shown = drag === null ? range && { from: shareAt(whole, range.from), to: shareAt(whole, range.to) } : drag;
  const [left, right] = shown === null ? [0, 1] : [Math.min(shown.from, shown.to), Math.max(shown.from, shown.to)];
  const words = (moment: bigint) => formatOffset(moment - whole.from, 3);
  return (
    <div className={css.picker} data-testid={testId}>
      <div
        ref={area}
        className={css.area}
        data-testid={`${testId}-area`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
      >
        {children}
        {shown !== null && (
          <>
            <div className={css.outside} style={{ left: 0, width: `${100 * left}%` }} />
            <div className={css.outside} style={{ left: `${100 * right}%`, right: 0 }} />
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
          aria-label={edge === "from" ? "First moment of the range" : "End of the range"}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(100 * (edge === "from" ? left : right))}
          aria-valuetext={words((range ?? whole)[edge])}
          style={{ left: `${100 * (edge === "from" ? left : right)}%` }}
          onKeyDown={(event) => onKeyDown(event, edge)}
        />
      ))}
    </div>
  );
}
