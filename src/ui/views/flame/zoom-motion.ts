/**
 * The way from one zoom to another, as a camera over the wider of the two drawings:
 *
 *   outer   left ├──────────────────────┤ right      what both show lies within the outer drawing
 *   inner            ├──────┤                        the focus of the inner one, as wide as that drawing
 *   camera           from the whole of the outer drawing to the inner focus, or the other way round
 */
import { type FlameLayout, rowOfBox } from "../../../model/flame/flame-layout.ts";
import { type Camera, WHOLE } from "./canvas-layer.ts";

export interface ZoomMotion {
  isIn: boolean;
  /** The inner focus in the outer drawing. */
  target: Camera;
  /** Level of the inner focus. */
  level: number;
}

/** Null where the focus of neither drawing is in the other, and where nothing would move. */
export function zoomBetween(before: FlameLayout, after: FlameLayout): ZoomMotion | null {
  return motionInto(before, after, true) ?? motionInto(after, before, false);
}

function motionInto(outer: FlameLayout, inner: FlameLayout, isIn: boolean): ZoomMotion | null {
  const box = focusIn(outer, inner);
  if (box <= 0 || outer.width[box] >= 1 || outer.width[box] <= 0) return null;
  return { isIn, target: { left: outer.left[box], width: outer.width[box] }, level: outer.level[box] };
}

/** The box of the inner focus in the outer drawing; -1 where it is not below the outer focus. */
function focusIn(outer: FlameLayout, inner: FlameLayout): number {
  if (outer.answer.selectionTotal !== inner.answer.selectionTotal || outer.look.part !== inner.look.part) return -1;
  const from = namesDown(outer);
  const to = namesDown(inner);
  if (to.length <= from.length || from.some((name, i) => name !== to[i])) return -1;
  // Frames below one frame have different names.
  return to.slice(from.length).reduce((box, name) => childNamed(outer, box, name), 0);
}

/** Both have the same focus, in the same selection. */
export function isSamePlace(before: FlameLayout, after: FlameLayout): boolean {
  const [from, to] = [namesDown(before), namesDown(after)];
  const isSame = before.answer.selectionTotal === after.answer.selectionTotal && before.look.part === after.look.part;
  return isSame && from.length === to.length && from.every((name, i) => name === to[i]);
}

/** Names from the root to the focus. */
function namesDown({ answer: { path, frames } }: FlameLayout): string[] {
  return [...path.map(({ name }) => name), frames.names[frames.name[0]]];
}

function childNamed(layout: FlameLayout, box: number, name: string): number {
  if (box < 0) return -1;
  const { firstBelow, below, order, answer } = layout;
  const { names, name: ids } = answer.frames;
  for (let at = firstBelow[box]; at < firstBelow[box] + below[box]; at++) {
    const row = rowOfBox(layout, order[at]);
    if (row >= 0 && names[ids[row]] === name) return row;
  }
  return -1;
}

/** Over the outer drawing, `part` of the way. */
export function outerCamera({ isIn, target }: ZoomMotion, part: number): Camera {
  // Slow at its end. By factors, so that the speed does not depend on how far it goes.
  const way = 1 - (1 - part) ** 3;
  const width = target.width ** (isIn ? way : 1 - way);
  return { left: (target.left * (1 - width)) / (1 - target.width), width };
}

/** The view of `outerCamera` over the inner drawing. */
export function innerCamera({ target }: ZoomMotion, { left, width }: Camera): Camera {
  return { left: (left - target.left) / target.width, width: width / target.width };
}

/** The camera over the drawing that is zoomed to. */
export function cameraAfter(motion: ZoomMotion | null, part: number): Camera {
  if (motion === null) return WHOLE;
  const outer = outerCamera(motion, part);
  return motion.isIn ? innerCamera(motion, outer) : outer;
}
