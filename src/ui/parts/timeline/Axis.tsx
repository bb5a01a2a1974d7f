import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import { ticks } from "../../../model/timeline/axis.ts";
import { PAN_STEP } from "../../../model/timeline/scale.ts";
import { formatDay, formatSpan } from "../../../model/words/moments.ts";
import css from "./Axis.module.css";
import type { TimeView } from "./use-time-view.ts";

/** Room of a label, of a tick with its offset, and of one with the clock as well. */
const LABEL_PX = 56;
const OFFSET_PX = 76;
const BOTH_PX = 132;

const PANS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ArrowLeft: -PAN_STEP,
    ArrowRight: PAN_STEP,
    PageUp: -1,
    PageDown: 1,
    Home: Number.MIN_SAFE_INTEGER,
    End: Number.MAX_SAFE_INTEGER,
  }),
);

/** Offsets from the beginning of the file, with the clock if there is room. Dragging the axis moves the shown range. */
export function Axis({ view, width }: { view: TimeView; width: number }) {
  const { row, shown, isWhole } = view;
  const marks = useMemo(() => ticks(shown, row.from, Math.max(2, Math.floor(width / OFFSET_PX))), [shown, row, width]);
  // With the clock a label needs the room of up to two ticks; the one between them has none.
  const both = width >= 4 * BOTH_PX;
  const apart = marks.length < 2 ? width : width * (marks[1].at - marks[0].at);
  const every = both ? Math.ceil(BOTH_PX / apart) : 1;
  const span = Number(row.to - row.from) - Number(shown.to - shown.from);
  const place = span <= 0 ? 0 : Math.round((100 * Number(shown.from - row.from)) / span);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = PANS.get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    if (event.key === "Home") view.show({ from: row.from, to: row.from + (shown.to - shown.from) });
    else if (event.key === "End") view.show({ from: row.to - (shown.to - shown.from), to: row.to });
    else view.pan(by);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={css.axis}
      data-testid="time-axis"
      data-plot="axis"
      data-zoomed={!isWhole || undefined}
      aria-label="Time shown"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={place}
      aria-valuetext={`${formatSpan(shown.from - row.from, shown.to - row.from)} of ${formatDay(row.from)}`}
      onKeyDown={onKeyDown}
      {...usePanDrag(view)}
    >
      {marks.map(({ index, at, offset, clock }) => (
        <span key={offset} className={css.tick} data-testid="tick" style={{ left: `${100 * at}%` }}>
          {index % every === 0 && at < 1 - LABEL_PX / Math.max(1, width) && (
            <span className={css.label}>
              {offset}
              {both && at < 1 - BOTH_PX / Math.max(1, width) && <span className={css.clock}>{clock}</span>}
            </span>
          )}
        </span>
      ))}
    </div>
  );
}

/** Dragging moves the plot with the pointer. */
function usePanDrag(view: TimeView) {
  const last = useRef<number | null>(null);
  const stop = () => {
    last.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !event.isPrimary) return stop();
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (last.current === null || view.isWhole) return;
      view.pan((last.current - event.clientX) / Math.max(1, event.currentTarget.clientWidth));
      last.current = event.clientX;
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}
