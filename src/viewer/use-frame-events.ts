/** The events `select` and `zoom`, of the frames that become current in an element's graphs. */
import { useCallback, useRef } from "react";
import type { ShownFrame } from "../ui/surroundings.ts";
import type { Announce } from "./types.ts";

/** Of each direction, what was told last: a sandwich has two graphs. */
type Told = Partial<Record<"callees" | "callers", { selected: string; zoomed: string }>>;

export function useFrameEvents(announce: Announce): (frame: ShownFrame) => void {
  const told = useRef<Told>({});
  return useCallback(
    ({ name, path, zoomed, total: value, self, whole: total, unit, upward }) => {
      const direction = upward ? "callers" : "callees";
      const last = told.current[direction];
      // A marker of hidden frames has the path of the frame above it.
      const now = { selected: JSON.stringify([name, path]), zoomed: JSON.stringify(zoomed) };
      told.current[direction] = now;
      // The first frame of a graph was not chosen by anybody.
      if (last === undefined) return;
      if (now.selected !== last.selected) announce("select", { name, path, value, self, total, unit, direction });
      if (now.zoomed !== last.zoomed) announce("zoom", { path: zoomed, direction });
    },
    [announce],
  );
}
