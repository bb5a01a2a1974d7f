/**
 * The pointer over a chart: dragging moves time and rows, dragging with Shift takes a range to zoom to, a click picks a
 * frame, a double click zooms to it. Wheel and pinch are those of the timeline (use-zoom-gestures.ts).
 */
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Chart } from "../../../model/chart/chart.ts";
import type { ChartWindow } from "../../../model/chart/columns.ts";
import { type Hit, hitRow } from "../../../model/chart/visible.ts";
import { rowAt } from "./chart-canvas.ts";
import type { ChartTime } from "./use-chart-time.ts";

/** A drag of fewer pixels was a click. */
const LEAST_PX = 3;

/** Clicks of a double click are so far apart at most. */
const DOUBLE_MS = 500;

interface Drag {
  /** Where it began, and where it was last. */
  start: number;
  x: number;
  y: number;
  moved: boolean;
  takes: boolean;
}

export interface Range {
  from: number;
  to: number;
}

export interface Target {
  chart: Chart;
  time: ChartTime;
  width: number;
  /** The element that scrolls the rows. */
  scroller: RefObject<HTMLElement | null>;
  onPick: (hit: Hit) => void;
  onInto: (hit: Hit) => void;
}

export function useChartPointer({ chart, time, width, scroller, onPick, onInto }: Target) {
  const drag = useRef<Drag | null>(null);
  const wasDrag = useRef(false);
  const remember = useDoubleClick(onInto);
  const [hovered, setHovered] = useState<Hit | null>(null);
  const [taken, setTaken] = useState<Range | null>(null);
  const [isMoving, setMoving] = useState(false);
  const { window } = time;
  const placeOf = (event: MouseEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const hitAt = (x: number, y: number) => {
    const at = rowAt(chart, y);
    return at === null ? null : hitRow(chart, at.row, window, width, x);
  };
  const momentOf = (x: number) => window.from + (Math.min(width, Math.max(0, x)) / width) * (window.to - window.from);
  const stop = () => {
    drag.current = null;
    setTaken(null);
    setMoving(false);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const { x, y } = placeOf(event);
    const now = drag.current;
    if (now === null) {
      const hit = hitAt(x, y);
      setHovered((before) => (before?.box === hit?.box && before?.count === hit?.count ? before : hit));
      return;
    }
    if (!event.isPrimary) return stop();
    now.moved ||= Math.hypot(event.clientX - now.start, event.clientY - now.y) >= LEAST_PX;
    if (!now.moved) return;
    if (now.takes) {
      const { left } = event.currentTarget.getBoundingClientRect();
      const [a, b] = [momentOf(now.start - left), momentOf(x)];
      setTaken({ from: Math.min(a, b), to: Math.max(a, b) });
      return;
    }
    setMoving(true);
    setHovered(null);
    time.view.pan((now.x - event.clientX) / Math.max(1, width));
    // Fingers scroll by themselves.
    if (event.pointerType !== "touch" && scroller.current !== null) scroller.current.scrollTop += now.y - event.clientY;
    now.x = event.clientX;
    now.y = event.clientY;
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // A second finger zooms.
      if (event.button !== 0 || !event.isPrimary) return stop();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { start: event.clientX, x: event.clientX, y: event.clientY, moved: false, takes: event.shiftKey };
    },
    onPointerMove: move,
    onPointerUp: () => {
      const now = drag.current;
      stop();
      if (now === null) return;
      wasDrag.current = now.moved;
      if (now.moved && now.takes && taken !== null && taken.to > taken.from) time.zoomTo(taken);
    },
    onPointerCancel: stop,
    onPointerLeave: () => setHovered(null),
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (wasDrag.current || event.detail > 1) return;
      const { x, y } = placeOf(event);
      const hit = hitAt(x, y);
      remember(event.nativeEvent, hit);
      if (hit !== null) onPick(hit);
    },
  };
  return { handlers, hovered, taken, isMoving, hitAt };
}

interface First {
  x: number;
  y: number;
  time: number;
  hit: Hit | null;
}

/**
 * Double clicks. The second click may be on the detail that the first one opened, for which browsers count it as
 * another first one.
 */
function useDoubleClick(onInto: (hit: Hit) => void): (event: globalThis.MouseEvent, hit: Hit | null) => void {
  const first = useRef<First | null>(null);
  const into = useRef(onInto);
  into.current = onInto;
  useEffect(() => {
    const onClick = ({ clientX, clientY, timeStamp, detail }: globalThis.MouseEvent) => {
      const before = first.current;
      first.current = null;
      if (before === null || before.hit === null) return;
      if (detail !== 2 && timeStamp - before.time > DOUBLE_MS) return;
      if (Math.hypot(clientX - before.x, clientY - before.y) > LEAST_PX) return;
      getSelection()?.removeAllRanges();
      into.current(before.hit);
    };
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, []);
  return ({ clientX, clientY, timeStamp }, hit) => {
    first.current = { x: clientX, y: clientY, time: timeStamp, hit };
  };
}

/** The time of the boxes of a hit. */
export function rangeOf({ columns, order, start }: Chart, { box, count }: Hit): ChartWindow {
  const from = columns.start[box];
  if (count === 1) return { from, to: from + columns.duration[box] };
  const place = order.indexOf(box);
  const last = place + count - 1;
  return { from, to: start[last] + columns.duration[order[last]] };
}
