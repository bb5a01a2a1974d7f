/** The table of operations: percentiles, means per span, order. */
import { expect, it } from "vitest";
import { halves } from "./distinct.ts";
import { operationTable, placesByName, requestValues, type SpanPoints, sortedOperations } from "./operations.ts";

/** `a` twice, the first with `b` and `b` below it. */
const POINTS: SpanPoints = {
  count: 4,
  name: Uint32Array.of(7, 9, 9, 7),
  id: BigUint64Array.of(1n, 2n, 3n, 4n),
  start: BigInt64Array.of(0n, 0n, 5n, 30n),
  duration: BigInt64Array.of(20n, 4n, 6n, 10n),
  size: Uint32Array.of(3, 1, 1, 1),
  unstated: 4,
};
const TEXTS = new Map([
  [7, "a"],
  [9, "b"],
]);

it("groups places by name", () => {
  expect([...placesByName(POINTS.name)].map(([name, places]) => [name, ...places])).toEqual([
    [7, 0, 3],
    [9, 1, 2],
  ]);
});

it("adds up the samples below a span, and all samples of a local root", () => {
  const linked = (...rows: [span: bigint, root: bigint, value: number][]) => ({
    span: halves(BigUint64Array.from(rows, ([span]) => span)),
    root: halves(BigUint64Array.from(rows, ([, root]) => root)),
    value: Float64Array.from(rows, ([, , value]) => value),
  });
  const own = linked([0n, 0n, 99], [1n, 0n, 10], [3n, 0n, 5], [4n, 0n, 2]);
  expect([...requestValues(POINTS, own)]).toEqual([15, 0, 5, 2]);
  const unknown = linked([1n, 0n, 10], [4n, 4n, 2], [77n, 4n, 6]);
  expect([...requestValues(POINTS, unknown)]).toEqual([10, 0, 0, 8]);
});

it("has a row for each operation with the means of its spans", () => {
  const costs = { cpu: Float64Array.of(30, 0, 10, 20), allocation: null };
  expect(operationTable(POINTS, costs, (name) => TEXTS.get(name) ?? "")).toEqual([
    { operation: "a", spans: 2, unstated: 0, p50: 10, p95: 20, max: 20, cpu: 25, allocation: null },
    { operation: "b", spans: 2, unstated: 0, p50: 4, p95: 6, max: 6, cpu: 5, allocation: null },
  ]);
});

it("sorts by any column; rows without a figure are last, whatever the direction", () => {
  const row = { spans: 1, unstated: 0, p50: 1, p95: 1, max: 1, allocation: null };
  const rows = [
    { ...row, operation: "none", cpu: null },
    { ...row, operation: "b", cpu: 1 },
    { ...row, operation: "c", cpu: 3, p95: 9 },
    { ...row, operation: "a", cpu: 1 },
  ];
  const names = (...how: Parameters<typeof sortedOperations>) =>
    sortedOperations(...how).map(({ operation }) => operation);
  expect(names(rows, "cpu", false)).toEqual(["c", "a", "b", "none"]);
  expect(names(rows, "cpu", true)).toEqual(["a", "b", "c", "none"]);
  expect(names(rows, "p95", false)).toEqual(["c", "a", "b", "none"]);
  expect(names(rows, "operation", true)).toEqual(["none", "c", "b", "a"]);
});
