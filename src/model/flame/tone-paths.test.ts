import { expect, it } from "vitest";
import { JDK, NATIVE, type Tone } from "./colour.ts";
import { innerWidth, TonePaths } from "./tone-paths.ts";

it("boxes of one colour are one path", () => {
  const paths = new TonePaths<Tone>();
  paths.add(JDK, 0, 20, 10.04, 19);
  paths.add(NATIVE, 10.04, 20, 0.5, 19);
  paths.add(JDK, 11, 40, 2, 19);
  expect(paths.paths()).toEqual([
    [JDK, "M0 20h10v19h-10zM11 40h2v19h-2z"],
    [NATIVE, "M10 20h0.5v19h-0.5z"],
  ]);
});

it("a gap is a pixel, or a fifth of a narrow box", () => {
  expect(innerWidth(20)).toBe(19);
  expect(innerWidth(0.5)).toBe(0.4);
});
