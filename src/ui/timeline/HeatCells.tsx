import { type ReactNode, useId } from "react";
import type { TimeRange } from "../../core/types.ts";
import type { HeatMap } from "../../core/view-types.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { cellWords, HEAT_ROWS, stretchOf, stretchPath } from "../../model/timeline/heat.ts";
import css from "./HeatView.module.css";
import { useCellSelection } from "./use-cell-selection.ts";

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

/**
 * Cells to point at and to go through; dragging from cell to cell takes the time between them, a click gives it back.
 */
export function HeatCells({ map, start, width, profile, marked, range, onRange, onLeave, children }: Props) {
  const words = useId();
  const { taken, cursor, handlers } = useCellSelection(map, range, onRange, onLeave);
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
        {...handlers}
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
