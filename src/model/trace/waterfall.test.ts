import { expect, test } from "vitest";
import { nextPlace, openedTo, serviceHue, shownPlaces } from "./waterfall.ts";

/** 0 ─ 1 ─ 2, 0 ─ 3, and a second root 4. */
const TREE = { up: Int32Array.from([-1, 0, 1, 0, -1]), size: Uint32Array.from([4, 2, 1, 1, 1]) };

test("spans below closed ones are left out", () => {
  expect([...shownPlaces(TREE, new Set())]).toEqual([0, 1, 2, 3, 4]);
  expect([...shownPlaces(TREE, new Set([1]))]).toEqual([0, 1, 3, 4]);
  expect([...shownPlaces(TREE, new Set([0, 1]))]).toEqual([0, 4]);
});

test("opening to a span opens those above it, and no others", () => {
  expect([...openedTo(TREE, new Set([0, 1, 3]), 2)]).toEqual([3]);
  expect([...openedTo(TREE, new Set([1]), 1)]).toEqual([1]);
});

test("the next place goes around the ends", () => {
  expect(nextPlace([1, 3], 1, 1)).toBe(3);
  expect(nextPlace([1, 3], 3, 1)).toBe(1);
  expect(nextPlace([1, 3], 0, -1)).toBe(3);
  expect(nextPlace([], 0, 1)).toBeUndefined();
});

test("hues of eight services are at least 20 degrees apart", () => {
  const hues = Array.from({ length: 8 }, (_, i) => serviceHue(i)).sort((a, b) => a - b);
  for (const [i, hue] of hues.entries()) expect((hues[(i + 1) % 8]! - hue + 360) % 360).toBeGreaterThan(20);
});
