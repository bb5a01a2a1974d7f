/** The clock between a trace and a recording: stretches that most spans allow. */
import { describe, expect, it } from "vitest";
import * as SpanRow from "../../../assembly/abi/rows/span-row.ts";
import { type DrawnSpan, drawn, ENTRIES } from "../../../test/kit/span-table.ts";
import { clockOf } from "./clock.ts";
import { evidenceFrom } from "./evidence.ts";
import { durationsOf } from "./operations.ts";
import { traceTree } from "./tree.ts";

const MS = 1_000_000n;

/** Spans from 0 on in ms, with the first and last time of their samples in ms. */
function clock(...rows: [start: number, end: number, first: number, last: number][]) {
  const ms = (value: number) => BigInt(Math.round(value * 1000)) * 1000n;
  const spans = rows.map(([start, end], i): DrawnSpan => ({ id: BigInt(i + 1), start: ms(start), end: ms(end) }));
  const tree = traceTree(drawn(spans), Uint32Array.from(spans.keys()), ENTRIES);
  const times = rows.map(([, , first, last], i) => [BigInt(i + 1), { first: ms(first), last: ms(last) }] as const);
  return clockOf(tree, evidenceFrom(tree, new Map(times)));
}

describe("the clock", () => {
  it("is 0 where every span contains its samples, with 0.1 ms of slack", () => {
    expect(clock([0, 10, 1, 9], [20, 30, 22, 30])).toEqual({
      offset: 0n,
      low: -MS / 10n,
      high: MS + MS / 10n,
      agree: 2,
      asked: 2,
    });
  });

  it("is the middle of the stretch that most spans allow, rounded down", () => {
    // 100 ms later; the third span disagrees.
    expect(clock([0, 10, 101, 109], [20, 30, 121, 130], [40, 50, 40, 50])).toEqual({
      offset: 100n * MS + MS / 2n,
      low: 100n * MS - MS / 10n,
      high: 101n * MS + MS / 10n,
      agree: 2,
      asked: 3,
    });
    // [−3.2 − …]: a negative sum of an odd number rounds down.
    const behind = clock([10, 20, 5.001, 10], [10, 20, 5, 9.999]);
    expect(behind?.offset).toBe(((behind?.low ?? 0n) + (behind?.high ?? 0n)) / 2n);
  });

  it("is the stretch nearest to 0, then the lowest, of several with as many spans", () => {
    expect(clock([0, 1, 50, 51], [100, 101, 70, 71])?.low).toBe(-30n * MS - MS / 10n);
    expect(clock([0, 1, 30, 31], [100, 101, 70, 71])?.low).toBe(-30n * MS - MS / 10n);
  });

  it("is exact for times that are years apart", () => {
    const YEAR = 365 * 24 * 3600 * 1000;
    const far = clock([0, 10, YEAR + 1, YEAR + 9], [-YEAR, 10 - YEAR, 1, 9], [20, 30, YEAR + 22, YEAR + 30]);
    expect(far).toEqual({
      offset: BigInt(YEAR) * MS + MS / 2n,
      low: BigInt(YEAR) * MS - MS / 10n,
      high: BigInt(YEAR) * MS + MS + MS / 10n,
      agree: 3,
      asked: 3,
    });
  });

  it("leaves out spans whose samples take longer than they, and is unknown without evidence", () => {
    expect(clock([0, 1, 0, 1.21])).toBeNull();
    expect(clock([0, 1, 0, 1.2])).toMatchObject({ asked: 1 });
    expect(clock()).toBeNull();
  });

  it("is not that of spans without a time", () => {
    const none = BigInt.asIntN(64, BigInt(SpanRow.NO_TIME));
    const spans: DrawnSpan[] = [
      { id: 1n, start: 0n, end: 10n * MS },
      { id: 2n, parent: 1n, start: none, end: none },
    ];
    const tree = traceTree(drawn(spans), Uint32Array.of(0, 1), ENTRIES);
    const times = new Map([
      [1n, { first: MS, last: 9n * MS }],
      [2n, { first: 5n * MS, last: 5n * MS }],
    ]);
    expect(clockOf(tree, evidenceFrom(tree, times))).toMatchObject({ offset: 0n, agree: 1, asked: 1 });
  });
});

describe("percentiles", () => {
  it("are by nearest rank", () => {
    const upTo = (n: number) => durationsOf(BigInt64Array.from({ length: n }, (_, i) => BigInt(n - i)));
    expect(upTo(1)).toEqual({ spans: 1, p50: 1n, p95: 1n, max: 1n });
    expect(upTo(10)).toEqual({ spans: 10, p50: 5n, p95: 10n, max: 10n });
    expect(upTo(11)).toEqual({ spans: 11, p50: 6n, p95: 11n, max: 11n });
    expect(upTo(100)).toEqual({ spans: 100, p50: 50n, p95: 95n, max: 100n });
  });
});
