import { expect, it } from "vitest";
import { mainHolder, startInTrace, waitsByPlace, waitWords, waterfallRows } from "./wait-rows.ts";
import type { Held, Wait } from "./waits.ts";

const START = 1_700_000_000_000_000_000n;
const TRACE = {
  id: BigUint64Array.of(1n, 2n, 2n),
  size: Uint32Array.of(3, 1, 1),
  start: START,
  duration: 1000,
  offset: 5,
};
const NOBODY = { thread: "worker-1", threadId: null, file: null, localRoot: null, operation: null };
const held = (nanos: number, operation: string | null): Held => ({
  ...{ ...NOBODY, span: null, attributes: {}, startUnixNano: START, certain: true },
  ...{ durationNano: BigInt(nanos), operation },
});
const wait = (span: bigint | null, nanos: number, own: Held[] = []): Wait => ({
  ...{ ...NOBODY, span, kind: "monitor", class: "demo.Stock", address: 1n, target: null },
  ...{ startUnixNano: START + 105n, durationNano: BigInt(nanos), held: own },
});

it("waits are below the first span of their id; short ones and those of other spans are left out", () => {
  const all = [wait(2n, 10), wait(2n, 9), wait(3n, 500), wait(null, 500), wait(1n, 20)];
  all.push({ ...wait(9n, 30), localRoot: 1n });
  const found = waitsByPlace(TRACE, all);
  expect([...found].sort()).toEqual([
    [0, [all[4], all[5]]],
    [1, [all[0]]],
  ]);
});

it("of many waits the longest are rows, in the order of time", () => {
  const all = Array.from({ length: 300 }, (_, i) => wait(1n, 10 + ((i * 7) % 300)));
  const rows = waitsByPlace(TRACE, all).get(0) ?? [];
  expect(rows).toHaveLength(200);
  expect(rows).toEqual(all.filter(({ durationNano }) => durationNano >= 110n));
});

it("a closed span hides its waits", () => {
  const waits = new Map([[1, [wait(2n, 10)]]]);
  const shown = (closed: number[]) =>
    waterfallRows(Uint32Array.of(0, 1, 2), new Set(closed), waits).map((row) => `${row.place}${row.wait ? "w" : ""}`);
  expect(shown([])).toEqual(["0", "1", "1w", "2"]);
  expect(shown([1])).toEqual(["0", "1", "2"]);
});

it("says on what, and who held it longest", () => {
  const one = wait(1n, 100, [held(30, "GET /a"), held(70, "POST /reindex")]);
  expect(mainHolder(one)?.operation).toBe("POST /reindex");
  expect(waitWords(one)).toBe("for Stock, held by POST /reindex (worker-1) and 1 other");
  expect(waitWords(wait(1n, 100))).toBe("for Stock");
  expect(startInTrace(TRACE, one)).toBe(100);
});
