/** Reports the zoom of a graph to its surroundings. */
import { useEffect, useRef } from "react";
import { useSurroundings } from "../surroundings.ts";
import { zoomPath } from "./shown-frame.ts";
import type { Drawing } from "./use-frames.ts";

export function useToldZoom(drawing: Drawing): void {
  const { onZoomed } = useSurroundings();
  const last = useRef("[]");
  useEffect(() => {
    if (onZoomed === undefined) return;
    const path = zoomPath(drawing);
    const key = JSON.stringify(path);
    if (key === last.current) return;
    last.current = key;
    onZoomed(path, drawing.upward);
  }, [onZoomed, drawing]);
}
