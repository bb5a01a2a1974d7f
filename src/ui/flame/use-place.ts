/** The source file of a frame's function, requested only for the one frame in the line below the graph. */
import { useMemo } from "react";
import { placeWords } from "../../model/flame/detail.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import type { Drawing } from "./use-frames.ts";

/** "" while it is asked for, and where it is not known. */
export function usePlace(drawing: Drawing, row: number, onFailure: (failure: Failure) => void): string {
  const { names, name, nameIds } = drawing.answer.frames;
  const id = nameIds[name[row]] ?? 0;
  // Each recording numbers the names in another way.
  const question = useMemo(() => (id === 0 ? null : { id, names }), [id, names]);
  const answered = useAnswer(question, (asked) => viewer.fileOf(asked.id), onFailure, true);
  if (answered === null || answered.question !== question) return "";
  return placeWords(answered.answer, names[name[row]] ?? "", drawing.shape?.lines === true);
}
