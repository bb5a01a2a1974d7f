/** The source of a frame's function, requested only for the one frame in the line below the graph. */
import { useMemo } from "react";
import { FRAME_TYPES } from "../../model/flame/frame-types.ts";
import { type SourcePlace, sourcePlace } from "../../model/flame/source-place.ts";
import type { Failure } from "../../worker/api.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { useSurroundings } from "../surroundings.ts";
import type { Drawing } from "./use-frames.ts";

/** Null while it is asked for, and where it is not known. */
export function usePlace(drawing: Drawing, row: number, onFailure: (failure: Failure) => void): SourcePlace | null {
  const { viewer } = useSurroundings();
  const { names, name, nameIds, frameType } = drawing.answer.frames;
  const id = nameIds[name[row]] ?? 0;
  // Each recording numbers the names in another way.
  const question = useMemo(() => (id === 0 ? null : { id, names }), [id, names]);
  const answered = useAnswer(question, (asked) => viewer.placeOf(asked.id), onFailure, true);
  if (answered === null || answered.question !== question) return null;
  const isJava = FRAME_TYPES[frameType[row]] === "jvm";
  return sourcePlace(answered.answer, names[name[row]] ?? "", isJava, drawing.shape?.lines === true);
}
