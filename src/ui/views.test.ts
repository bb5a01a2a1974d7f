import { expect, it } from "vitest";
import { VIEWS } from "../model/query/query.ts";
import { unmetNeed, VIEW_ROWS, viewOf } from "./views.ts";

it("has a row for each view of the address, in the order of the tabs", () => {
  expect(VIEW_ROWS.map(({ id }) => id)).toEqual(VIEWS);
  expect(viewOf("tree")).toMatchObject({ id: "tree", label: "Tree" });
});

it("says what of a selection a view lacks", () => {
  const lacks = (samples: number, value: bigint) => VIEWS.map((id) => unmetNeed(viewOf(id), { samples, value }));
  expect(new Set(lacks(0, 0n))).toEqual(new Set(["samples"]));
  // Why tells of samples that weigh nothing.
  expect(VIEWS.filter((_, at) => lacks(2, 0n)[at] === null)).toEqual(["why"]);
  expect(new Set(lacks(2, 7n))).toEqual(new Set([null]));
});
