import { expect, it } from "vitest";
import { VIEWS } from "../model/query/query.ts";
import { shownView, unmetNeed, VIEW_ROWS, viewOf, viewsOf } from "./views.ts";

it("has a row for each view of the address, in the order of the tabs", () => {
  expect(VIEW_ROWS.map(({ id }) => id)).toEqual(VIEWS);
  expect(viewOf("tree")).toMatchObject({ id: "tree", label: "Tree" });
});

it("has a list of calls and their chart for dumps only", () => {
  const ids = viewsOf(false).map(({ id }) => id);
  expect([ids.includes("calls"), ids.includes("chart")]).toEqual([false, false]);
  expect(viewsOf(true)[0]?.id).toBe("calls");
  expect(viewsOf(true).map(({ id }) => id)).not.toContain("why");
  expect([shownView("calls", false).id, shownView("calls", true).id]).toEqual(["flame", "calls"]);
});

it("says what of a selection a view lacks", () => {
  const lacks = (samples: number, value: bigint) => VIEWS.map((id) => unmetNeed(viewOf(id), { samples, value }));
  // The list of calls and their chart need no samples.
  expect(VIEWS.filter((_, at) => lacks(0, 0n)[at] !== "samples")).toEqual(["calls", "chart"]);
  // Why tells of samples that weigh nothing.
  expect(VIEWS.filter((_, at) => lacks(2, 0n)[at] === null)).toEqual(["calls", "chart", "why"]);
  expect(new Set(lacks(2, 7n))).toEqual(new Set([null]));
});
