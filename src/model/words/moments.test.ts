import { describe, expect, it } from "vitest";
import {
  digitsFor,
  formatClock,
  formatDay,
  formatIso,
  formatMoment,
  formatOffset,
  formatSpan,
  zeroOf,
} from "./moments.ts";

const START = 1_763_672_349_900_000_000n;

describe("offsets", () => {
  it("are minutes and seconds, with hours where there are any", () => {
    expect(formatOffset(0, 0)).toBe("+0:00");
    expect(formatOffset(2_180_800_000_000n, 1)).toBe("+36:20.8");
    expect(formatOffset(3_723_000_000_000n, 0)).toBe("+1:02:03");
    expect(formatOffset(-250_000_000, 3)).toBe("−0:00.250");
  });

  it("carry when they are rounded, and never show 60 seconds", () => {
    expect(formatOffset(59_999_999_999n, 3)).toBe("+1:00.000");
    expect(formatOffset(3_599_999_999_999n, 0)).toBe("+1:00:00");
    expect(formatOffset(-1, 0)).toBe("+0:00");
  });
});

describe("spans", () => {
  it("are a beginning and a duration", () => {
    expect(formatSpan(2_180_800_000_000n, 2_201_800_000_000n)).toBe("+36:20.8 · 21 s");
    expect(formatSpan(12_310_000_000n, 14_100_000_000n)).toBe("+0:12.31 · 1.79 s");
    expect(formatSpan(12_310_456_000n, 12_311_456_000n)).toBe("+0:12.31046 · 1 ms");
    expect(formatSpan(0n, 7_200_000_000_000n)).toBe("+0:00 · 2 h");
  });
});

describe("clocks", () => {
  it("are those of UTC, cut like a clock", () => {
    expect(formatClock(START, 1)).toBe("20:59:09.9");
    expect(formatClock(START, 0)).toBe("20:59:09");
    expect(formatDay(START)).toBe("2025-11-20");
    expect(formatMoment(START, 1)).toBe("2025-11-20 20:59:09.9 UTC");
    expect(formatIso(START, 1)).toBe("2025-11-20T20:59:09.9Z");
    expect(formatMoment((1n << 63n) - 1n)).toBe("2262-04-11 23:47:16 UTC");
  });

  it("say nothing of what is no date", () => {
    expect(formatClock(0n, 0)).toBe("");
    expect(formatDay(1n << 90n)).toBe("");
    expect([formatMoment(0n), formatMoment(1n << 90n), formatIso(0n, 3)]).toEqual(["", "", ""]);
  });
});

describe("zeroOf", () => {
  it("is the beginning of the row that a moment lies in, or of the first one", () => {
    const rows = [{ from: 10n }, { from: 100n }];
    expect(zeroOf(rows, 120n)).toBe(100n);
    expect(zeroOf(rows, 99n)).toBe(10n);
    expect(zeroOf(rows, 3n)).toBe(10n);
    expect(zeroOf([], 3n)).toBeNull();
  });
});

it("digits tell moments apart", () => {
  expect(digitsFor(1e9)).toBe(0);
  expect(digitsFor(2e8)).toBe(1);
  expect(digitsFor(1e6)).toBe(3);
  expect(digitsFor(1)).toBe(9);
});
