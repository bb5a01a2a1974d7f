/** Spans of a filter: as text, in words, and the places and ids that they are. */
import { expect, it } from "vitest";
import type { SpanChoice } from "../../core/types.ts";
import { filterKey } from "../query/query.ts";
import { chosenPlaces, idsOf } from "../trace/chosen-spans.ts";
import type { SpanPoints } from "../trace/operations.ts";
import { choiceWords, parseChoice, printChoice, wholeOf } from "./span-choice.ts";

const RANGES: SpanChoice = { start: { from: 10n, to: 20n }, duration: { from: 0n, to: 5n } };

it("is a text of its parts, whatever the operation is called", () => {
  const choices: SpanChoice[] = [
    { operation: "a,of-b\n-1", slowest: 5 },
    { operation: "" },
    RANGES,
    { ...RANGES, operation: "start-1-2," },
    { operation: "all" },
    { requests: true },
    { requests: true, slowest: 5, operation: "requests" },
    {},
  ];
  for (const choice of choices) expect(parseChoice(printChoice(choice))).toEqual(choice);
});

it("is nothing for other texts", () => {
  for (const text of ["", "slowest-5", "x", "start-2-1,", "took-1-99999999999999999999,of-x"]) {
    expect(parseChoice(text)).toBeNull();
  }
});

it("has words", () => {
  expect(choiceWords({ operation: "GET /a", slowest: 5 }).value).toBe("slowest 5 %, GET /a");
  expect(choiceWords({ requests: true, slowest: 5, start: { from: 0n, to: 1n } }).full).toBe(
    "requests: slowest 5 % of each endpoint, a range of starts",
  );
  expect(choiceWords({ duration: { from: 1_000n, to: 2_000_000n } }).value).toBe("1 µs – 2 ms");
  expect(choiceWords({ operation: "" }).value).toBe("(no name)");
  expect(choiceWords({}).value).toBe("all requests");
  expect(wholeOf({ operation: "a", slowest: 5 })).toEqual({ operation: "a" });
  expect(wholeOf(RANGES)).toEqual({});
});

/** Two roots of operation 1, the first with two spans of operation 2 below it. */
const POINTS: SpanPoints = {
  count: 4,
  name: Uint32Array.of(1, 2, 2, 1),
  id: BigUint64Array.of(40n, 30n, 20n, 10n),
  start: BigInt64Array.of(0n, 5n, 10n, 20n),
  duration: BigInt64Array.of(15n, 4n, 4n, 7n),
  size: Uint32Array.of(3, 1, 1, 1),
  unstated: 4,
};

const places = (choice: SpanChoice, name: number | null = null) => [...chosenPlaces(POINTS, choice, name)];

it("finds places by operation, share, start and duration", () => {
  expect(places({})).toEqual([0, 1, 2, 3]);
  expect(places({ operation: "one" }, 1)).toEqual([0, 3]);
  expect(places({ operation: "unknown" }, null)).toEqual([]);
  expect(places({ operation: "one", slowest: 5 }, 1)).toEqual([0]);
  expect(places({ slowest: 5 })).toEqual([0, 1]);
  // The first of equally long ones.
  expect(places({ operation: "two", slowest: 50 }, 2)).toEqual([1]);
  expect(places({ start: { from: 5n, to: 20n }, duration: { from: 4n, to: 5n } })).toEqual([1, 2]);
  expect(places({ start: { from: 5n, to: 10n } })).toEqual([1]);
});

it("has the ids of the spans and of those below them, ascending; keys have none of them", () => {
  const found = idsOf(POINTS, Uint32Array.of(0));
  expect([...found.spans]).toEqual([20n, 30n, 40n]);
  expect([...found.roots]).toEqual([40n]);
  expect(filterKey({ spans: { operation: "a", found } })).toBe(filterKey({ spans: { operation: "a" } }));
});
