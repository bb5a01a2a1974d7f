/** The frames to draw; asked again when samples, zoom, grouping or width change. */
import { useMemo } from "react";
import type { FramesAnswer } from "../../../core/types.ts";
import type { Grouping } from "../../../core/view-types.ts";
import type { FoldedAnswer } from "../../../model/flame/fold.ts";
import { foldPrefix } from "../../../model/flame/prefix.ts";
import type { QueryState } from "../../../model/query/query.ts";
import type { Shape } from "../../../model/query/shape.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Failure, Query } from "../../../worker/api.ts";
import { type Ahead, answerTo } from "./ahead.ts";
import { type Around, useSurroundings } from "./surroundings.ts";
import { samplesKey, useAnswer, useSame } from "./use-answer.ts";

/** What frames were asked for, so that more can be asked about one of them. */
export interface Origin {
  samples: Query;
  /** Null for the call tree, whose frames are known by their nodes. */
  grouping: Grouping | null;
  /** Names down to the focus; empty for the call tree. */
  path: readonly number[];
  /** The name of the selection, where frames are of several. */
  label?: string;
  /** A part of the samples that is not drawn. */
  without?: Query | undefined;
  /** Values of the frames; absent where the boxes are as wide. */
  totals?: Float64Array;
}

/** Frames with their question. */
export interface Drawing {
  profile: Measured;
  answer: FramesAnswer;
  grouping: QueryState["grouping"];
  /** Below each frame are its callers. */
  upward: boolean;
  /** Where the frames that stacks begin with are one, what they were before. */
  fold?: FoldedAnswer;
  /** Of the focus' children these widest ones are left out. */
  past?: number;
  /** What the call tree looks like; undefined for the whole one. */
  shape: Shape | undefined;
  /** Changes with the names of symbols, and with them the numbers of the nodes. */
  named?: number | undefined;
  width: number;
  /** One for each selection that the frames are of. */
  origins?: readonly Origin[];
}

/** The question for the frames of a graph that is `width` pixels wide. */
export function framesQuestion(
  viewer: Pick<Around["viewer"], "frames" | "regroup">,
  samples: Query,
  { grouping, focus, past, path }: Pick<QueryState, "grouping" | "focus" | "past" | "path">,
  width: number,
): Ahead<FramesAnswer> {
  return {
    key: `frames ${width} ${grouping} ${focus} ${past ?? 0} ${JSON.stringify(path)} ${samplesKey(samples)}`,
    ask: () =>
      grouping === "stacks"
        ? viewer.frames(samples, { focus, past, width })
        : viewer.regroup(samples, { grouping: { kind: grouping }, path, width }),
  };
}

export function useFrames(
  profile: Measured,
  samples: Query,
  { grouping, focus, past, path }: QueryState,
  width: number,
  instead: (failure: Failure) => void,
): Drawing | null {
  const { viewer } = useSurroundings();
  const question = useSame(width <= 0 ? null : { profile, samples, grouping, focus, past, path, width });
  const answered = useAnswer(
    question,
    (asked) => answerTo(framesQuestion(viewer, asked.samples, asked, asked.width)),
    false,
    instead,
  );
  return useMemo(() => {
    if (answered === null) return null;
    const { question: asked, answer } = answered;
    const { profile: of, samples: looked, grouping: by, width: room } = asked;
    const origin: Origin =
      by === "stacks"
        ? { samples: looked, grouping: null, path: [] }
        : { samples: looked, grouping: { kind: by }, path: asked.path };
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
      origins: [origin],
    };
  }, [answered]);
}

/** A drawing with each prefix as one frame. */
export function useFolded(drawing: Drawing | null, { folded }: QueryState["look"]): Drawing | null {
  return useMemo(() => {
    const fold = drawing === null || !folded ? null : foldPrefix(drawing.answer, drawing.upward);
    return drawing === null || fold === null ? drawing : { ...drawing, answer: fold.answer, fold };
  }, [drawing, folded]);
}
