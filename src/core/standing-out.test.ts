import { describe, expect, it } from "vitest";
import { standingOut } from "./standing-out.ts";

const count = (value: string, samples: number) => ({ key: "tenant", value, samples });

describe("what stands out", () => {
  it("is what the selection has more often, or less often, than the rest", () => {
    const found = standingOut([count("acme", 90)], 100, [count("acme", 190), count("globex", 500)], 1000);
    expect(found.map(({ value, share }) => [value, share])).toEqual([
      ["acme", 0.9],
      ["globex", 0],
    ]);
    expect(found[0]?.restShare).toBeCloseTo(100 / 900);
    expect(found[0]?.deviations).toBeGreaterThan(10);
    expect(found[1]?.deviations).toBeLessThan(-3);
  });

  it("is nothing where chance explains it, or there is no rest", () => {
    expect(standingOut([count("acme", 3)], 10, [count("acme", 250)], 1000)).toEqual([]);
    expect(standingOut([count("acme", 10)], 10, [count("acme", 10)], 10)).toEqual([]);
    expect(standingOut([], 0, [count("acme", 10)], 10)).toEqual([]);
  });
});
