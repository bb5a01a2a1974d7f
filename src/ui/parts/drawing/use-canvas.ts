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

/** A cleared canvas of the size at which it is laid out, in CSS pixels. */
export function cleared(canvas: HTMLCanvasElement) {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  context?.scale(ratio, ratio);
  return { context, width, height };
}
