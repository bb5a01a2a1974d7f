import { type ReactNode, useId } from "react";
import type { HeatMap } from "../../core/view-types.ts";
import { cellAt, cellWords, columnsOn, HEAT_ROWS, stretchOf, stretchPath } from "../../model/timeline/heat.ts";
import type { TimelineDetailProps } from "./detail-props.ts";
import css from "./HeatView.module.css";
import { useCellSelection } from "./use-cell-selection.ts";
import { useDescribe } from "./use-pointing.ts";

interface Props extends TimelineDetailProps {
  map: HeatMap;
  /** Explanation of columns and cells, shown while the pointer is not on a cell. */
  hint: string;
  children: ReactNode;
}

/** Cells to point at and to go through; dragging from cell to cell takes the time between them. */
export function HeatCells({ map, hint, view, pointing, profile, marked, query, onRange, onLeave, children }: Props) {
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
