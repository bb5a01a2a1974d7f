import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellStrength, durationRow } from "./density.ts";

describe("rows of durations", () => {
  it("ascend from 0 ms to the longest", () => {
    const ms = fc.nat(100_000_000);
    fc.assert(
      fc.property(ms, ms, ms, fc.integer({ min: 1, max: 100 }), (a, b, c, rows) => {
        const [short, middle, longest] = [a, b, c].sort((x, y) => x - y) as [number, number, number];
        const row = (duration: number) => durationRow(duration, longest, rows);
        expect(row(0)).toBe(0);
        expect(row(short)).toBeLessThanOrEqual(row(middle));
        expect(row(longest)).toBeLessThan(rows);
        expect(row(longest)).toBeGreaterThanOrEqual(Math.floor(rows / 2));
      }),
    );
  });
});

it("a single call is seen beside many", () => {
  expect(cellStrength(0, 5)).toBe(0);
  expect(cellStrength(1, 1)).toBe(1);
  expect(cellStrength(1, 1e6)).toBe(0.4);
  expect(cellStrength(1e6, 1e6)).toBe(1);
});
