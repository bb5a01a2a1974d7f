import { describe, expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { FramesAnswer } from "../../core/types.ts";
import { describeFrame, detailParts } from "./detail.ts";

const PROFILE = profileSummary({
  type: "wall",
  periodType: "wall",
  periodUnit: "nanoseconds",
  period: 50_000_000n,
  samples: 200,
});

function answerOf(picture: string): FramesAnswer {
  const frames = columnsOf(picture);
  return { frames, path: [], selectionTotal: 200, framesInFocus: 3, hiddenValue: 0, hiddenFrames: 0 };
}

describe("describeFrame", () => {
  it("says value, self, shares and hidden frames", () => {
    const answer = answerOf("- 160\n  main 80\n    leaf 20");
    answer.frames.self[2] = 20;
    answer.frames.hiddenFrames[2] = 412;
    answer.frames.hiddenValue[2] = 5;
    expect(detailParts(describeFrame(answer, 2, PROFILE, "all", false))).toEqual([
      "Java",
      "20 samples (≈ 1 s)",
      "self 20 samples",
      "10.0 % of total",
      "25.0 % of parent",
      "412 tiny frames hidden (2.5 %)",
    ]);
  });

  it("says of a frame above its callers what has none, not what is called its own elsewhere", () => {
    const answer = answerOf("- 160\n  leaf 80\n    main 80");
    answer.frames.self[2] = 60;
    expect(describeFrame(answer, 1, PROFILE, "all", true).self).toBe("");
    expect(describeFrame(answer, 2, PROFILE, "all", true).self).toBe("60 samples without a caller");
  });

  it("says the place after the kind", () => {
    const detail = { ...describeFrame(answerOf("- 160\n  main 80"), 1, PROFILE, "all", false), place: "a.go:12" };
    expect(detailParts(detail).slice(0, 3)).toEqual(["Java", "a.go:12", "80 samples (≈ 4 s)"]);
  });

  it("takes the parent of the focus from the path", () => {
    const answer = answerOf("main 80\n  leaf 20");
    answer.frames.node[0] = 7;
    answer.path = [{ node: 0, name: "", total: 160 }];
    expect(describeFrame(answer, 0, PROFILE, "all", false)).toMatchObject({
      name: "main",
      ofParent: "50.0 % of parent",
    });
  });
});
