import { describe, expect, it } from "vitest";
import { FrameBudget } from "./frame-budget.ts";

describe("the budget of frames", () => {
  it("starts in the middle and follows the machine within its bounds", () => {
    const budget = new FrameBudget();
    const first = budget.frames();
    budget.drew(first, first / 1000);
    const fast = budget.frames();
    for (let i = 0; i < 8; i++) budget.drew(fast, fast);
    const slow = budget.frames();
    expect([slow < first, first < fast]).toEqual([true, true]);
    budget.drew(slow, 1e6);
    expect(budget.frames()).toBe(slow);
  });

  it("settles where a drawing takes what it may", () => {
    const budget = new FrameBudget();
    for (let i = 0; i < 20; i++) budget.drew(budget.frames(), budget.frames() * 0.02);
    expect(budget.frames()).toBe(500);
  });

  it("learns nothing from a handful of frames or a clock that stands", () => {
    const budget = new FrameBudget();
    const first = budget.frames();
    budget.drew(5, 100);
    budget.drew(1000, 0);
    budget.drew(1000, Number.NaN);
    expect(budget.frames()).toBe(first);
  });
});
