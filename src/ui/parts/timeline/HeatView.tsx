import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from "react";
import type { TimeRange } from "../../../core/types.ts";
import type { HeatMap } from "../../../core/view-types.ts";
import {
  cellAfter,
  cellAt,
  cellCount,
  cellWords,
  columnsFor,
  columnsOn,
  HEAT_ROWS,
  heaviestCell,
  mapWords,
  rangeOf,
  type Stretch,
  stretchOf,
  stretchPath,
} from "../../../model/timeline/heat.ts";
import { viewer } from "../../../worker/client.ts";
import { useDark } from "../../primitives/theme/dark.ts";
import { useAnswer, useSame } from "../answers/use-answer.ts";
import { useCanvas } from "../drawing/use-canvas.ts";
import type { TimelineDetailProps } from "./detail-props.ts";
import css from "./HeatView.module.css";
import { drawHeat } from "./heat-canvas.ts";
import { useDescribe } from "./use-pointing.ts";

/** Seconds across, the 50 times 20 ms of each down: what comes at intervals below a second makes a pattern here. */
export function HeatView(props: TimelineDetailProps) {
  const { profile, samples, view, width, marked, marks } = props;
  const { shown, settled } = view;
  const dark = useDark();
  const columns = columnsFor(width);
  const question = useSame(width === 0 ? null : { samples, columns, settled, profile });
  const heat = useAnswer(question, (asked) => viewer.heat(asked.samples, asked.columns, asked.settled), true);
  const map = heat?.answer ?? null;
  const draw = (element: HTMLCanvasElement) => map !== null && drawHeat(element, map, shown, marks, marked);
  const canvas = useCanvas(draw, [map, shown, marks, marked, width]);

  return (
    <div className={css.heat} data-testid="heat">
      <div className={css.scale} aria-hidden="true">
        <span>0 ms</span>
        <span>500</span>
        <span>980</span>
      </div>
      <div className={css.room}>
        {heat !== null && map !== null && (
          <HeatCells {...props} map={map} profile={heat.question.profile} hint={mapWords(map, dark)}>
            {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus */}
            <canvas ref={canvas} className={css.canvas} aria-hidden="true" />
          </HeatCells>
        )}
      </div>
    </div>
  );
}

interface Props extends TimelineDetailProps {
  map: HeatMap;
  /** Explanation of columns and cells, shown while the pointer is not on a cell. */
  hint: string;
  children: ReactNode;
}

/** Cells to point at and to go through; dragging from cell to cell takes the time between them. */
function HeatCells({ map, hint, view, pointing, profile, marked, query, onRange, onLeave, children }: Props) {
  const words = useId();
  const { row, shown } = view;
  const range = query.filter.time ?? null;
  const { taken, cursor, handlers } = useCellSelection(map, shown, range, onRange, onLeave);
  const isTaking = taken !== null && taken.from !== taken.to;
  const inForce = range === null ? null : stretchOf(map, range);
  const kept = isTaking ? taken : inForce;
  const { left, width } = columnsOn(map, shown);
  useDescribe(pointing, "heat", (share, y) => {
    const cell = cellAt(map, shown, share, y);
    return [cellWords(map, { from: cell, to: cell }, row.from, profile, marked)];
  });
  return (
    <>
      <div
        // Arrows are the map's own: a screen reader passes them on.
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys go through its cells
        tabIndex={0}
        className={css.cells}
        data-testid="heat-cells"
        data-plot="heat"
        data-columns={map.columns}
        aria-label="Heat map. Arrow keys move between cells, Shift extends the range, Enter filters by it."
        aria-describedby={words}
        {...handlers}
      >
        {children}
        <svg
          className={css.overlay}
          viewBox={`${left} 0 ${width} ${HEAT_ROWS}`}
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
        {taken === null ? `${hint} · Drag to select a range` : cellWords(map, taken, row.from, profile, marked)}
      </p>
    </>
  );
}

/** Cells of the heat map under the cursor or dragged over, by pointer and by keys. */
function useCellSelection(
  map: HeatMap,
  shown: TimeRange,
  range: TimeRange | null,
  onRange: (range: TimeRange | null) => void,
  onLeave: () => void,
) {
  /** From where the cells taken reach to the cursor; the cursor alone while both are one. Null: no cursor. */
  const [taken, setTaken] = useState<Stretch | null>(null);
  const [dragging, setDragging] = useState(false);
  const cursor = taken === null ? null : Math.min(taken.to, cellCount(map) - 1);

  const cellUnder = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - box.left) / Math.max(1, box.width);
    return cellAt(map, shown, x, (event.clientY - box.top) / Math.max(1, box.height));
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
    // A click on the selection clears it.
    else if (range !== null && !isWithin(rangeOf(map, stretch), range)) onRange(null);
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

  const handlers = {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: stop,
    onPointerLeave: () => !dragging && setTaken(null),
    onKeyDown,
    onFocus: () => setTaken(taken ?? { from: heaviestCell(map), to: heaviestCell(map) }),
    onBlur: stop,
  };
  return { taken, cursor, handlers };
}

function isWithin(cell: TimeRange, { from, to }: TimeRange): boolean {
  return cell.from < to && cell.to > from;
}
