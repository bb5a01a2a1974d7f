/** The events `select` and `zoom` of the user's actions in an element's graphs. */
import { useMemo, useRef } from "react";
import type { Around } from "../ui/parts/answers/surroundings.ts";
import type { Announce } from "./types.ts";

export function useFrameEvents(announce: Announce): Required<Pick<Around, "onFrame" | "onZoomed">> {
  const last = useRef("");
  return useMemo(
    () => ({
      onFrame: ({ name, path, total: value, self, whole: total, unit, upward }) => {
        const direction = upward ? "callers" : "callees";
        // A frame that is selected and then zoomed to is one selection. A marker has the path of the frame above it.
        const key = JSON.stringify([name, path, direction]);
        if (key === last.current) return;
        last.current = key;
        announce("select", { name, path, value, self, total, unit, direction });
      },
      onZoomed: (path, upward) => announce("zoom", { path, direction: upward ? "callers" : "callees" }),
    }),
    [announce],
  );
}
