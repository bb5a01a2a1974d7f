import fc from "fast-check";
import { expect, it } from "vitest";
import { ascending } from "./ascending.ts";
import { byThread } from "./by-thread.ts";

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }), fc.constant(-0));

it("sorts as a sort with a function does, in few runs and in many", () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 40 }), fc.boolean(), (some, isMany) => {
      const times = isMany ? Math.ceil(5000 / some.length) : 1;
      const column = Float64Array.from({ length: times * some.length }, (_, i) => some[(i * 7) % some.length]!);
      const rows = Uint32Array.from(column.keys()).filter((row) => row % 3 !== 1);
      const wanted = [...rows].sort(
        (a, b) => Number(column[a]! > column[b]!) - Number(column[a]! < column[b]!) || a - b,
      );
      expect([...ascending(column, rows)]).toEqual(wanted);
    }),
    { numRuns: 100 },
  );
});

it("has the rows of a thread together, in the order of time, of equal times the larger tie first", () => {
  const row = fc.record({ thread: fc.nat(3), time: fc.nat(5), tie: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.boolean(), (list, isTied) => {
      const column = (of: "time" | "tie") => Float64Array.from(list, (each) => each[of]);
      const thread = Uint32Array.from(list, (each) => each.thread);
      const { first, rows } = byThread(4, thread, column("time"), isTied ? column("tie") : undefined);
      const wanted = [...list.keys()].sort((a, b) => {
        const [one, other] = [list[a]!, list[b]!];
        return one.thread - other.thread || one.time - other.time || (isTied ? other.tie - one.tie : 0) || a - b;
      });
      expect([...rows]).toEqual(wanted);
      expect([...first]).toEqual([0, 1, 2, 3, 4].map((t) => list.filter((each) => each.thread < t).length));
    }),
  );
});
