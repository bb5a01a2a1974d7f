/** How much of a frame is of samples with inferred context, asked only for the frame that the user points at. */
import { useMemo } from "react";
import { namesDownTo } from "../../../model/flame/flame.ts";
import { inferredAmong } from "../../../model/query/attribute.ts";
import { inferredInFrame } from "../../../model/trace/coverage.ts";
import type { Query, Result } from "../../../worker/api.ts";
import { type Around, useSurroundings } from "../../parts/answers/surroundings.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { Drawing, Origin } from "../../parts/answers/use-frames.ts";

/** A drawing that is not on screen: only the value of its focus is read. */
const NO_WIDTH = 1;

interface Question {
  sides: readonly Side[];
  profile: Drawing["profile"];
  node: number;
}

/** The frame in one selection: the samples with inferred context, and the value of all samples. */
interface Side extends Origin {
  total: number;
}

/** Words about the frame; "" while they are asked for, and where no sample has inferred context. */
export function useInferred(drawing: Drawing, row: number): string {
  const { viewer } = useSurroundings();
  // A box that is no frame has no row.
  const question = useMemo(() => questionOf(drawing, row), [drawing, row]);
  const answered = useAnswer(question, (asked) => valuesIn(viewer, asked), true);
  if (answered === null || answered.question !== question) return "";
  const { sides, profile } = answered.question;
  const words = sides.map(({ label = "", total }, i) => {
    const side = inferredInFrame(answered.answer[i] ?? 0, total, profile);
    return side === "" || label === "" ? side : `${label}: ${side}`;
  });
  return words.filter((side) => side !== "").join("; ");
}

function questionOf({ answer: { frames }, origins = [], profile, past = 0 }: Drawing, row: number): Question | null {
  if (profile.inferredBy === undefined || row < 0 || (row === 0 && past > 0)) return null;
  const sides = origins.flatMap((origin): Side[] => {
    const samples = inferredOf(origin.samples);
    if (samples === null) return [];
    const without = origin.without && inferredOf(origin.without);
    const path = [...origin.path, ...namesDownTo(frames, row)];
    const total = (origin.totals ?? frames.total)[row] ?? 0;
    return [{ ...origin, samples, without: without ?? undefined, path, total }];
  });
  return sides.length === 0 ? null : { sides, profile, node: frames.node[row] ?? 0 };
}

function inferredOf(samples: Query): Query | null {
  const filter = inferredAmong(samples.filter);
  return filter && { ...samples, filter };
}

async function valuesIn(viewer: Around["viewer"], { sides, node }: Question): Promise<Result<number[]>> {
  const values: number[] = [];
  for (const side of sides) {
    const value = await valueIn(viewer, side, side.samples, node);
    if (!value.ok) return value;
    const without = side.without ? await valueIn(viewer, side, side.without, node) : null;
    if (without?.ok === false) return without;
    values.push(value.value - (without?.value ?? 0));
  }
  return { ok: true, value: values };
}

async function valueIn(
  viewer: Around["viewer"],
  { grouping, path }: Side,
  samples: Query,
  node: number,
): Promise<Result<number>> {
  const answer =
    grouping === null
      ? await viewer.frames(samples, { focus: node, width: NO_WIDTH })
      : await viewer.regroup(samples, { grouping, path: [...path], width: NO_WIDTH });
  if (!answer.ok) return answer;
  // Where the path leads to no frame, the answer is of a frame above it.
  const isThere = grouping === null || answer.value.path.length === path.length;
  return { ok: true, value: isThere ? (answer.value.frames.total[0] ?? 0) : 0 };
}
