/** The spans of a filter as a drawn trace states them. */
import { expect, test } from "vitest";
import { drawn, ENTRIES } from "../../../test/kit/span-table.ts";
import { IdMap } from "../../ids/map.ts";
import { statedSpans } from "./stated.ts";
import { traceTree } from "./tree.ts";

const HIGH = 5n << 64n;

/** Trace 21 with 1 ─ 2 ─ 3 and 1 ─ 4, of which 1 and 4 are local roots; trace 22 with 9. */
const TREE = traceTree(
  drawn([
    { id: 1n, start: 0n, end: 100n, trace: HIGH | 21n },
    { id: 2n, parent: 1n, start: 10n, end: 50n, trace: HIGH | 21n },
    { id: 3n, parent: 2n, start: 20n, end: 60n, trace: HIGH | 21n },
    { id: 4n, parent: 1n, start: 70n, end: 130n, trace: HIGH | 21n },
    { id: 9n, start: 500n, end: 600n, trace: 22n },
  ]),
  Uint32Array.from([0, 1, 2, 3, 4]),
  ENTRIES,
);
const CARRIED = {
  spans: new IdMap([1n, 2n, 3n, 4n, 9n].map((id) => [id, id === 9n ? 9n : 1n] as const)),
  roots: new IdMap([1n, 4n, 9n].map((id) => [id, id] as const)),
};
const stated = (filter: Parameters<typeof statedSpans>[1]) => statedSpans(TREE, filter, () => CARRIED);

test("all local roots of a trace are the trace, which lasts from its first start to its last end", () => {
  expect(stated({ localRoot: [1n, 4n] })).toEqual({ place: 0, start: 0n, duration: 130n, spans: 4, are: "trace" });
  expect(stated({ localRoot: 9n })).toEqual({ place: 4, start: 500n, duration: 100n, spans: 1, are: "trace" });
});

test("some of the roots, or spans, last as long as they are stated", () => {
  expect(stated({ localRoot: 1n })).toEqual({ place: 0, start: 0n, duration: 100n, spans: 4, are: "some" });
  expect(stated({ span: 2n })).toEqual({ place: 1, start: 10n, duration: 40n, spans: 2, are: "below" });
  expect(stated({ span: [2n, 3n] })).toEqual({ place: 1, start: 10n, duration: 50n, spans: 2, are: "below" });
  expect(stated({ span: [3n, 4n] })).toEqual({ place: 2, start: 20n, duration: 110n, spans: 2, are: "some" });
  // Spans of the roots of the filter.
  expect(stated({ localRoot: [1n, 4n], span: 3n })).toEqual({
    place: 2,
    start: 20n,
    duration: 40n,
    spans: 1,
    are: "below",
  });
});

test("nothing is stated of unknown spans, of several traces, and without ids", () => {
  expect(stated({ span: 77n })).toBeNull();
  expect(stated({ localRoot: [1n, 77n] })).toBeNull();
  expect(stated({ localRoot: [1n, 9n] })).toBeNull();
  expect(stated({})).toBeNull();
});

test("a trace without samples is known by its id", () => {
  const carried = { spans: new IdMap<bigint>(), roots: new IdMap<bigint>() };
  expect(statedSpans(TREE, { localRoot: HIGH | 21n }, () => carried)).toMatchObject({ place: 0, are: "trace" });
});
