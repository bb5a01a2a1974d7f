import { describe, expect, it } from "vitest";
import { tickStep, ticks } from "./axis.ts";

const SECOND = 1_000_000_000;
const ZERO = 1_763_672_349_900_000_000n;

describe("steps", () => {
  it.each([
    [10, 10, 1],
    [0.0034, 10, 0.0005],
    [4, 10, 0.5],
    [21, 10, 5],
    [100, 10, 10],
    [130, 10, 15],
    [290, 10, 30],
    [601, 10, 120],
    [3600, 10, 600],
    [4 * 3600, 10, 30 * 60],
    [7 * 3600, 10, 3600],
    [90 * 3600, 10, 10 * 3600],
    [101 * 3600, 10, 24 * 3600],
    [90 * 86_400, 10, 10 * 86_400],
  ])("of %d s with at most %d ticks are %d s", (span, most, step) => {
    expect(tickStep(span * SECOND, most) / SECOND).toBeCloseTo(step, 9);
  });

  it("are never so short that more ticks fit, whatever the span", () => {
    for (let span = 1e6; span < 1e19; span *= 1.37) {
      for (const most of [3, 7, 12]) {
        const step = tickStep(span, most);
        expect(span / step).toBeLessThanOrEqual(most * (1 + 1e-9));
        // And not needlessly long: a seventh of them at least, because a day follows 10 h.
        expect(span / step).toBeGreaterThan(most / 7);
      }
    }
  });
});

describe("ticks", () => {
  it("are at round offsets from the beginning of the file, with the clock", () => {
    const shown = { from: ZERO + 9_500_000_000n, to: ZERO + 31_000_000_000n };
    expect(ticks(shown, ZERO, 5)).toEqual([
      { index: 2, at: 0.5 / 21.5, offset: "+0:10", clock: "20:59:19" },
      { index: 3, at: 5.5 / 21.5, offset: "+0:15", clock: "20:59:24" },
      { index: 4, at: 10.5 / 21.5, offset: "+0:20", clock: "20:59:29" },
      { index: 5, at: 15.5 / 21.5, offset: "+0:25", clock: "20:59:34" },
      { index: 6, at: 20.5 / 21.5, offset: "+0:30", clock: "20:59:39" },
    ]);
  });

  it("begin with the beginning, and are as exact as their step", () => {
    const [first, second] = ticks({ from: ZERO, to: ZERO + 40_000_000n }, ZERO, 10);
    expect(first).toEqual({ index: 0, at: 0, offset: "+0:00.000", clock: "20:59:09.900" });
    expect(second?.offset).toBe("+0:00.005");
  });
});
