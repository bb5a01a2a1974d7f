/** The words about a box of the graph: a frame, or the marker of hidden frames. */
import { describeFrame, describeHidden, type FrameDetail } from "../../model/flame/detail.ts";
import type { FlameNode } from "../../model/flame/flame.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import { partOf } from "./use-scene.ts";

type Props = Pick<FlameGraphProps, "drawing" | "rootName" | "wordsOf" | "onPast">;

export function boxDetail({ drawing, rootName, wordsOf, onPast }: Props, box: FlameNode | undefined): FrameDetail {
  const { row, marker } = box ?? { row: 0, marker: false };
  const { answer, profile, upward } = drawing;
  if (marker) {
    const hidden = describeHidden(answer, row, profile, rootName);
    return row > 0 || onPast !== undefined ? hidden : { ...hidden, hidden: "too small to be drawn here" };
  }
  const detail = wordsOf?.(row) ?? describeFrame(answer, row, profile, rootName, upward);
  const part = partOf(drawing, rootName);
  return row === 0 && part !== undefined ? { ...detail, name: part } : detail;
}
