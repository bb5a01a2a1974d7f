/** Plans of who reads which chunk: how long the reading takes by them, in chunks of one size. */
import { describe, expect, it } from "vitest";
import { planOf } from "./chunk-plan.ts";

/** The time of a plan in which each core reads its chunks one after the other, and merging costs a fifth of reading. */
function timeOf(sizes: readonly number[], plan: readonly (number | null)[], start: number): number {
  const free = new Map<number, number>();
  let merged = 0;
  for (const [i, bytes] of sizes.entries()) {
    const by = plan[i] ?? null;
    if (by === null) {
      merged += bytes;
      continue;
    }
    const read = (free.get(by) ?? start) + bytes;
    free.set(by, read);
    merged = Math.max(merged, read) + 0.2 * bytes;
  }
  return merged;
}

const equal = (n: number) => Array.from({ length: n }, () => 1);

describe("the plan of chunks", () => {
  it.each([
    [5, 1, 3.4],
    [15, 1, 8.7],
    [100, 1, 56.5],
    [100, 3, 38],
  ])("of %i chunks and %i other cores takes the time of %f", (chunks, others, most) => {
    const plan = planOf(equal(chunks), others, 0);
    expect(timeOf(equal(chunks), plan, 0)).toBeLessThanOrEqual(most);
    expect(Math.max(...plan.map((by) => by ?? 0))).toBeLessThan(others);
  });

  it("gives the others nothing where one core is as fast", () => {
    expect(planOf([1], 1, 0)).toEqual([null]);
    expect(planOf(equal(4), 1, 4)).toEqual([null, null, null, null]);
    expect(planOf(equal(4), 0, 0)).toEqual([null, null, null, null]);
    expect(planOf([2 ** 29 + 1, 2 ** 29 + 1], 1, 0)).toEqual([null, null]);
  });

  it("is never slower than one core, whatever the sizes", () => {
    for (let seed = 1; seed <= 200; seed++) {
      let state = seed;
      const next = () => {
        state = (state * 48271) % 2147483647;
        return state;
      };
      const sizes = Array.from({ length: 1 + (next() % 20) }, () => 1 + (next() % 1000));
      const others = 1 + (next() % 4);
      const start = next() % 2000;
      const time = timeOf(sizes, planOf(sizes, others, start), start);
      expect(time).toBeLessThanOrEqual(sizes.reduce((sum, bytes) => sum + bytes, 0));
    }
  });
});
