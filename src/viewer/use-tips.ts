/** Tooltips of the buttons in an element: the library for those of the page draws beside the element. */
import { type RefObject, useEffect } from "react";
import { Tooltip } from "../ui/parts/drawing/tooltip.ts";

/** Elements inside of `area` have the text in `data-tip`. */
export function useTips(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = area;
    if (current === null) return;
    const tooltip = new Tooltip(current, "tip");
    const listening = new AbortController();
    const { signal } = listening;
    const follow = (event: PointerEvent) => {
      const tip = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tip]")?.dataset.tip : null;
      if (tip === undefined || tip === null || event.pointerType === "touch") tooltip.hide();
      else tooltip.show(event, [tip]);
    };
    current.addEventListener("pointerover", follow, { signal });
    current.addEventListener("pointerleave", () => tooltip.hide(), { signal });
    current.addEventListener("pointerdown", () => tooltip.hide(), { signal });
    return () => {
      listening.abort();
      tooltip.destroy();
    };
  }, [area]);
}
