/** Cells of the heat map under the cursor or dragged over, by pointer and by keys. */
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import type { TimeRange } from "../../core/types.ts";
import type { HeatMap } from "../../core/view-types.ts";
import { cellAfter, cellAt, cellCount, heaviestCell, rangeOf, type Stretch } from "../../model/timeline/heat.ts";

export function useCellSelection(
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
