import { expect, it } from "vitest";
import { spanLanes } from "./span-lanes.ts";

/** Rows of [place of the parent, spans of the subtree, from, to]. */
const spansOf = (rows: [up: number, size: number, from: number, to: number][]) => ({
  up: Int32Array.from(rows, ([up]) => up),
  size: Uint32Array.from(rows, ([, size]) => size),
  from: Float64Array.from(rows, ([, , from]) => from),
  length: Float64Array.from(rows, ([, , from, to]) => to - from),
});

const placed = ({ lane, depth }: ReturnType<typeof spanLanes>) => Array.from(lane, (at, i) => `${at}:${depth[i]}`);

it("puts children that follow each other below their parent", () => {
  const found = spanLanes(
    spansOf([
      [-1, 4, 0, 100],
      [0, 2, 0, 50],
      [1, 1, 10, 20],
      [0, 1, 50, 90],
    ]),
    4,
  );
  expect(placed(found)).toEqual(["0:0", "0:1", "0:2", "0:1"]);
  expect([found.lanes, found.left]).toEqual([1, 0]);
});

it("begins another lane for a span beside the one before, with all below it", () => {
  const spans = spansOf([
    [-1, 5, 0, 100],
    [0, 1, 0, 50],
    [0, 2, 20, 70],
    [2, 1, 30, 40],
    [0, 1, 80, 90],
  ]);
  expect(placed(spanLanes(spans, 4))).toEqual(["0:0", "0:1", "1:0", "1:1", "0:1"]);
  const few = spanLanes(spans, 1);
  expect(placed(few)).toEqual(["0:0", "0:1", "-1:0", "-1:0", "0:1"]);
  expect(few.left).toBe(2);
});
