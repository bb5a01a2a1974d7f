import { expect, it } from "vitest";
import { rootsBy } from "./span-roots.ts";

it("follows parents to the root", () => {
  const rootOf = rootsBy(
    new Map([
      [1n, 0n],
      [2n, 1n],
      [3n, 2n],
    ]),
  );
  expect([3n, 2n, 1n, 3n].map(rootOf)).toEqual([1n, 1n, 1n, 1n]);
});

it("knows no root above a parent that is not there, and none in a circle", () => {
  const rootOf = rootsBy(
    new Map([
      [2n, 1n],
      [3n, 2n],
      [5n, 6n],
      [6n, 5n],
      [7n, 5n],
    ]),
  );
  expect([3n, 2n, 1n, 5n, 6n, 7n, 9n].map(rootOf)).toEqual([0n, 0n, 0n, 0n, 0n, 0n, 0n]);
});

it("passes a chain of 100,000 spans", () => {
  const chain = new Map(Array.from({ length: 100_000 }, (_, i) => [BigInt(i + 1), BigInt(i)] as const));
  expect(rootsBy(chain)(100_000n)).toBe(1n);
});
