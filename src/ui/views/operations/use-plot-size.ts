/** Inner size of an element in whole CSS pixels, followed as it changes; 0 until it is known. */
import { type RefObject, useEffect, useState } from "react";

export function usePlotSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    const observer = new ResizeObserver(() => {
      const [width, height] = [target.clientWidth, target.clientHeight];
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
