import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatEstimate,
  formatFigure,
  formatNanos,
  formatPercent,
  formatValue,
} from "./format.ts";

const CPU = profileSummary({ type: "cpu", periodType: "cpu", periodUnit: "nanoseconds", period: 10_000_000n });

describe("counts", () => {
  it("separates thousands and minds the singular", () => {
    expect(formatCount(14202)).toBe("14,202");
    expect(formatCount(9_007_199_254_740_993n)).toBe("9,007,199,254,740,993");
    expect(formatCounted(1, "sample")).toBe("1 sample");
    expect(formatCounted(0n, "entry", "entries")).toBe("0 entries");
  });
});

describe("values", () => {
  it("takes the unit into account", () => {
    expect(formatValue(341, "samples")).toBe("341 samples");
    expect(formatValue(3_420_000_000n, "nanoseconds")).toBe("3.42 s");
    expect(formatValue(1_258_291, "bytes")).toBe("1.2 MiB");
    expect(formatValue(7, "widgets")).toBe("7 widgets");
  });

  it("steps through times", () => {
    expect(formatNanos(0)).toBe("0 ns");
    expect(formatNanos(999)).toBe("999 ns");
    expect(formatNanos(1_500)).toBe("1.5 µs");
    expect(formatNanos(12_345_678)).toBe("12.3 ms");
    expect(formatNanos(90e9)).toBe("90 s");
    expect(formatNanos(119.4e9)).toBe("119 s");
    expect(formatNanos(150e9)).toBe("2 min 30 s");
    expect(formatNanos(7200e9)).toBe("2 h");
    expect(formatNanos(3_599_600_000_000)).toBe("1 h");
    expect(formatNanos(47 * 3600e9 + 59.6 * 60e9)).toBe("2 d");
    expect(formatNanos(1_000_000e9)).toBe("11 d 14 h");
    expect(formatNanos(39_459 * 3600e9)).toBe("4.5 years");
  });

  it("never shows 1,000 of a unit that has a bigger one", () => {
    expect(formatNanos(999_999)).toBe("1 ms");
    expect(formatBytes(1024 * 1024 - 1)).toBe("1 MiB");
  });

  it("steps through sizes", () => {
    expect(formatBytes(1023)).toBe("1,023 B");
    expect(formatBytes(1536)).toBe("1.5 KiB");
    expect(formatBytes(5n * 1024n ** 4n)).toBe("5 TiB");
  });
});

describe("shares", () => {
  it("says 0 and 100 only when true", () => {
    expect(formatPercent(0, 10)).toBe("0 %");
    expect(formatPercent(10n, 10n)).toBe("100 %");
    expect(formatPercent(1, 100_000)).toBe("<0.1 %");
    expect(formatPercent(99_999, 100_000)).toBe(">99.9 %");
    expect(formatPercent(24, 1000)).toBe("2.4 %");
    expect(formatPercent(5, 0)).toBe("0 %");
  });
});

describe("formatEstimate", () => {
  it("multiplies samples by their period, where there is one", () => {
    expect(formatEstimate(341, CPU)).toBe("≈ 3.41 s");
    expect(formatEstimate(341, { ...CPU, period: 0n })).toBeNull();
    expect(formatEstimate(341, { ...CPU, unit: "bytes", periodUnit: "bytes" })).toBeNull();
  });
});

it("writes counts that are too long for a column with three digits and a unit", () => {
  const counts = profileSummary({ type: "x", unit: "count" });
  const figures = [9_999_999, 10_000_000, 1_234_567_890, 98_765_432_100, -45_600_000];
  expect(figures.map((n) => formatFigure(n, counts))).toEqual(["9,999,999", "10 M", "1.23 G", "98.8 G", "-45.6 M"]);
});
