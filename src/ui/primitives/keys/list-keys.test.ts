import { expect, it } from "vitest";
import { rowForKey } from "./list-keys.ts";

it.each([
  ["ArrowDown", 3, 4],
  ["ArrowDown", 9, 9],
  ["ArrowUp", 0, 0],
  ["PageDown", 3, 7],
  ["PageDown", 8, 9],
  ["PageUp", 3, 0],
  ["Home", 5, 0],
  ["End", 5, 9],
  ["Enter", 5, null],
])("%s leads from row %i of 10 to %s", (key, active, to) => {
  expect(rowForKey(key, active, 10, 4)).toBe(to);
});

it("stays at the first row of an empty list", () => {
  expect(["ArrowDown", "ArrowUp", "End"].map((key) => rowForKey(key, 0, 0, 4))).toEqual([0, 0, 0]);
});
