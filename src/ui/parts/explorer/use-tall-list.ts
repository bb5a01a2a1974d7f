/**
 * The visible rows of a list of any length. An element may not be taller than some 17 (Firefox) to 33 million pixels,
 * so beyond TALLEST the scroll bar represents shares of the list; the wheel and `show` still move by rows:
 *
 *   bar      0 ────────── scrollTop ────────── TALLEST − view        where the browser is
 *   list     0 ────────── at ───────────────── count · row − view    where the list is, kept here
 */
import type { RefObject } from "react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const TALLEST = 8_000_000;
/** Rows drawn above and below those in view. */
const BEYOND = 6;
/** Height of the view until the browser has laid it out; to ask for it would have the page laid out once more. */
const FIRST_PX = 800;

export interface TallList {
  /** Of the element with all rows. */
  height: number;
  /** Rows to draw: the first, and the one after the last. */
  first: number;
  end: number;
  /** Rows that a page key goes by. */
  page: number;
  /** Place of a row, in pixels from the top of that element. */
  topOf: (index: number) => number;
  /** Brings a row into view. */
  show: (index: number) => void;
}

export function useTallList(scroller: RefObject<HTMLElement | null>, count: number, rowPx: number): TallList {
  const [view, setView] = useState(FIRST_PX);
  const [at, setAt] = useState({ list: 0, bar: 0 });
  const place = useRef(at);
  const whole = count * rowPx;
  const height = Math.min(whole, TALLEST);
  const most = Math.max(0, whole - view);
  const mostBar = Math.max(0, height - view);
  /** Pixels of the list per pixel of the bar. */
  const scale = mostBar === 0 ? 1 : most / mostBar;

  const move = useCallback((list: number, bar: number) => {
    place.current = { list, bar };
    setAt(place.current);
  }, []);

  const go = useCallback(
    (list: number) => {
      const to = Math.min(Math.max(0, list), most);
      if (scroller.current === null) return;
      scroller.current.scrollTop = to / scale;
      move(to, scroller.current.scrollTop);
    },
    [scroller, most, scale, move],
  );

  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const observer = new ResizeObserver(() => setView(current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [scroller]);

  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const onScroll = () => {
      // What `go` did comes back here, rounded.
      if (Math.abs(current.scrollTop - place.current.bar) >= 1) move(current.scrollTop * scale, current.scrollTop);
    };
    const onWheel = (event: WheelEvent) => {
      if (scale === 1 || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      go(place.current.list + event.deltaY * [1, rowPx, current.clientHeight][event.deltaMode]!);
    };
    current.addEventListener("scroll", onScroll);
    current.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      current.removeEventListener("scroll", onScroll);
      current.removeEventListener("wheel", onWheel);
    };
  }, [scroller, scale, rowPx, go, move]);

  const show = useCallback(
    (index: number) => {
      const top = index * rowPx;
      const { list } = place.current;
      if (top < list) go(top);
      else if (top + rowPx > list + view) go(top + rowPx - view);
    },
    [rowPx, view, go],
  );

  const { list, bar } = at;
  const first = Math.max(0, Math.floor(list / rowPx) - BEYOND);
  const end = Math.min(count, Math.ceil((list + view) / rowPx) + BEYOND);
  const page = Math.max(1, Math.floor(view / rowPx) - 1);
  return { height, first, end, page, topOf: (index) => index * rowPx - list + bar, show };
}
