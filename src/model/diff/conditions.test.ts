import { describe, expect, it } from "vitest";
import { checkUnit, conditionLines, judge, parseCondition } from "./conditions.ts";

describe("a condition", () => {
  it.each([
    [
      "self(com.acme.*) > +5%",
      { measure: "self", pattern: "^com\\.acme\\..*$", above: true, kind: "relative", limit: 0.05 },
    ],
    ["total(/^a(b|c)$/)>10%", { measure: "total", pattern: "^a(b|c)$", kind: "share", limit: 0.1 }],
    ["total() > +2 pp", { pattern: null, kind: "points", limit: 0.02 }],
    ["total(*) < -10%", { pattern: null, above: false, kind: "relative", limit: -0.1 }],
    ["self(a.B$C.d) > +20ms", { pattern: "^a\\.B\\$C\\.d$", kind: "change", limit: 20e6, unit: "nanoseconds" }],
    ["total(f) > 1.5 GiB", { kind: "value", limit: 1.5 * 2 ** 30, unit: "bytes" }],
    ["total(f(int)) > 300", { pattern: "^f\\(int\\)$", kind: "value", limit: 300, unit: "count" }],
  ])("%s is read", (text, expected) => {
    expect(parseCondition(text)).toMatchObject({ text, ...expected });
  });

  it.each([
    ["com.acme > 5", '"com.acme > 5" is no condition, such as self(com.acme.*) > +5%'],
    ["own(a) > +5%", "own() is not one of self(), total()"],
    ["self(a) > five", '"five" is no limit, such as self(com.acme.*) > +5%'],
    ["self(a) > 5 pp", "5 pp: pp is for a change, such as +5 pp"],
    [
      "self(a) > 5 hours",
      "hours: is no unit; the units are %, pp, ns, µs, us, ms, s, min, B, kB, KiB, MB, MiB, GB, GiB",
    ],
  ])("%s is refused", (text, message) => {
    expect(() => parseCondition(text)).toThrow(message);
  });

  it("has a unit of the profile's values", () => {
    const cpu = { type: "cpu", unit: "nanoseconds", per: "second" } as const;
    expect(() => checkUnit(parseCondition("self() > +5 ms"), cpu)).not.toThrow();
    expect(() => checkUnit(parseCondition("self() > +5%"), { ...cpu, per: "share" })).not.toThrow();
    expect(() => checkUnit(parseCondition("self() > +5 kB"), cpu)).toThrow("values of cpu are times");
    expect(() => checkUnit(parseCondition("self() > 5"), { ...cpu, unit: "bytes" })).toThrow("are bytes");
    expect(() => checkUnit(parseCondition("self() > 5 s"), { ...cpu, per: "share" })).toThrow("compared as shares");
  });

  it("is one of the lines of a file", () => {
    expect(conditionLines("# limits\r\nself(a) > +5%\n\n  total() > +1%  \n")).toEqual([
      "self(a) > +5%",
      "total() > +1%",
    ]);
  });
});

describe("a judgement", () => {
  /** Samples of weight 1 in ten seconds, of 10,000 in all. */
  const judged = (text: string, a: number, b: number, errorKnown = true) => {
    const weight = (count: number) => ({ value: count, squares: count });
    const per = (_: "a" | "b", basis: string) =>
      basis === "share" ? { per: 10_000, perSquares: 10_000 } : { per: 10, perSquares: 0 };
    return judge(
      parseCondition(text),
      { a: weight(a), b: weight(b), functions: 1 },
      { per: "second", errorKnown },
      per,
    );
  };

  it.each([
    // Twice as much is beyond any doubt, 8 % of a hundred samples is not.
    ["self(a) > +5%", 1000, 2000, "failed"],
    ["self(a) > +5%", 100, 108, "unsure"],
    ["self(a) > +5%", 100, 104, "passed"],
    ["self(a) > +5%", 10_000, 11_000, "failed"],
    // Beyond zero, but not beyond the limit.
    ["self(a) > +5%", 1000, 1100, "unsure"],
    ["self(a) < -5%", 1000, 500, "failed"],
    ["self(a) < -5%", 1000, 2000, "passed"],
    ["self(a) > +5", 1000, 2000, "failed"],
    ["self(a) > +200", 1000, 2000, "passed"],
    ["self(a) > 150", 1, 2000, "failed"],
    ["self(a) > 10%", 1, 2000, "failed"],
    ["self(a) > +2 pp", 1000, 2000, "failed"],
    ["self(a) > +20 pp", 1000, 2000, "passed"],
    // Few samples fail nothing, whether they are new or not.
    ["self(a) > +5%", 0, 4, "unsure"],
    ["self(a) > +5%", 0, 40, "failed"],
    ["self(a) > +5%", 0, 0, "passed"],
  ])("%s with %i before and %i now: %s", (text, a, b, result) => {
    expect(judged(text, a, b).result).toBe(result);
  });

  it("fails nothing where the error is not known", () => {
    expect(judged("self(a) > +5%", 1000, 2000, false).result).toBe("unsure");
    expect(judged("self(a) > +5%", 1000, 1000, false).result).toBe("passed");
  });

  it("has both figures, the limit and the error", () => {
    const found = judged("self(a) > +5%", 1000, 2000);
    expect(found).toMatchObject({
      condition: "self(a) > +5%",
      a: 100,
      b: 200,
      isShare: false,
      limit: 105,
      functions: 1,
    });
    expect(found.error).toBeCloseTo((1.96 * Math.sqrt(2001 + 1.05 ** 2 * 1001)) / 10);
    expect(judged("self(a) > 10%", 1000, 2000)).toMatchObject({ a: 0.1, b: 0.2, isShare: true, limit: 0.1 });
  });
});
