/** How much of a frame is of samples with inferred context, asked only for the frame that the user points at. */
import { useMemo } from "react";
import { inferredAmong } from "../../model/context/attribute.ts";
import { inferredInFrame } from "../../model/context/coverage.ts";
import { namesDownTo } from "../../model/flame/flame.ts";
import type { Failure, Query } from "../../worker/api.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { type Around, useSurroundings } from "../surroundings.ts";
import type { Drawing, Origin } from "./use-frames.ts";

/** A drawing that is not on screen: only the value of its focus is read. */
const NO_WIDTH = 1;

interface Question extends Origin {
  profile: Drawing["profile"];
  node: number;
  total: number;
}

/** Words about the frame; "" while they are asked for, and where no sample has inferred context. */
export function useInferred(drawing: Drawing, row: number, onFailure: (failure: Failure) => void): string {
  const { viewer } = useSurroundings();
  // A box that is no frame has no row.
  const question = useMemo(() => questionOf(drawing, row), [drawing, row]);
  const answered = useAnswer(question, (asked) => valueIn(viewer, asked), onFailure, true);
  if (answered === null || answered.question !== question) return "";
  return inferredInFrame(answered.answer, answered.question.total, answered.question.profile);
}

function questionOf({ answer: { frames }, origin, profile, past = 0 }: Drawing, row: number): Question | null {
  const filter = origin && profile.inferredBy && inferredAmong(origin.samples.filter);
  if (!filter || row < 0 || (row === 0 && past > 0)) return null;
  const samples: Query = { ...origin.samples, filter };
  const path = [...origin.path, ...namesDownTo(frames, row)];
  return { ...origin, samples, path, profile, node: frames.node[row] ?? 0, total: frames.total[row] ?? 0 };
}

async function valueIn(viewer: Around["viewer"], { samples, grouping, path, node }: Question) {
  const answer =
    grouping === null
      ? await viewer.frames(samples, { focus: node, width: NO_WIDTH })
      : await viewer.regroup(samples, { grouping, path: [...path], width: NO_WIDTH });
  if (!answer.ok) return answer;
  // Where the path leads to no frame, the answer is of a frame above it.
  const isThere = grouping === null || answer.value.path.length === path.length;
  return { ok: true as const, value: isThere ? (answer.value.frames.total[0] ?? 0) : 0 };
}
