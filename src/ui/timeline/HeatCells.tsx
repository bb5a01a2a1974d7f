import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useId, useState } from "react";
import type { TimeRange } from "../../core/types.ts";
import type { HeatMap } from "../../core/view-types.ts";
import type { Measured } from "../../model/recording/measure.ts";
import {
  cellAfter,
  cellAt,
  cellCount,
  cellWords,
  HEAT_ROWS,
  heaviestCell,
  rangeOf,
  type Stretch,
  stretchOf,
  stretchPath,
} from "../../model/timeline/heat.ts";
import css from "./HeatView.module.css";

interface Props {
  map: HeatMap;
  /** First moment of the recording. */
  start: bigint;
  width: number;
  profile: Measured;
  marked: boolean;
  range: TimeRange | null;
  onRange: (range: TimeRange | null) => void;
  onLeave: () => void;
  children: ReactNode;
}

/** Cells to point at and to go through; dragging from cell to cell takes the time between them, a click gives it back. */
export function HeatCells({ map, start, width, profile, marked, range, onRange, onLeave, children }: Props) {
  const words = useId();
  /** From where the cells taken reach to the cursor; the cursor alone while both are one. Null: no cursor. */
  const [taken, setTaken] = useState<Stretch | null>(null);
  const [dragging, setDragging] = useState(false);
  const cursor = taken === null ? null : Math.min(taken.to, cellCount(map) - 1);

  const cellUnder = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - box.left) / Math.max(1, box.width);
    return cellAt(map, x, (event.clientY - box.top) / Math.max(1, box.height));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const cell = cellUnder(event);
    setDragging(true);
    setTaken({ from: cell, to: cell });
  };
  const onPointerMove = (event: PointerEvent) => {
    const cell = cellUnder(event);
    setTaken(dragging && taken !== null ? { ...taken, to: cell } : { from: cell, to: cell });
  };
  const onPointerUp = (event: PointerEvent) => {
    if (!dragging || taken === null) return;
    setDragging(false);
    const stretch = { ...taken, to: cellUnder(event) };
    if (stretch.from !== stretch.to) onRange(rangeOf(map, stretch));
    else if (range !== null) onRange(null);
  };
  const stop = () => {
    setDragging(false);
    setTaken(null);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cursor ?? heaviestCell(map);
    const next = cellAfter(map, at, event.key);
    if (next !== null) setTaken({ from: event.shiftKey ? (taken?.from ?? at) : next, to: next });
    else if (event.key === "Enter") onRange(rangeOf(map, taken ?? { from: at, to: at }));
    else if (event.key === "Delete" && range !== null) onRange(null);
    else if (event.key === "Escape" && taken !== null && taken.from !== taken.to) setTaken({ from: at, to: at });
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
  };

  const isTaking = taken !== null && taken.from !== taken.to;
  const inForce = range === null ? null : stretchOf(map, range);
  const kept = isTaking ? taken : inForce;
  return (
    <>
      <div
        // Arrows are the map's own: a screen reader passes them on.
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys go through its cells
        tabIndex={0}
        className={css.cells}
        style={{ width }}
        data-testid="heat-cells"
        data-columns={map.columns}
        aria-label="Heat map: arrows go from cell to cell, Shift takes what is between, Enter filters by it"
        aria-describedby={words}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={stop}
        onPointerLeave={() => !dragging && setTaken(null)}
        onKeyDown={onKeyDown}
        onFocus={() => setTaken(taken ?? { from: heaviestCell(map), to: heaviestCell(map) })}
        onBlur={stop}
      >
        {children}
        <svg
          className={css.overlay}
          viewBox={`0 0 ${map.columns} ${HEAT_ROWS}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {kept !== null && (
            <path className={css.outside} d={`M0 0H${map.columns}V${HEAT_ROWS}H0Z${stretchPath(kept)}`} />
          )}
          {cursor !== null && <path className={css.cursor} d={stretchPath({ from: cursor, to: cursor })} />}
        </svg>
      </div>
      <p id={words} className={css.words} role="status" data-testid="heat-words">
        {taken === null
          ? "point at a cell or drag from one to another; by keys, Tab and the arrows"
          : cellWords(map, taken, start, profile, marked)}
      </p>
    </>
  );
}
