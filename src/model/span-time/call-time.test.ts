import { expect, it } from "vitest";
import { callTime } from "./call-time.ts";

const shown = (call: Parameters<typeof callTime>[0]) =>
  callTime(call).map(({ name, ms, shown: part }) => [name, ms, part]);

it("the parts of a call add up to its duration", () => {
  expect(shown({ duration: 3240, suspension: 1790, cpu: 122, wait: 300 })).toEqual([
    ["suspended", 1790, 1790],
    ["waiting", 300, 300],
    ["on CPU", 122, 122],
    ["not measured", 1028, 1028],
  ]);
});

it("CPU time beyond the duration is told, and fills the rest of it", () => {
  expect(shown({ duration: 470, suspension: 0, cpu: 1950, wait: null })).toEqual([["on CPU", 1950, 470]]);
});

it("a call of no time has no parts", () => {
  expect(shown({ duration: 0, suspension: 0, cpu: null, wait: null })).toEqual([]);
});
