/**
 * Gestures over plots of time: Ctrl or ⌘ with the wheel and pinching zoom, as in maps that lie in a page; Shift with
 * the wheel, and a sideways wheel, pan. The wheel alone scrolls the page or the lanes, as everywhere, but over a plot
 * with `data-wheel="zoom"` it zooms.
 */

import type { KeyboardEvent } from "react";
import { type RefObject, useEffect, useRef } from "react";
import type { TimeRange } from "../../../core/types.ts";
import { TIME_LETTERS, ZOOM_STEP } from "../../../model/timeline/scale.ts";
import type { TimeView } from "./use-time-view.ts";
import { zoomCentre } from "./ZoomTools.tsx";

/** Pixels of the wheel that double the zoom: about two notches. */
const DOUBLING_PX = 200;
/** A wheel that counts lines or pages. */
const LINE_PX = 16;
const PAGE_PX = 400;

export function useZoomGestures(section: RefObject<HTMLElement | null>, view: TimeView): void {
  const latest = useRef(view);
  latest.current = view;
  useEffect(() => {
    const element = section.current;
    if (element === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    const onWheel = (event: WheelEvent) => {
      const plot = plotOf(event);
      if (plot === null) return;
      const { left, width } = plot.getBoundingClientRect();
      const pixels = [1, LINE_PX, PAGE_PX][event.deltaMode] ?? 1;
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (event.ctrlKey || event.metaKey || (plot.dataset.wheel === "zoom" && !isSideways)) {
        const at = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
        latest.current.zoom(2 ** ((-event.deltaY * pixels) / DOUBLING_PX), at);
      } else {
        const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
        if (
          sideways === 0 ||
          latest.current.isWhole ||
          Math.abs(event.deltaX) < Math.abs(event.deltaY) * Number(!event.shiftKey)
        )
          return;
        latest.current.pan((sideways * pixels) / Math.max(1, width));
      }
      event.preventDefault();
    };
    // Two fingers: their distance zooms around their middle, which they carry with them.
    const fingers = new Map<number, number>();
    let before: { middle: number; distance: number } | null = null;
    const pair = () => {
      const [a = 0, b = 0] = fingers.values();
      return { middle: (a + b) / 2, distance: Math.max(1, Math.abs(a - b)) };
    };
    const onDown = (event: PointerEvent) => {
      if (event.pointerType !== "touch" || plotOf(event) === null) return;
      fingers.set(event.pointerId, event.clientX);
      before = fingers.size === 2 ? pair() : null;
    };
    const onMove = (event: PointerEvent) => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, event.clientX);
      const plot = plotOf(event);
      if (before === null || plot === null) return;
      const { left, width } = plot.getBoundingClientRect();
      const now = pair();
      latest.current.pan((before.middle - now.middle) / Math.max(1, width));
      latest.current.zoom(now.distance / before.distance, (now.middle - left) / Math.max(1, width));
      before = now;
    };
    const onUp = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
      before = null;
    };
    element.addEventListener("wheel", onWheel, { passive: false, signal });
    element.addEventListener("pointerdown", onDown, { capture: true, signal });
    element.addEventListener("pointermove", onMove, { capture: true, signal });
    element.addEventListener("pointerup", onUp, { capture: true, signal });
    element.addEventListener("pointercancel", onUp, { capture: true, signal });
    return () => listening.abort();
  }, [section]);
}

/** The plot that an event is over. All plots have the same left and right end. */
export function plotOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>("[data-plot]") : null;
}

/** Share of the width that the pointer is at, where it is over a plot of the section (use-pointing.ts). */
export function pointedShare(section: HTMLElement | null): number | null {
  if (section?.dataset.pointed === undefined) return null;
  return Number.parseFloat(section.style.getPropertyValue("--pointer")) / 100;
}

/** Keys that work anywhere in the timeline but where text is typed. */
export function onZoomKey(event: KeyboardEvent<HTMLElement>, view: TimeView, range: TimeRange | null): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (event.defaultPrevented || ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return;
  const at = zoomCentre(view, range);
  const letter = TIME_LETTERS.get(key.toLowerCase());
  if (key === "+" || key === "=") view.zoom(ZOOM_STEP, at);
  else if (key === "-") view.zoom(1 / ZOOM_STEP, at);
  else if (key === "0") view.reset();
  else if (key.toLowerCase() === "f" && range !== null) view.zoomTo(range);
  else if (letter !== undefined)
    letter({ pan: view.pan, zoom: (factor) => view.zoom(factor, pointedShare(event.currentTarget) ?? at) });
  else return;
  event.preventDefault();
}
