import type { KeyboardEvent } from "react";
import type { TimeRange } from "../../core/types.ts";
import { ZOOM_STEP } from "../../model/timeline/scale.ts";
import type { TimeView } from "./use-time-view.ts";
import { zoomCentre } from "./ZoomTools.tsx";

/** Keys that work anywhere in the timeline but where text is typed. */
export function onZoomKey(event: KeyboardEvent, view: TimeView, range: TimeRange | null): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (event.defaultPrevented || ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return;
  const at = zoomCentre(view, range);
  if (key === "+" || key === "=") view.zoom(ZOOM_STEP, at);
  else if (key === "-") view.zoom(1 / ZOOM_STEP, at);
  else if (key === "0") view.reset();
  else if (key.toLowerCase() === "s" && range !== null) view.zoomTo(range);
  else return;
  event.preventDefault();
}
