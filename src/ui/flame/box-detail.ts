/** The words about a box of the graph: a frame, or the marker of hidden frames. */
import { describeAncestor, describeFrame, describeHidden, type FrameDetail } from "../../model/flame/detail.ts";
import { ancestorOf, boxName, type FlameLayout, markedRow } from "../../model/flame/flame-layout.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import { partOf } from "./use-scene.ts";

type Props = Pick<FlameGraphProps, "drawing" | "rootName" | "wordsOf" | "onPast">;

export function boxDetail(
  { drawing, rootName, wordsOf, onPast }: Props,
  layout: FlameLayout,
  box: number,
): FrameDetail {
  const { answer, profile, upward } = drawing;
  const step = ancestorOf(layout, box);
  if (step >= 0) return describeAncestor(answer, step, profile, boxName(layout, box));
  const marked = markedRow(layout, box);
  if (marked >= 0) {
    const hidden = describeHidden(answer, marked, profile, rootName);
    return marked > 0 || onPast !== undefined ? hidden : { ...hidden, hidden: "too small to draw at this zoom" };
  }
  const row = box < layout.rows ? box : 0;
  const detail = wordsOf?.(row) ?? describeFrame(answer, row, profile, rootName, upward);
  const part = partOf(drawing, rootName);
  return row === 0 && part !== undefined ? { ...detail, name: part } : detail;
}
