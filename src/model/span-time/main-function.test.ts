/** The function of the largest part of a request's time. */
import { expect, it } from "vitest";
import { ofEvents, PartStacks } from "./main-function.ts";

const NAMES = ["", "one", "two", "one"];
const nearestOf = (stack: number) => NAMES[stack] ?? "";

it("is that of most samples of the part, over stacks; of events that of the longest", () => {
  const stacks = new PartStacks();
  for (const [stack, weight] of [
    [1, 2],
    [2, 3],
    [3, 2],
    [0, 9],
  ] as const)
    stacks.add("lock", stack, weight);
  const parts = [
    { part: "cpu", nano: 1n },
    { part: "lock", nano: 5n },
  ] as const;
  expect(stacks.functionOf(parts, nearestOf)).toBe("one");
  stacks.add(ofEvents("lock"), 2, 1);
  expect(stacks.functionOf(parts, nearestOf)).toBe("two");
  expect(stacks.functionOf([{ part: "gc", nano: 7n }], nearestOf)).toBe("");
  expect(stacks.functionOf([], nearestOf)).toBe("");
  // Wall samples tell of a part on CPU where no CPU sample does.
  stacks.add("runnable", 1, 1);
  expect(stacks.functionOf([{ part: "cpu", nano: 7n }], nearestOf)).toBe("one");
});
