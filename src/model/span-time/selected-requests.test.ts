/** Requests of samples: their local root, else the outermost span of the service. */
import { expect, it } from "vitest";
import { entriesOf, placedSamples, placesOf, withSamples } from "./selected-requests.ts";

/** Places: 0 of service a with 1 (a), 2 (b) and 3 (b) in each other; 4 (b) alone. */
const SIZE = Uint32Array.of(4, 3, 2, 1, 1);
const SERVICE = ["a", "a", "b", "b", "b"];
const ID = BigUint64Array.of(10n, 11n, 12n, 13n, 14n);
const POINTS = { count: 5, size: SIZE, id: ID };
const entries = () => entriesOf(POINTS, (place) => SERVICE[place] ?? "");

/** Row 0 is unused. */
function linked(...rows: [span: bigint, root: bigint, samples: number][]) {
  const all: [bigint, bigint, number][] = [[0n, 0n, 0], ...rows];
  const words = (column: 0 | 1) => new Uint32Array(BigUint64Array.from(all, (row) => row[column]).buffer);
  return { span: words(0), root: words(1), samples: Float64Array.from(all, (row) => row[2]) };
}

it("is the outermost span of the service without a local root", () => {
  expect([...entries()]).toEqual([0, 0, 2, 2, 4]);
});

it("is the local root if a span has its id, else the entry of the span", () => {
  const placed = (...rows: [bigint, bigint, number][]) => placedSamples(POINTS, linked(...rows), entries);
  expect([...placed([13n, 11n, 1]).requests]).toEqual([1]);
  expect([...placed([13n, 0n, 1], [14n, 0n, 2]).requests]).toEqual([2, 4]);
  // The root is of a span that nothing knows.
  expect([...placed([13n, 99n, 1]).requests]).toEqual([2]);
});

it("counts local roots that no span is, each once, and no links without samples", () => {
  const rows = linked([0n, 99n, 1], [98n, 99n, 1], [0n, 97n, 1], [0n, 96n, 0], [10n, 10n, 0]);
  const placed = placedSamples(POINTS, rows, entries);
  expect([placed.unknownRoots, [...placed.requests]]).toEqual([2, []]);
});

it("has samples by the spans below it, and by its id as local root", () => {
  const places = Uint32Array.of(0, 1, 2, 4);
  const found = (...rows: [bigint, bigint, number][]) => [
    ...withSamples(POINTS, places, placedSamples(POINTS, linked(...rows), entries)),
  ];
  expect(found([12n, 0n, 1])).toEqual([0, 1, 2]);
  // A sample of a span that nothing knows is of its root alone.
  expect(found([50n, 11n, 1])).toEqual([1]);
  expect(found()).toEqual([]);
});

it("has places of ids if all of them are known", () => {
  expect(placesOf(POINTS, [13n, 11n])).toEqual(Uint32Array.of(1, 3));
  expect(placesOf(POINTS, [13n, 7n])).toBeNull();
});
