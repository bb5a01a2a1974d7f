import { expect, it } from "vitest";
import { VIEWS } from "../model/query/query.ts";
import { shownView, unmetNeed, VIEW_ROWS, viewOf, viewsOf } from "./views.ts";

it("has a row for each view of the address, in the order of the tabs", () => {
  expect(VIEW_ROWS.map(({ id }) => id)).toEqual(VIEWS);
  expect(viewOf("tree")).toMatchObject({ id: "tree", label: "Tree" });
});

it("has a list of calls for dumps only", () => {
  expect(viewsOf(false).map(({ id }) => id)).not.toContain("calls");
  expect(viewsOf(true)[0]?.id).toBe("calls");
  expect([shownView("calls", false).id, shownView("calls", true).id]).toEqual(["flame", "calls"]);
});

it("says what of a selection a view lacks", () => {
  const lacks = (samples: number, value: bigint) => VIEWS.map((id) => unmetNeed(viewOf(id), { samples, value }));
  // The list of calls needs no samples.
  expect(VIEWS.filter((_, at) => lacks(0, 0n)[at] !== "samples")).toEqual(["calls"]);
  // Why tells of samples that weigh nothing.
  expect(VIEWS.filter((_, at) => lacks(2, 0n)[at] === null)).toEqual(["calls", "why"]);
  expect(new Set(lacks(2, 7n))).toEqual(new Set([null]));
});
