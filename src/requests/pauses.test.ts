import { expect, test } from "vitest";
import { pausedIn } from "./pauses.ts";

const of = (...pauses: [start: number, nanos: number][]) =>
  pausedIn(pauses.map(([start, nanos]) => ({ startUnixNano: BigInt(start), durationNano: BigInt(nanos) })));

test.each<[string, [number, number][], ReturnType<typeof pausedIn>]>([
  ["none", [], { count: 0, nanos: 0n, longest: 0n }],
  [
    "apart, also in another order and of no length",
    [
      [30, 0],
      [10, 5],
      [20, 7],
    ],
    { count: 3, nanos: 12n, longest: 7n },
  ],
  [
    "a pause and its phases",
    [
      [10, 10],
      [10, 4],
      [14, 6],
    ],
    { count: 1, nanos: 10n, longest: 10n },
  ],
  [
    "the same recording twice",
    [
      [10, 5],
      [20, 7],
      [10, 5],
      [20, 7],
    ],
    { count: 2, nanos: 12n, longest: 7n },
  ],
  [
    "two files that overlap",
    [
      [10, 10],
      [15, 10],
      [40, 1],
    ],
    { count: 2, nanos: 16n, longest: 10n },
  ],
])("pauses are added up by time: %s", (_, pauses, all) => {
  expect(of(...pauses)).toEqual(all);
});
