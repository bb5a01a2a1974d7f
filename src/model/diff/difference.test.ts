import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chanceOf,
  countedSide,
  deviationsOf,
  differenceOf,
  excessOf,
  isBeyondChance,
  type Side,
  significant,
} from "./difference.ts";

const shares = (part: number, whole: number, basePart: number, baseWhole: number) =>
  isBeyondChance(countedSide(part, whole), countedSide(basePart, baseWhole));

/** `count` samples of one weight in so many seconds. */
const rate = (count: number, seconds: number, weight = 1): Side => ({
  value: count * weight,
  squares: count * weight ** 2,
  per: seconds,
  perSquares: 0,
});

describe("a difference beyond chance", () => {
  it("of shares is found by the samples of both", () => {
    expect(shares(1, 10, 0, 10)).toBe(false);
    expect(shares(5, 10, 0, 10)).toBe(true);
    expect(shares(52, 100, 48, 100)).toBe(false);
    expect(shares(5200, 10_000, 4800, 10_000)).toBe(true);
    expect(shares(0, 0, 5, 10)).toBe(false);
    expect(shares(10, 10, 10, 10)).toBe(false);
  });

  it("of rates depends on how long was measured", () => {
    expect(isBeyondChance(rate(20, 10), rate(5, 10))).toBe(true);
    expect(isBeyondChance(rate(20, 40), rate(5, 10))).toBe(false);
    // Nothing in one second is no evidence against 5 in a hundred.
    expect(isBeyondChance(rate(0, 1), rate(5, 100))).toBe(false);
    expect(isBeyondChance(rate(0, 100), rate(5, 100))).toBe(true);
  });

  it("does not depend on the unit of the weights", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.integer({ min: 1, max: 100 }), (a, b, weight) => {
        expect(deviationsOf(rate(a, 3, weight), rate(b, 5, weight))).toBeCloseTo(deviationsOf(rate(a, 3), rate(b, 5)));
      }),
    );
  });

  it("is not one heavy observation among many light ones", () => {
    const waits: Side = { value: 1000 + 2000, squares: 1000 + 2000 ** 2, per: 10, perSquares: 0 };
    const calm: Side = { value: 1000, squares: 1000, per: 10, perSquares: 0 };
    expect(isBeyondChance(waits, calm)).toBe(false);
    expect(isBeyondChance(rate(3000, 10), calm)).toBe(true);
  });
});

describe("the interval of a change", () => {
  it("contains the truth about 95 times of 100", () => {
    // Poisson numbers by sums of exponential distances, from a fixed sequence.
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const poisson = (mean: number) => {
      let count = -1;
      for (let sum = 0; sum < mean; count++) sum -= Math.log(random());
      return count;
    };
    let inside = 0;
    const rounds = 2000;
    for (let i = 0; i < rounds; i++) {
      const { relative, relativeError } = differenceOf(rate(poisson(60), 10), rate(poisson(50), 10));
      if (Math.abs((relative ?? 0) - 0.2) <= (relativeError ?? 0)) inside++;
    }
    expect(inside / rounds).toBeGreaterThan(0.93);
    expect(inside / rounds).toBeLessThan(0.98);
  });

  it("of a value that is new has no relative part", () => {
    const { value, base, relative, relativeError, error } = differenceOf(rate(8, 2), rate(0, 2));
    expect([value, base, relative, relativeError]).toEqual([4, 0, null, null]);
    expect(error).toBeCloseTo((1.96 * Math.sqrt(8 + 1 + 1)) / 2);
  });

  it("is that of the excess over a limit", () => {
    const [side, base] = [rate(130, 10), rate(100, 10)];
    const { value, base: other, error } = differenceOf(side, base);
    expect(excessOf(side, base, 1, 0)).toEqual({ excess: value - other, error });
    expect(excessOf(side, base, 1.05, 0).excess).toBeCloseTo(13 - 10.5);
    expect(excessOf(side, base, 0, 12)).toEqual(excessOf(side, rate(100, 10), 0, 12));
  });
});

it("the probability of chance is that of the normal distribution", () => {
  const known = { 1: 0.317_310_5, 1.96: 0.049_995_8, 3: 0.002_699_8, 5: 5.733e-7 };
  for (const [z, p] of Object.entries(known)) expect(chanceOf(Number(z)) / p).toBeCloseTo(1, 3);
  expect(chanceOf(0)).toBe(1);
});

it("of many tests only some are significant", () => {
  expect(significant([])).toEqual([]);
  expect(significant([2.5])).toEqual([true]);
  const many = Array.from({ length: 100 }, () => 0.5);
  expect(significant([2.5, ...many])[0]).toBe(false);
  expect(significant([5, ...many])[0]).toBe(true);
  expect(significant([50, ...many])[0]).toBe(true);
  expect(significant(many)).not.toContain(true);
});
