/**
 * The crosshair and the words beside the pointer. The pointer moves without React: its place is a property of the
 * section's style, which every plot draws its line at, and what lies there is told by the plot under the pointer.
 */
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { Store, useStore } from "../../primitives/store/store.ts";
import { Tooltip } from "../drawing/tooltip.ts";
import { plotOf } from "./use-zoom-gestures.ts";

/** The tooltip text of a plot at a share of its width; `y` is a share of its height. */
export type Describe = (share: number, y: number) => string[];

export interface Pointing {
  /** Every plot has one, under its `data-plot`. */
  describe: Map<string, Describe>;
  /** Adds lines to the tooltip, whose answer came later. */
  add: (lines: readonly string[]) => void;
  /** Share of the width that the pointer is at; null while it is elsewhere. */
  at: Store<number | null>;
}

/** `moment` says what time is at a share of the width: the first line of the tooltip everywhere. */
export function usePointing(section: RefObject<HTMLElement | null>, moment: (share: number) => string): Pointing {
  const words = useRef(moment);
  words.current = moment;
  const pointing = useMemo(makePointing, []);
  useEffect(() => {
    const element = section.current;
    if (element === null) return;
    let tooltip: Tooltip | null = null;
    const listening = new AbortController();
    const { signal } = listening;
    const leave = () => {
      pointing.tell(null);
      pointing.at.set(null);
      tooltip?.hide();
      delete element.dataset.pointed;
    };
    const move = (event: PointerEvent) => {
      const plot = plotOf(event);
      const describe = plot === null ? undefined : pointing.describe.get(plot.dataset.plot ?? "");
      if (plot === null || describe === undefined) return leave();
      const { left, top, width, height } = plot.getBoundingClientRect();
      const share = (event.clientX - left) / Math.max(1, width);
      if (share < 0 || share > 1) return leave();
      element.style.setProperty("--pointer", `${100 * share}%`);
      element.dataset.pointed = "";
      pointing.at.set(share);
      if (event.pointerType === "touch") return;
      tooltip ??= new Tooltip(element);
      pointing.tell((line) => tooltip?.add(line));
      tooltip.show(event, [words.current(share), ...describe(share, (event.clientY - top) / Math.max(1, height))]);
    };
    element.addEventListener("pointermove", move, { signal });
    element.addEventListener("pointerleave", leave, { signal });
    element.addEventListener("pointercancel", leave, { signal });
    return () => {
      listening.abort();
      tooltip?.destroy();
    };
  }, [section, pointing]);
  return pointing;
}

function makePointing() {
  let told: ((line: string) => void) | null = null;
  return {
    add: (lines: readonly string[]) => {
      for (const line of lines) told?.(line);
    },
    tell: (next: typeof told) => {
      told = next;
    },
    describe: new Map<string, Describe>(),
    at: new Store<number | null>(null),
  };
}

/** What a plot says, for as long as it is there. */
export function useDescribe({ describe }: Pointing, plot: string, words: Describe): void {
  useEffect(() => {
    describe.set(plot, words);
    return () => {
      describe.delete(plot);
    };
  }, [describe, plot, words]);
}

/** Share of the width that the pointer is at. */
export const usePointed = ({ at }: Pointing) => useStore(at);
