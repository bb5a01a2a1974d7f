import { expect, it } from "vitest";
import type { Change, Comparison } from "./comparison.ts";
import { diffMarkdown } from "./markdown.ts";
import { plainDiff } from "./plain.ts";
import { changeWords, figureWords, subjectWords } from "./words.ts";

const change = (base: number, value: number, error: number, isSure = true): Change => {
  const relative = base === 0 ? null : value / base - 1;
  return { base, value, error, relative, relativeError: base === 0 ? null : error / base, isSure };
};
const time = { unit: "nanoseconds", per: "second", errorKnown: true } as const;
const share = { unit: "nanoseconds", per: "share", errorKnown: true } as const;

it("figures have the unit and what they are divided by", () => {
  expect(figureWords(12_300_000, time)).toBe("12.3 ms/s");
  expect(figureWords(1_258_291, { unit: "bytes", per: "request" })).toBe("1.2 MiB/request");
  expect(figureWords(0.034_56, { unit: "samples", per: "second" })).toBe("0.0346/s");
  expect(figureWords(0.341, share)).toBe("34.1 %");
  expect(subjectWords({ type: "cpu", unit: "samples", per: "second" })).toBe("cpu samples per second");
  expect(subjectWords({ type: "wall", ...share })).toBe("wall, shares of the total");
});

it("changes have their error", () => {
  expect(changeWords(change(100, 112.3, 4.1), time)).toBe("+12.3 % ± 4.1 %");
  expect(changeWords(change(100, 50, 4.1), time)).toBe("−50.0 % ± 4.1 %");
  expect(changeWords(change(100, 500, 40), time)).toBe("5.00× ± 0.4×");
  expect(changeWords(change(0, 5e6, 1e6), time)).toBe("new (± 1 ms/s)");
  expect(changeWords(change(7, 7, 1), time)).toBe("unchanged");
  expect(changeWords(change(0.1, 0.112, 0.004), share)).toBe("+1.2 pp ± 0.4 pp");
  const unknown = { ...time, errorKnown: false };
  expect(changeWords(change(100, 112.3, 4.1), unknown)).toBe("+12.3 %, error not known");
  expect(changeWords(change(100, 500, 40), unknown)).toBe("5.00×, error not known");
  expect(changeWords(change(0, 5e6, 1e6), unknown)).toBe("new");
  expect(changeWords(change(0.1, 0.112, 0.004), { ...share, errorKnown: false })).toBe("+1.2 pp, error not known");
});

const side = { files: ["a.jfr"], samples: 5, whole: { value: 5, squares: 5 }, seconds: 2, requests: null, root: 255n };
const comparison: Comparison = {
  type: "cpu",
  ...time,
  by: "function",
  a: side,
  b: { ...side, files: ["x`|<b>.jfr"] },
  whole: change(1e6, 1.1e6, 2e5, false),
  rows: [
    { name: "a.B|c`d", self: change(1e6, 2e6, 1e5), total: change(1e6, 2e6, 1e5), root: 16n },
    { name: "quiet", self: change(1e6, 1e6, 1e5, false), total: change(1e6, 1e6, 1e5, false), root: null },
  ],
  caveats: ["A has only 5 samples."],
};

it("names of a recording cannot end a cell or begin markup", () => {
  const markdown = diffMarkdown(comparison, [], 20);
  expect(markdown).toContain("| `a.B\\|c'd` | 1 ms/s | 2 ms/s | **+100.0 % ± 10.0 %** | **+100.0 % ± 10.0 %** |");
  expect(markdown).toContain("- B: `x'\\|<b>.jfr`: 2 s, 5 samples; heaviest local root `0x00000000000000ff`");
  expect(markdown).toContain("### cpu per second: +10.0 % ± 20.0 %, not significant");
  expect(markdown).toContain("- Heaviest local root of `a.B\\|c'd` in B: `0x0000000000000010`");
  expect(markdown).not.toContain("quiet");
});

it("the text has as many rows as asked for, and the number of the others", () => {
  const rows = [comparison.rows[0]!, { ...comparison.rows[0]!, name: "second" }];
  const { head, rows: table, foot } = plainDiff({ ...comparison, rows }, [], 1);
  expect(head).toEqual([
    "cpu per second, B against A",
    "A: 2 s, 5 samples",
    "B: 2 s, 5 samples",
    "total: 1 ms/s → 1.1 ms/s, +10.0 % ± 20.0 %, not significant",
  ]);
  expect(table.map((row) => row.at(-1))).toEqual(["function", "a.B|c`d"]);
  expect(foot).toEqual([
    "… and 1 more significant changes; --limit shows more",
    "2 of 2 functions changed significantly.",
  ]);
});
