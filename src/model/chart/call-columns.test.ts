import { expect, it } from "vitest";
import { callColumns } from "./call-columns.ts";

const START = 1_643_822_466_534;
const FRAMES = {
  start: START,
  depth: Uint32Array.of(0, 1, 1),
  from: Float64Array.of(0, -2, 30),
  total: Float64Array.of(30, 12, 7),
  self: Float64Array.of(18, 12, 7),
  suspended: Float64Array.of(4, 0, 1),
  method: Uint32Array.of(1, 0, 2),
  methods: [{ name: "a.B.sql" }, { name: "a.B.run" }, { name: "[reactive]" }],
};

it("a call is a lane from its earliest frame on, in ns", () => {
  const pauses = { from: Float64Array.of(START + 3), to: Float64Array.of(START + 8) };
  const columns = callColumns(FRAMES, 37, pauses);
  // The clock was set back by 2 ms.
  expect(columns.origin).toBe(BigInt(START - 2) * 1_000_000n);
  expect([columns.span, columns.step]).toEqual([39e6, 1e6]);
  expect([...columns.start]).toEqual([2e6, 0, 32e6]);
  expect([...columns.duration]).toEqual([30e6, 12e6, 7e6]);
  expect([...columns.suspended]).toEqual([4e6, 0, 1e6]);
  expect(columns.names).toEqual(["a.B.sql", "a.B.run", "[reactive]"]);
  expect([...columns.name]).toEqual([1, 0, 2]);
  // Time in other threads is no method of Java.
  expect([...columns.frameType]).toEqual([1, 1, 0]);
  expect([...columns.id]).toEqual([0, 1, 2]);
  expect([...columns.pauses.from, ...columns.pauses.to]).toEqual([5e6, 10e6]);
});

it("a call without a tree is one frame", () => {
  const none = { ...FRAMES, depth: Uint32Array.of(0), from: Float64Array.of(0), total: Float64Array.of(0) };
  const columns = callColumns(none, 5, { from: new Float64Array(0), to: new Float64Array(0) });
  expect([columns.span, columns.lane.length]).toEqual([5e6, 1]);
});
