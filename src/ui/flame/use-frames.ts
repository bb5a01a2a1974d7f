/** The frames to draw; asked again when samples, zoom, grouping or width change. */
import { useMemo } from "react";
import type { FramesAnswer } from "../../core/types.ts";
import { FrameBudget } from "../../model/flame/frame-budget.ts";
import type { QueryState } from "../../model/query/query.ts";
import type { Shape } from "../../model/query/shape.ts";
import type { Measured } from "../../model/recording/measure.ts";
import type { Failure, Query } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";

/** One for the page: what a drawing costs does not depend on what is drawn. */
export const frameBudget = new FrameBudget();

/** Frames with what they were asked for. */
export interface Drawing {
  profile: Measured;
  answer: FramesAnswer;
  grouping: QueryState["grouping"];
  /** Below each frame are its callers. */
  upward: boolean;
  /** Of the focus' children these widest ones are left out. */
  past?: number;
  /** What the call tree looks like; undefined for the whole one. */
  shape: Shape | undefined;
  width: number;
}

export function useFrames(
  profile: Measured,
  samples: Query,
  { grouping, focus, past, path }: QueryState,
  width: number,
  onFailure: (failure: Failure) => void,
): Drawing | null {
  const question = useMemo(
    () => (width <= 0 ? null : { profile, samples, grouping, focus, past, path, width }),
    [profile, samples, grouping, focus, past, path, width],
  );
  const answered = useAnswer(
    question,
    (asked) => {
      const room = { width: asked.width, budget: frameBudget.frames() };
      if (asked.grouping === "stacks")
        return viewer.frames(asked.samples, { focus: asked.focus, past: asked.past, ...room });
      return viewer.regroup(asked.samples, { grouping: { kind: asked.grouping }, path: asked.path, ...room });
    },
    onFailure,
  );
  return useMemo(() => {
    if (answered === null) return null;
    const { question: asked, answer } = answered;
    const { profile: of, samples: looked, grouping: by, width: room } = asked;
    const part = by === "stacks" ? { past: asked.past } : {};
    return { profile: of, answer, grouping: by, upward: by === "callers", ...part, shape: looked.shape, width: room };
  }, [answered]);
}
