import { describe, expect, it } from "vitest";
import { histogramOf } from "./histogram.ts";

const counted = (values: number[]) => histogramOf(values).map(({ from, to, count }) => [from, to, count]);

describe("a histogram", () => {
  it("has steps of 1, 2 or 5 times a power of ten, of which the first and the last have values", () => {
    const values = Array.from({ length: 100 }, (_, i) => 7 + 3 * i);
    const bins = histogramOf(values);
    expect(bins.map(({ to, from }) => to - from)).toEqual(bins.map(() => 10));
    expect([bins[0]?.from, bins.at(-1)?.to]).toEqual([0, 310]);
    for (const bin of [bins[0], bins.at(-1)]) expect(bin?.count).toBeGreaterThan(0);
    for (const { from, to, count } of bins)
      expect(count).toBe(values.filter((value) => value >= from && value < to).length);
  });

  it("grows by 1, 2, 5 and 10 where few values are far above the others", () => {
    const bins = counted([1, 1, 1, 2, 3, 900, 5000]);
    expect(bins[0]).toEqual([1, 2, 3]);
    expect(bins.at(-1)).toEqual([5000, 10_000, 1]);
    expect(bins.map(([from]) => from)).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]);
    expect(bins.reduce((sum, [, , count = 0]) => sum + count, 0)).toBe(7);
  });

  it("of bytes has powers of two", () => {
    const steps = new Set(histogramOf([3000, 5000, 100_000], "bytes").map(({ from, to }) => to - from));
    expect([...steps]).toEqual([4096]);
    const growing = histogramOf([1, 1, 1, 4, 2 ** 20], "bytes").map(({ from }) => from);
    expect(growing).toEqual(Array.from({ length: 21 }, (_, i) => 2 ** i));
  });

  it("has one bin of one value, also of 0 and of negative ones, and none of none", () => {
    expect(counted([])).toEqual([]);
    for (const value of [0, 7, -7, 1e18, 0.25]) {
      const bins = histogramOf([value, value]);
      expect(bins.map(({ count }) => count)).toEqual([2]);
      expect(bins[0]?.from).toBeLessThanOrEqual(value);
      expect(bins[0]?.to).toBeGreaterThan(value);
    }
  });

  it("has at most some forty bins, and each value is in one", () => {
    for (const values of [
      [1, 1e15],
      [1, 1, 1e15],
      [-5, 0, 1e9],
      [0, 0, 0, 1e9],
    ]) {
      const bins = histogramOf(values);
      expect(bins.length).toBeLessThanOrEqual(48);
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bins.every(({ from, to }, i) => to > from && from === (bins[i - 1]?.to ?? from))).toBe(true);
    }
  });
});
