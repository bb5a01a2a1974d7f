/** The current box of a graph, and the ways from it into frames and out of the zoom. */
import type { FlameTree } from "../../model/flame/flame.ts";
import { shapeKey } from "../../model/query/shape.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import { useCurrentBox } from "./use-current-box.ts";

interface Navigation {
  current: number;
  /** Makes a box the current one. */
  hold: (box: number) => void;
  zoom: (box: number) => void;
  /** One frame out, or all the way; null where the graph is not zoomed. */
  out: ((allTheWay: boolean) => void) | null;
}

type Props = Pick<FlameGraphProps, "drawing" | "onZoom" | "onPast" | "onOut">;

export function useNavigation({ drawing, onZoom, onPast, onOut }: Props, tree: FlameTree): Navigation {
  const { answer, grouping, shape } = drawing;
  const { path } = answer;
  const [current, hold] = useCurrentBox(answer, grouping === "stacks" ? shapeKey(shape) : null);
  /** A marker opens as the frame whose hidden children it is for. */
  const zoom = (box: number) => {
    const { row, marker } = tree.boxes[box] ?? { row: 0, marker: false };
    if (row === 0) {
      // Zoomed to it already: its hidden children have room without those that are drawn.
      if (marker) onPast?.(shownBelowFocus(tree));
      return;
    }
    hold(row);
    onZoom(row);
  };
  const out = (allTheWay: boolean) => {
    hold(0);
    onOut(allTheWay ? 0 : path.length - 1);
  };
  return { current, hold, zoom, out: path.length === 0 ? null : out };
}

/** How many frames are drawn directly below the focus. */
function shownBelowFocus({ boxes, parent }: FlameTree): number {
  return boxes.filter(({ marker }, at) => at > 0 && !marker && parent[at] === 0).length;
}
