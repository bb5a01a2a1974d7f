/** A report's subject for tests, made of a few words. */
import type { FrameColumns, FramesAnswer } from "../../src/core/types.ts";
import { EMPTY_QUERY, type QueryState } from "../../src/model/query/query.ts";
import { measured } from "../../src/model/words/measure.ts";
import type { Subject } from "../../src/report/subject.ts";
import { profileSummary } from "./otlp/profile.ts";

export function subjectOf(value: number, query: Partial<QueryState> = {}): Subject {
  const profile = profileSummary({ type: "cpu", samples: 200, value: 200n });
  return {
    names: ["recordings/shop.jfr"],
    files: [],
    profile: measured(profile, 0),
    totals: { samples: value, value: BigInt(value) },
    filter: query.filter ?? {},
    drawing: { ...EMPTY_QUERY, ...query },
    time: { from: 1_787_400_000_000_000_000n, to: 1_787_400_003_000_000_000n },
    zeros: [{ from: 1_787_400_000_000_000_000n }],
  };
}

export function answerOf(frames: FrameColumns): FramesAnswer {
  return {
    frames,
    path: [],
    selectionTotal: frames.total[0],
    framesInFocus: frames.node.length,
    hiddenValue: 0,
    hiddenFrames: 0,
  };
}
