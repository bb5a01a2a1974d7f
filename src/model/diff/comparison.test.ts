import { describe, expect, it } from "vitest";
import { type ComparedSide, comparedRows, type Pair, perOf, scaleOf, usualPer, wholeChange } from "./comparison.ts";

const side = (value: number, seconds: number | null, requests: number | null = 10): ComparedSide => ({
  files: ["a.jfr"],
  samples: value,
  whole: { value, squares: value },
  seconds,
  requests,
  root: null,
});

describe("what values are divided by", () => {
  it("is seconds where both sides know them, else the total", () => {
    expect(usualPer(side(9, 1), side(9, 2))).toBe("second");
    expect(usualPer(side(9, null), side(9, 2))).toBe("share");
    expect(perOf(side(9, 2), "second")).toEqual({ per: 2, perSquares: 0 });
    expect(perOf(side(9, 2), "request")).toEqual({ per: 10, perSquares: 0 });
    expect(perOf(side(9, 2), "share")).toEqual({ per: 9, perSquares: 9 });
  });

  it("gives the change of the whole, which shares do not have", () => {
    expect(wholeChange(side(100, 10), side(400, 10), "second", true)).toMatchObject({
      base: 10,
      value: 40,
      isSure: true,
    });
    expect(wholeChange(side(100, 10), side(101, 10), "second", true)).toMatchObject({ isSure: false });
    expect(wholeChange(side(100, 10), side(400, 10), "share", true)).toBeNull();
  });
});

describe("rows", () => {
  const pair = (name: string, a: number, b: number, totalB = b): Pair => {
    const of = (value: number) => ({ value, squares: value, per: 10, perSquares: 0 });
    return { name, self: { a: of(a), b: of(b) }, total: { a: of(a), b: of(totalB) } };
  };

  it("have significant changes of self first, then those of the total, each by size", () => {
    const rows = comparedRows(
      [
        pair("noise", 1000, 1010),
        pair("caller", 100, 100, 400),
        pair("less", 300, 100),
        pair("more", 100, 500),
        pair("same", 70, 70),
      ],
      true,
    );
    expect(rows.map(({ name }) => name)).toEqual(["more", "less", "caller", "noise", "same"]);
    expect(rows.map(({ self, total }) => [self?.isSure, total.isSure])).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
  });

  it("are corrected for the number of tests", () => {
    const one = pair("one", 50, 75);
    expect(comparedRows([one], true)[0]?.self?.isSure).toBe(true);
    const others = Array.from({ length: 200 }, (_, i) => pair(`${i}`, 50, 50));
    expect(comparedRows([one, ...others], true).some(({ self }) => self?.isSure)).toBe(false);
  });

  it("have no significant change where the error is not known", () => {
    expect(comparedRows([pair("more", 100, 500)], false)[0]?.self).toMatchObject({
      isSure: false,
      value: 50,
      base: 10,
    });
    expect(wholeChange(side(100, 10), side(400, 10), "second", false)).toMatchObject({ isSure: false });
  });
});

it("a scale converts samples to times", () => {
  expect(scaleOf(10)(8n, 20)).toEqual({ value: 80, squares: 2000 });
});
