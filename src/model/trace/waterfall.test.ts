import { expect, test } from "vitest";
import { showsTrace } from "./shows-trace.ts";
import { axisOf, labelPlace, nextPlace, openedTo, serviceHue, shownPlaces, unrecorded } from "./waterfall.ts";

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

test("ticks are at round times, and those without room are left out", () => {
  const { ticks, step } = axisOf(169_000_000, 400);
  expect(ticks.map(({ text }) => text)).toEqual(["0", "50 ms", "100 ms"]);
  expect(step).toBeCloseTo(50 / 169);
  expect(
    axisOf(169_000_000, 1000)
      .ticks.map(({ text }) => text)
      .slice(0, 3),
  ).toEqual(["0", "20 ms", "40 ms"]);
  expect(axisOf(0, 400).ticks).toEqual([]);
  expect(axisOf(169, 0).ticks).toEqual([]);
});

test("a label is after its bar, else inside, else before", () => {
  expect(labelPlace({ from: 0, to: 50 }, 100, 400, 90)).toBe("after");
  expect(labelPlace({ from: 0, to: 90 }, 100, 400, 90)).toBe("inside");
  expect(labelPlace({ from: 95, to: 98 }, 100, 400, 90)).toBe("before");
  expect(labelPlace({ from: 0, to: 0 }, 0, 400, 90)).toBeNull();
});

test("a service is without a recording if all of its spans are", () => {
  const reasons = ["short", "other-process"] as const;
  const of = { serviceOf: Uint32Array.from([4, 5, 6, 5, 6]), reason: Uint8Array.from([0, 2, 1, 2, 2]), reasons };
  expect([...unrecorded(of)]).toEqual([5]);
});

test("a trace is shown by its id, by an id of the filter, or because it is the only one", () => {
  expect(showsTrace({ id: "" }, {}, 2)).toBe(false);
  expect(showsTrace({ id: "5c" }, {}, 2)).toBe(true);
  expect(showsTrace({ id: "" }, { localRoot: 5n }, 2)).toBe(true);
  expect(showsTrace({ id: "" }, {}, 1)).toBe(true);
  expect(showsTrace({ id: "all" }, { span: 5n }, 1)).toBe(false);
});
