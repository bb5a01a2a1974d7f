import fc from "fast-check";
import { expect, it } from "vitest";
import { type PartOf, pathOf } from "./options.ts";

const template = fc
  .array(fc.constantFrom("%p", "%t", "%n", "%", "p", "-", "-p", "-t", ".", "/", "0", "1", "11"), { maxLength: 6 })
  .map((pieces) => `a${pieces.join("")}`);
const number = (least: number) => fc.constantFrom(0, 1, 2, 10, 11, 12, 101, 110, 111).map((n) => n + least);
/** Children have other process ids than the process that began. */
const part: fc.Arbitrary<PartOf> = fc
  .record({ pid: number(2), thread: number(0), part: number(1), isChild: fc.boolean() })
  .map((each) => (each.isChild ? each : { ...each, pid: 1 }));

it("no two parts of a run have one path, whatever the template", () => {
  fc.assert(
    fc.property(template, part, part, (path, one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other));
      expect(pathOf(path, one)).not.toBe(pathOf(path, other));
    }),
    { numRuns: 20_000 },
  );
});

it.each([
  ["a-%t%n.pb", "a-1-11.pb"],
  ["a-%t0%n.pb", "a-1-011.pb"],
  ["%p%t%n", "1-1-11"],
  ["a-%t-%n.pb", "a-1-11.pb"],
  ["a%n", "a11-t1"],
])("marks are apart: %s is %s", (path, wanted) => {
  expect(pathOf(path, { pid: 1, thread: 1, part: 11, isChild: false })).toBe(wanted);
});
