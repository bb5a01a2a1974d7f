import { expect, it } from "vitest";
import { CROSSING_CAP } from "../model/words/text.ts";
import { columnBuffers, shortened } from "./crossing.ts";

const LONG = "x".repeat(CROSSING_CAP + 1);
const CUT = `${"x".repeat(CROSSING_CAP)}…`;

it("texts are cut at any depth of a copy, and nothing else changes", () => {
  const blob = new Blob([LONG]);
  const column = Float64Array.of(1);
  const answer = {
    rows: [{ name: LONG, value: 1n }, { name: "short" }],
    path: [LONG],
    names: new Map([[1, LONG]]),
    none: null,
    absent: undefined,
    blob,
    column,
  };
  const crossing = shortened(answer);
  expect(crossing).toEqual({
    ...answer,
    rows: [{ name: CUT, value: 1n }, { name: "short" }],
    path: [CUT],
    names: new Map([[1, CUT]]),
  });
  expect([crossing.blob, crossing.column]).toEqual([blob, column]);
  expect(crossing.column).toBe(column);
  expect(answer.rows[0]?.name).toBe(LONG);
});

it("columns are given away once, those of lists are copied", () => {
  const both = new ArrayBuffer(16);
  const answer = { a: new Uint8Array(both, 0, 8), inner: { b: new Uint8Array(both, 8) }, rows: [new Uint8Array(4)] };
  expect(columnBuffers(answer)).toEqual([both]);
  expect(columnBuffers(null)).toEqual([]);
});
