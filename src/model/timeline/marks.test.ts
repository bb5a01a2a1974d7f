import { describe, expect, it } from "vitest";
import type { Marks } from "../../core/view-types.ts";
import { gapBetween, legend, marksOf, pausePaths, placedGaps, wordsAt } from "./marks.ts";

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000;
const SHOWN = { from: START, to: START + 10n * BigInt(SECOND) };

function someMarks(pauses: [at: number, nanos: number, text: string][], more: Partial<Marks> = {}): Marks {
  const texts = [...new Set(pauses.map(([, , text]) => text))];
  return {
    start: START,
    pauses: {
      at: Float64Array.from(pauses, ([at]) => at),
      nanos: Float64Array.from(pauses, ([, nanos]) => nanos),
      text: Uint32Array.from(pauses, ([, , text]) => texts.indexOf(text)),
      file: new Uint32Array(pauses.length),
    },
    texts,
    files: ["a.jfr"],
    beyond: 0,
    lost: { times: 0, bytes: 0 },
    gaps: [],
    ...more,
  };
}

describe("pauses", () => {
  it("are drawn where they lie, at least one place wide, paler where they are a small part of it", () => {
    const marks = someMarks([
      [-2 * SECOND, SECOND, "before"],
      [SECOND, 5e6, "a"],
      [1.001 * SECOND, 1e6, "a"],
      [2 * SECOND, SECOND, "b"],
      [5 * SECOND, 0, "c"],
      [5.01 * SECOND, 2e6, "c"],
      [11 * SECOND, 1e6, "behind"],
    ]);
    const shades = ["M500 0H501V1H500Z", "M501 0H502V1H501Z", "M100 0H101V1H100ZM200 0H300V1H200Z"];
    expect(pausePaths(marks, SHOWN)).toEqual(shades);
    expect(pausePaths(someMarks([]), SHOWN)).toEqual(["", "", ""]);
  });

  it("are said with their cause, several as a sum, names made safe", () => {
    const marks = someMarks([
      [SECOND, 5e6, "System.gc()\u202e"],
      [2 * SECOND, 1e6, ""],
      [2.01 * SECOND, 2e6, "a"],
    ]);
    const at = (nanos: number, reach = 1e6) => wordsAt(marks, START + BigInt(nanos), reach);
    expect(at(1.004 * SECOND)).toBe("GC pause of 5 ms, System.gc()\\u202e");
    expect(at(2 * SECOND)).toBe("GC pause of 1 ms");
    expect(at(2.005 * SECOND, 1e8)).toBe("2 GC pauses, 3 ms in all");
    expect(at(5 * SECOND)).toBe("");
  });
});

describe("gaps", () => {
  const gaps = [
    { at: 4 * SECOND, nanos: 2 * SECOND, recorded: true, file: "a.jfr" },
    { at: 8 * SECOND, nanos: 5 * SECOND, recorded: false, file: "a.jfr" },
  ];

  it("lie where they are in the time shown", () => {
    const placed = placedGaps(someMarks([], { gaps }), SHOWN);
    expect(placed.map(({ left, width }) => [left.toFixed(3), width.toFixed(3)])).toEqual([
      ["0.800", "0.200"],
      ["0.400", "0.200"],
    ]);
    const late = { from: START + 7n * BigInt(SECOND), to: START + 9n * BigInt(SECOND) };
    expect(placedGaps(someMarks([], { gaps }), late).map(({ at }) => at / SECOND)).toEqual([8]);
  });

  it("say whether anything was recorded", () => {
    expect(wordsAt(someMarks([], { gaps }), START + 5n * BigInt(SECOND), 1)).toBe("no samples for 2 s");
    expect(wordsAt(someMarks([], { gaps }), START + 9n * BigInt(SECOND), 1)).toBe("not recorded for 5 s");
  });
});

it("the legend has what there is", () => {
  expect(legend(someMarks([]))).toEqual([]);
  const marks = someMarks(
    [
      [1, 5e6, "a"],
      [9, 87e6, "b"],
    ],
    {
      gaps: [1, 2, 3].map((at) => ({ at, nanos: 3.2e9 * at, recorded: at === 1, file: "a.jfr" })),
      lost: { times: 2, bytes: 4096 },
      beyond: 7,
    },
  );
  expect(legend(marks)).toEqual([
    {
      kind: "pauses",
      count: 2,
      text: "2 GC pauses, 92 ms in all",
      more: "longest 87 ms, 7 further events not counted",
    },
    { kind: "gaps", count: 1, text: "no samples for 3.2 s", more: "" },
    { kind: "unrecorded", count: 2, text: "not recorded for 16 s", more: "in 2 stretches" },
    { kind: "lost", count: 2, text: "2 data losses, 4 KiB", more: "" },
  ]);
});

describe("marks of one file", () => {
  const row = (file: string, from: number, to: number) => {
    const at = (seconds: number) => START + BigInt(seconds * SECOND);
    return { file, from: at(from), to: at(to), first: 0, last: 1, measured: false };
  };

  it("are those in its time, and no other file's", () => {
    const marks = someMarks(
      [
        [SECOND, 5e6, "a"],
        [2 * SECOND, 5e6, "b"],
        [20 * SECOND, 5e6, "c"],
      ],
      {
        files: ["a.jfr", "b.jfr"],
        gaps: ["a.jfr", "b.jfr"].map((file) => ({ at: SECOND, nanos: SECOND, recorded: true, file })),
      },
    );
    marks.pauses.file[1] = 1;
    const own = marksOf(marks, row("a.jfr", 0, 10));
    expect([...own.pauses.at]).toEqual([SECOND]);
    expect(own.gaps.map(({ file }) => file)).toEqual(["a.jfr"]);
  });

  it("M6: the time between two files is in words", () => {
    expect(gapBetween(row("a.jfr", 0, 10), row("b.jfr", 142_052_410, 142_052_411))).toBe(
      "gap of 4.5 years between files (not shown)",
    );
    expect(gapBetween(row("a.jfr", 0, 10), row("a.jfr", 7210, 7220))).toBe("gap of 2 h in the file (not shown)");
    expect(gapBetween(row("a.jfr", 0, 10), row("b.jfr", 5, 15))).toBe("");
  });
});
