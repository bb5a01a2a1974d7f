/** Times as doubles: those of bigints, of any sign and distance. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { differences, numbersOf } from "./point-numbers.ts";

const time = fc.oneof(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), fc.bigInt({ min: -5n, max: 2n ** 33n }));

test("are those of bigints, and tell where they round", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(time, time), { minLength: 1 }), (rows) => {
      const start = BigInt64Array.from(rows, ([at]) => at);
      const end = BigInt64Array.from(rows, ([, at]) => at);
      const duration = differences(end, start);
      expect([...duration]).toEqual(rows.map(([from, to]) => BigInt.asIntN(64, to - from)));
      const found = numbersOf({ start, duration });
      const zero = [...start].reduce((low, at) => (at < low ? at : low));
      expect(found.zero).toBe(zero);
      expect([...found.duration]).toEqual([...duration].map(Number));
      expect(found.isExact).toBe([...start].every((at) => at - zero < 2n ** 53n));
      if (found.isExact) expect([...found.start]).toEqual([...start].map((at) => Number(at - zero)));
    }),
  );
});
