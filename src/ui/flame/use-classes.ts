/** What the drawn frames are told apart by, where it is not the package. */
import { useEffect, useMemo } from "react";
import type { FrameClass } from "../../model/frame-classes.ts";
import { FRAME_KINDS } from "../../model/frame-kinds.ts";
import type { Look } from "../../model/look.ts";
import type { Failure } from "../../worker/api.ts";
import { useLoaded } from "../dialog/use-loaded.ts";
import type { Drawing } from "./use-frames.ts";

/** Of a row; undefined for packages, whose colours the renderer knows by itself. */
export function useClasses(
  drawing: Drawing | null,
  look: Look,
  onFailure: (failure: Failure) => void,
): ((row: number) => FrameClass) | undefined {
  const { loaded, show } = useLoaded(() => import("../../model/frame-classes.ts"), onFailure);
  const isByPackage = look.colouring === "package";
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be loaded once, when it is first needed
  useEffect(() => {
    if (!isByPackage) show();
  }, [isByPackage]);
  return useMemo(() => {
    if (drawing === null || isByPackage || loaded === null) return undefined;
    const colour = loaded.classOf(look);
    const { names, name, frameType } = drawing.answer.frames;
    return (row: number) => colour(names[name[row]] ?? "", FRAME_KINDS[frameType[row]] ?? "");
  }, [drawing, look, isByPackage, loaded]);
}
