/** Inner width of an element in CSS pixels, followed as it changes; 0 until it is known. */

import type { RefObject } from "react";
import { useLayoutEffect, useState } from "react";

type Place = "view" | "timeline" | "sandwich";

/** The widths that elements had last, by place. */
const known = new Map<Place, number>();

/** The width that an element of this place will begin with; 0 if it is not known. */
export function knownWidth(place: Place): number {
  return known.get(place) ?? 0;
}

/**
 * The element of a place begins with the width that its predecessor had: to ask for its own would have the page laid
 * out before it is complete. Where that has changed, the browser tells it after the layout.
 */
export function useWidth(element: RefObject<HTMLElement | null>, place?: Place): number {
  const [width, setWidth] = useState(place === undefined ? 0 : knownWidth(place));
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => {
      const now = Math.floor(target.clientWidth);
      if (place !== undefined) known.set(place, now);
      setWidth(now);
    };
    if (place === undefined || !known.has(place)) measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, place]);
  return width;
}
