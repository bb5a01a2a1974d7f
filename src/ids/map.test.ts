/** Maps by id against the engine's, and ids that were chosen to share a slot. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idHash } from "./hash.ts";
import { IdMap } from "./map.ts";

const U64 = (value: bigint) => BigInt.asUintN(64, value);

it("answers as a Map does", () => {
  const id = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.nat())), fc.array(id), (entries, others) => {
      const [found, expected] = [new IdMap(entries), new Map(entries)];
      expect([...found]).toEqual([...expected]);
      expect([[...found.keys()], [...found.values()]]).toEqual([[...expected.keys()], [...expected.values()]]);
      expect(found.size).toBe(expected.size);
      for (const each of [...others, ...expected.keys()]) {
        expect([found.has(each), found.get(each)]).toEqual([expected.has(each), expected.get(each)]);
        expect(found.hasHalves(Number(each & 0xffff_ffffn), Number(each >> 32n))).toBe(expected.has(each));
      }
    }),
  );
});

describe("ids that share a slot of a table with a known hash", () => {
  const COUNT = 1 << 16;
  const inverse = (factor: bigint) => {
    let x = factor;
    for (let i = 0; i < 6; i++) x = U64(x * (2n - factor * x));
    return x;
  };
  const unshifted = (value: bigint, bits: bigint) => {
    let x = value;
    for (let done = bits; done < 64n; done += bits) x = value ^ (x >> bits);
    return x;
  };
  /** The bigint that the engine's hash makes `hash` of, before it takes 30 bits of it. */
  const ofEngine = (hash: bigint) => {
    let x = U64(unshifted(hash, 22n) * inverse(65n));
    x = U64(unshifted(x, 11n) * inverse(21n));
    return U64((unshifted(x, 31n) + 1n) * inverse((1n << 18n) - 1n));
  };
  const joined = (high: number, low: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

  it.each<[what: string, id: (i: number) => bigint]>([
    ["the engine's", (i) => ofEngine((BigInt(i + 1) << 30n) | 12345n)],
    ["a product of the halves", (i) => joined(i, 12345 ^ Math.imul(i, 0x9e3779b1))],
    ["the upper half alone", (i) => joined(i << 12, 7)],
    ["the lower half alone", (i) => joined(7, i << 16)],
    ["equal halves", (i) => joined(i, i)],
  ])("%s: use different ones", (_, id) => {
    const ids = BigUint64Array.from({ length: COUNT }, (_, i) => id(i));
    expect(new Set([...ids].map(String)).size).toBe(COUNT);
    const slots = new Set<number>();
    for (const each of ids) slots.add(idHash(Number(each & 0xffff_ffffn), Number(each >> 32n)) & (2 * COUNT - 1));
    // At random: 2 × (1 − e^(−1/2)) of them, 79 %.
    expect(slots.size / COUNT).toBeGreaterThan(0.7);
  });
});
