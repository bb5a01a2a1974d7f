import { beforeAll, describe, expect, it } from "vitest";
import { loadPatterns, newWork } from "../../pattern/pattern.ts";
import { SpanflameError } from "../instance/error.ts";
import { foundBy } from "./find-texts.ts";
import { FunctionNames } from "./function-names.ts";

beforeAll(() => loadPatterns());

const NAMES = ["com.acme.Shop.run", "x".repeat(3000), "Run"];

describe("texts found by a pattern", () => {
  it("are marked one by one, in order", () => {
    expect(foundBy("run", NAMES)).toEqual([true, false, true]);
    expect(foundBy("x{1000}$", NAMES)).toEqual([false, true, false]);
  });

  it("are an error of the request if the pattern is refused, with its beginning", () => {
    const long = "a".repeat(5000);
    expect(() => foundBy("(", NAMES)).toThrow(/^\/\(\/ is not a supported regular expression: missing closing \): \(/);
    expect(() => foundBy(long, NAMES)).toThrow(/^\/a{100}…\/ .* at most 4,000 characters; this one has 5,000$/);
    expect(() => foundBy("(?=a)", NAMES)).toThrow(SpanflameError);
  });

  it("are an error if the patterns of a question take too much work together", () => {
    const names = new FunctionNames();
    names.refresh(1, [...NAMES.keys()], (i) => NAMES[i]!);
    const work = newWork(4000);
    expect([...names.matching("run", work)]).toEqual([0, 2]);
    expect(() => names.matching("x.{20}y", work)).toThrow(/too much work/);
    // The question after it begins with all of its work, and no half answer was kept.
    expect([...names.matching("x.{20}y")]).toEqual([]);
    expect([...names.matching("x.{20}x")]).toEqual([1]);
  });
});
