/** The frames to draw; asked again when samples, zoom, grouping or width change. */
import { useMemo } from "react";
import type { FramesAnswer } from "../../core/types.ts";
import type { QueryState } from "../../model/query/query.ts";
import type { Shape } from "../../model/query/shape.ts";
import type { Measured } from "../../model/recording/measure.ts";
import type { Failure, Query } from "../../worker/api.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { useSurroundings } from "../surroundings.ts";

/** Frames with their question. */
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
  /** Changes with the names of symbols, and with them the numbers of the nodes. */
  named?: number | undefined;
  width: number;
}

export function useFrames(
  profile: Measured,
  samples: Query,
  { grouping, focus, past, path }: QueryState,
  width: number,
  onFailure: (failure: Failure) => void,
): Drawing | null {
  const { viewer } = useSurroundings();
  const question = useMemo(
    () => (width <= 0 ? null : { profile, samples, grouping, focus, past, path, width }),
    [profile, samples, grouping, focus, past, path, width],
  );
  const answered = useAnswer(
    question,
    (asked) => {
      const { samples: of, grouping: by, focus: node, past: left, path: names, width: room } = asked;
      if (by === "stacks") return viewer.frames(of, { focus: node, past: left, width: room });
      return viewer.regroup(of, { grouping: { kind: by }, path: names, width: room });
    },
    onFailure,
  );
  return useMemo(() => {
    if (answered === null) return null;
    const { question: asked, answer } = answered;
    const { profile: of, samples: looked, grouping: by, width: room } = asked;
    const part = by === "stacks" ? { past: asked.past } : {};
    return {
      profile: of,
      answer,
      grouping: by,
      upward: by === "callers",
      ...part,
      shape: looked.shape,
      named: looked.named,
      width: room,
    };
  }, [answered]);
}
