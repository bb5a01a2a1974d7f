/** The label of a box: as much of its name as there is room for. */
import { boxName, type FlameLayout, markedRow, rowOfBox } from "../../../model/flame/flame-layout.ts";
import { FRAME_TYPES } from "../../../model/flame/frame-types.ts";
import type { LabelFont } from "../../parts/drawing/label-font.ts";

/** Narrower boxes have no label. */
export const LABEL_PX = 35;
/** Between a box's edges and its label. */
export const MARGIN_PX = 4;
/** From a box's top to the baseline of its label. */
export const BASELINE_PX = 14;

/** "" where there is no room; `width` is the box's in pixels. */
export function boxLabel(layout: FlameLayout, box: number, width: number, font: LabelFont): string {
  if (width < LABEL_PX) return "";
  const room = width - 2 * MARGIN_PX;
  const name = boxName(layout, box);
  if (markedRow(layout, box) >= 0) return font.fit(name, room);
  const type = layout.answer.frames.frameType[rowOfBox(layout, box)] ?? 0;
  return font.fitName(name, FRAME_TYPES[type] ?? "", room);
}
