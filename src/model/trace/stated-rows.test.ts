import { expect, test } from "vitest";
import { drawn, ENTRIES } from "../../../test/kit/span-table.ts";
import type { RankPage, RankRow } from "../../core/rank-types.ts";
import { slowestFirst, statedPage } from "./stated-rows.ts";
import { traceTree } from "./tree.ts";

const TREE = traceTree(
  drawn([
    { id: 1n, start: 0n, end: 30n },
    { id: 2n, start: 5n, end: 95n },
  ]),
  Uint32Array.from([0, 1]),
  ENTRIES,
);

/** Rows by the extent of their samples: 9 is in no trace. */
const ROWS = [
  { id: 9n, first: 10n, last: 60n },
  { id: 1n, first: 10n, last: 30n },
  { id: 2n, first: 10n, last: 11n },
] as RankRow[];

function rank(offset: number, limit: number): RankPage {
  return { count: ROWS.length, offset, heaviest: 1n, rows: ROWS.slice(offset, offset + limit) };
}

test("rows have the duration that the trace states, in the order of the ranking", () => {
  const { rows } = statedPage({ tree: TREE, isStated: () => true, atLeast: false }, { sort: "weight" }, [1, 5], rank);
  expect(rows.map(({ id, stated }) => [id, stated])).toEqual([
    [1n, 30n],
    [2n, 90n],
  ]);
});

test("by duration they are in the order of what is shown", () => {
  const ids = (reversed: boolean, offset: number) =>
    statedPage(
      { tree: TREE, isStated: () => true, atLeast: false },
      { sort: "duration", reversed },
      [offset, 2],
      rank,
    ).rows.map(({ id }) => id);
  expect(ids(false, 0)).toEqual([2n, 9n]);
  expect(ids(false, 2)).toEqual([1n]);
  expect(ids(true, 0)).toEqual([1n, 9n]);
});

test("endpoints are in the order of the p95 that is shown, those without one last", () => {
  const named = ["/a", "/b", "/c"].map((label) => ({ label }) as RankRow);
  const page = (offset: number, limit: number): RankPage => ({
    ...rank(0, 0),
    offset,
    rows: named.slice(offset, offset + limit),
  });
  const times = [
    { endpoint: "/a", p95: 5 },
    { endpoint: "/c", p95: 7 },
  ];
  const labels = (reversed: boolean, offset: number) =>
    slowestFirst(times, { reversed }, [offset, 2], page).rows.map(({ label }) => label);
  expect(labels(false, 0)).toEqual(["/c", "/a"]);
  expect(labels(false, 2)).toEqual(["/b"]);
  expect(labels(true, 0)).toEqual(["/b", "/a"]);
});
