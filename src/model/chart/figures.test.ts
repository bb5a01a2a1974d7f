import { expect, it } from "vitest";
import { widthWords } from "./words.ts";

const COUNTED = { unit: "count", period: 0n, periodUnit: "", measures: [] };

it("names what a sample is as wide as", () => {
  expect(widthWords({ ...COUNTED, period: 20_000_000n, periodUnit: "nanoseconds" })).toBe(
    "Width of a sample: the sampling interval, 20 ms",
  );
  const periods = [{ period: 10n, samples: 1, value: 1n }];
  expect(widthWords({ ...COUNTED, unit: "nanoseconds", periods })).toBe("Width of a sample: its sampling interval");
  expect(widthWords({ ...COUNTED, unit: "nanoseconds" })).toBe("Width of a sample: the time that it measured");
  expect(widthWords(COUNTED)).toBe("Samples have no duration: a line is a sample");
});
