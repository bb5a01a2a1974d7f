/** The critical path as stretches of time, of trees that are drawn. */
import { expect, test } from "vitest";
import { type DrawnSpan, drawn, ENTRIES } from "../../../test/kit/span-table.ts";
import { criticalPath, selfStretches } from "./times.ts";
import { traceTree } from "./tree.ts";

/** `2 30..90` for each stretch, in the order of time. */
function pathOf(spans: readonly [id: number, parent: number, start: number, end: number][]): string[] {
  const table = spans.map(([id, parent, start, end]): DrawnSpan => {
    return { id: BigInt(id), parent: BigInt(parent), start: BigInt(start), end: BigInt(end) };
  });
  const tree = traceTree(drawn(table), Uint32Array.from(table.keys()), ENTRIES);
  const path = criticalPath(tree, tree, tree.id, [0, tree.count]);
  return path.map(({ place, from, to }) => `${tree.id[place]} ${from}..${to}`);
}

test("a root alone is its own critical path", () => {
  expect(pathOf([[1, 0, 0, 100]])).toEqual(["1 0..100"]);
});

test("children one after the other, with the time between them", () => {
  const spans: Parameters<typeof pathOf>[0] = [
    [1, 0, 0, 100],
    [2, 1, 10, 40],
    [3, 1, 50, 90],
    [4, 3, 60, 70],
  ];
  expect(pathOf(spans)).toEqual(["1 0..10", "2 10..40", "1 40..50", "3 50..60", "4 60..70", "3 70..90", "1 90..100"]);
});

test("of concurrent children, that which ended last, and before its start that which ended last before", () => {
  const spans: Parameters<typeof pathOf>[0] = [
    [1, 0, 0, 100],
    [2, 1, 10, 80],
    [3, 1, 40, 90],
    [4, 1, 5, 30],
  ];
  expect(pathOf(spans)).toEqual(["1 0..5", "4 5..30", "1 30..40", "3 40..90", "1 90..100"]);
});

test("an asynchronous child that outlasts its parent is cut at the parent's end; one after it is not on the path", () => {
  const outlasting: Parameters<typeof pathOf>[0] = [
    [1, 0, 0, 100],
    [2, 1, 60, 300],
    [3, 2, 250, 300],
  ];
  expect(pathOf(outlasting)).toEqual(["1 0..60", "2 60..100"]);
  expect(
    pathOf([
      [1, 0, 0, 100],
      [2, 1, 100, 300],
    ]),
  ).toEqual(["1 0..100"]);
});

test("each root has a path, and a range of places has those of its own roots", () => {
  const table = [1, 2].map((id): DrawnSpan => ({ id: BigInt(id), start: BigInt(10 * id), end: BigInt(10 * id + 5) }));
  const tree = traceTree(drawn(table), Uint32Array.from(table.keys()), ENTRIES);
  expect(criticalPath(tree, tree, tree.id, [0, 2]).map(({ place }) => place)).toEqual([0, 1]);
  expect(criticalPath(tree, tree, tree.id, [1, 2])).toEqual([{ place: 1, from: 20n, to: 25n }]);
});

test("the self time of a span is in stretches between its children, which a child without a length does not cut", () => {
  const table = [
    [1, 0, 0, 100],
    [2, 1, 10, 40],
    [3, 1, 30, 50],
    [4, 1, 60, 60],
    [5, 1, 80, 300],
  ].map(([id = 0, parent = 0, start = 0, end = 0]): DrawnSpan => {
    return { id: BigInt(id), parent: BigInt(parent), start: BigInt(start), end: BigInt(end) };
  });
  const tree = traceTree(drawn(table), Uint32Array.from(table.keys()), ENTRIES);
  expect(selfStretches(tree, tree, 0)).toEqual([
    [0n, 10n],
    [50n, 80n],
  ]);
  expect(tree.self[0]).toBe(40n);
});
