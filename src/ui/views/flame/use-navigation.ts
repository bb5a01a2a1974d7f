/** The current box of a graph, and the ways from it into frames and out of the zoom. */
import { useCallback, useRef, useState } from "react";
import type { FramesAnswer } from "../../../core/types.ts";
import { namesDownTo, rowOfNames, rowOfNode } from "../../../model/flame/flame.ts";
import { ancestorOf, type FlameLayout, markedRow, rowOfBox } from "../../../model/flame/flame-layout.ts";
import { runOf } from "../../../model/flame/run-frame.ts";
import { shapeKey } from "../../../model/query/shape.ts";
import { useSurroundings } from "../../parts/answers/surroundings.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import { isPrefix, shownFrame } from "./shown-frame.ts";

interface Navigation {
  current: number;
  /** Makes a box the current one. */
  hold: (box: number) => void;
  zoom: (box: number) => void;
  /** Back out to the frame that the last zoom came from, or all the way; null where the graph is not zoomed. */
  out: ((allTheWay: boolean) => void) | null;
}

type Props = Pick<FlameGraphProps, "drawing" | "act" | "onZoom" | "onPast" | "onOut">;

export function useNavigation({ drawing, act, onZoom, onPast, onOut }: Props, layout: FlameLayout): Navigation {
  const { onFrame } = useSurroundings();
  const { answer, grouping, shape } = drawing;
  const { path } = answer;
  const [current, setCurrent] = useCurrentBox(answer, treeOf(drawing));
  const tell = (box: number) => onFrame?.(shownFrame(drawing, layout, box));
  const hold = (box: number) => {
    setCurrent(box);
    tell(box);
  };
  /** Levels of the frames that were zoomed to before, the last one at the end. */
  const before = useRef<number[]>([]);
  /** A marker opens as the frame whose hidden children it is for, a run as its frames. */
  const zoom = (box: number) => {
    tell(box);
    const step = ancestorOf(layout, box);
    if (step >= 0) {
      setCurrent(0);
      onOut(step);
      return;
    }
    const marked = markedRow(layout, box);
    // Zoomed to it already: its hidden children have room without those that are drawn.
    if (marked === 0) onPast?.(shownBelowFocus(layout));
    const row = marked >= 0 ? marked : rowOfBox(layout, box);
    if (row <= 0) return;
    const isRun = grouping === "stacks" && marked < 0 && !isPrefix(drawing, row);
    const run = !isRun ? null : runOf(answer, row, shape?.lines === true);
    if (run !== null) {
      act({ kind: "open-run", run });
      return;
    }
    before.current.push(path.length);
    setCurrent(row);
    onZoom(row);
  };
  const out = (allTheWay: boolean) => {
    const known = before.current.filter((level) => level < path.length);
    const step = allTheWay ? 0 : (known.at(-1) ?? path.length - 1);
    before.current = known.filter((level) => level < step);
    setCurrent(0);
    onOut(step);
  };
  return { current, hold, zoom, out: path.length === 0 ? null : out };
}

/** How many frames are drawn directly below the focus. */
function shownBelowFocus({ answer }: FlameLayout): number {
  return answer.frames.parent.reduce((count, row, at) => count + (at > 0 && row === 0 ? 1 : 0), 0);
}

/** A tree in which frames of another drawing are found again: by their nodes, or by the names down to them. */
interface Tree {
  key: string;
  hasNodes: boolean;
}

/** Null where no frame is found again. */
function treeOf({ grouping, shape, named = 0, origins: [origin] = [] }: Drawing): Tree | null {
  const hasNodes = grouping === "stacks";
  if (!hasNodes && origin === undefined) return null;
  const regrouped = hasNodes ? "" : JSON.stringify([origin?.grouping, origin?.path]);
  return { key: `${named} ${shapeKey(shape)} ${regrouped}`, hasNodes };
}

/** The current box, kept from drawing to drawing as long as its frame is drawn. */
interface Held {
  answer: FramesAnswer;
  tree: Tree | null;
  box: number;
}

/** In another tree, or without one, no frame is found again. */
function useCurrentBox(answer: FramesAnswer, tree: Tree | null): [box: number, hold: (box: number) => void] {
  const [held, setHeld] = useState<Held>({ answer, tree, box: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a drawing has one tree
  const hold = useCallback((box: number) => setHeld({ answer, tree, box }), [answer, tree?.key]);
  if (held.answer === answer) return [held.box, hold];
  // A marker is no node: its hidden frames have been opened, or are gone.
  const { frames } = held.answer;
  const node = frames.node[held.box];
  if (node === undefined || tree === null || held.tree?.key !== tree.key) return [0, hold];
  if (tree.hasNodes) return [rowOfNode(answer.frames, node), hold];
  return [rowOfNames(answer.frames, namesDownTo(frames, held.box)), hold];
}
