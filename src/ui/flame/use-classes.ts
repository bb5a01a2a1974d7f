/** Classes of the drawn frames for their colours, where these are not by package. */
import { useMemo } from "react";
import type { FrameClass } from "../../model/flame/frame-classes.ts";
import { FRAME_TYPES } from "../../model/flame/frame-types.ts";
import type { Look } from "../../model/query/look.ts";
import type { Failure } from "../../worker/api.ts";
import { Lazy } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import type { Drawing } from "./use-frames.ts";

const FRAME_CLASSES = new Lazy(() => import("../../model/flame/frame-classes.ts"));

/** Of a row; undefined for packages, whose colours the renderer knows by itself. */
export function useClasses(
  drawing: Drawing | null,
  look: Look,
  onFailure: (failure: Failure) => void,
): ((row: number) => FrameClass) | undefined {
  const isByPackage = look.colouring === "package";
  const loaded = useLazy(isByPackage ? null : FRAME_CLASSES, onFailure);
  return useMemo(() => {
    if (drawing === null || loaded === null) return undefined;
    const colour = loaded.classOf(look);
    const { names, name, frameType } = drawing.answer.frames;
    return (row: number) => colour(names[name[row]] ?? "", FRAME_TYPES[frameType[row]] ?? "");
  }, [drawing, look, loaded]);
}
