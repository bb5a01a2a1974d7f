/** The canvas of a chart: drawn with each scene, when its rows are scrolled, and when its place changes its size. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import { ChartCanvas, type ChartScene } from "./chart-canvas.ts";

interface Places {
  canvas: RefObject<HTMLCanvasElement | null>;
  scroller: RefObject<HTMLElement | null>;
}

export function useChartCanvas({ canvas, scroller }: Places, scene: ChartScene): void {
  const latest = useRef(scene);
  const draw = useRef<() => void>(() => {});
  latest.current = scene;

  useLayoutEffect(() => {
    const [element, around] = [canvas.current, scroller.current];
    if (element === null || around === null) return;
    const drawing = new ChartCanvas(element);
    draw.current = () => {
      const { clientHeight, scrollTop } = around;
      element.style.height = `${clientHeight}px`;
      drawing.draw(latest.current, scrollTop, clientHeight);
      // The drawing, for tests: bound as d3 binds its data to elements.
      Object.assign(element, { __data__: latest.current });
    };
    const again = () => draw.current();
    const size = new ResizeObserver(again);
    size.observe(around);
    around.addEventListener("scroll", again, { passive: true });
    // The page's fonts come after the first picture: labels are cut to their widths then.
    document.fonts.addEventListener("loadingdone", again);
    return () => {
      size.disconnect();
      around.removeEventListener("scroll", again);
      document.fonts.removeEventListener("loadingdone", again);
    };
  }, [canvas, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again with each scene
  useLayoutEffect(() => draw.current(), [scene]);
}
