import { describe, expect, it } from "vitest";
import type { TreeRow } from "../../core/view-types.ts";
import { openRows } from "./tree-rows.ts";

const row = (node: number, children = 0): TreeRow => ({
  node,
  name: `f${node}`,
  frameType: 1,
  children,
  total: 1n,
  self: 0n,
});

describe("openRows", () => {
  const below = new Map([
    [0, [row(1, 2), row(2, 1)]],
    [1, [row(3), row(4, 1)]],
    [4, [row(5)]],
  ]);
  const text = (open: number[]) =>
    openRows(below, new Set(open)).map((r) => `${r.level} f${r.node} ${r.position}/${r.siblings} ${r.above}`);

  it("has the children of what is open below it, in order", () => {
    expect(text([])).toEqual(["1 f1 1/2 -1", "1 f2 2/2 -1"]);
    expect(text([1, 4])).toEqual(["1 f1 1/2 -1", "2 f3 1/2 0", "2 f4 2/2 0", "3 f5 1/1 2", "1 f2 2/2 -1"]);
  });

  it("shows nothing below a closed frame, nor what was not fetched yet", () => {
    expect(text([4])).toEqual(["1 f1 1/2 -1", "1 f2 2/2 -1"]);
    expect(text([2])).toEqual(["1 f1 1/2 -1", "1 f2 2/2 -1"]);
  });
});
