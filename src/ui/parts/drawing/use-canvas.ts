import { type RefObject, useEffect, useRef } from "react";
import { useDark } from "../../primitives/theme/dark.ts";

/**
 * A canvas, drawn again when the theme or one of `on` changes: what is drawn, and the size, which is read off the
 * element as the colours are.
 */
export function useCanvas(draw: (canvas: HTMLCanvasElement) => unknown, on: readonly unknown[]) {
  const dark = useDark();
  const canvas: RefObject<HTMLCanvasElement | null> = useRef(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what decides
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current);
  }, [...on, dark]);
  return canvas;
}
