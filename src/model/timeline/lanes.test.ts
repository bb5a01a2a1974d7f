import { beforeAll, describe, expect, it } from "vitest";
import type { ThreadRow } from "../../core/view-types.ts";
import { loadPatterns, patternOf } from "../query/pattern.ts";
import type { LaneOrder } from "../query/query.ts";
import { chooseLanes, heaviestOf, intensities, laneBins, momentAt, moveEdge, rangeBetween, shareAt } from "./lanes.ts";

beforeAll(() => loadPatterns());

const WHOLE = { from: 1_700_000_000_000_000_000n, to: 1_700_000_010_000_000_000n };

describe("moments", () => {
  it("lie where their share of the width says", () => {
    expect(momentAt(WHOLE, 0.5) - WHOLE.from).toBe(5_000_000_000n);
    expect(momentAt(WHOLE, -3)).toBe(WHOLE.from);
    expect(momentAt(WHOLE, 7)).toBe(WHOLE.to);
    expect(shareAt(WHOLE, momentAt(WHOLE, 0.25))).toBe(0.25);
    expect(shareAt({ from: 5n, to: 5n }, 9n)).toBe(1);
  });

  it("make a range in either direction, unless hardly anything was dragged over", () => {
    const range = { from: momentAt(WHOLE, 0.2), to: momentAt(WHOLE, 0.4) };
    expect(rangeBetween(WHOLE, 0.2, 0.4, 0.01)).toEqual(range);
    expect(rangeBetween(WHOLE, 0.4, 0.2, 0.01)).toEqual(range);
    expect(rangeBetween(WHOLE, 0.4, 0.405, 0.01)).toBeNull();
    expect(rangeBetween({ from: 1n, to: 2n }, 0.1, 0.2, 0)).toBeNull();
  });

  it("of an edge move within the whole and up to the other edge", () => {
    const range = { from: momentAt(WHOLE, 0.2), to: momentAt(WHOLE, 0.4) };
    expect(moveEdge(WHOLE, range, "from", 0.1).from).toBe(momentAt(WHOLE, 0.3));
    expect(moveEdge(WHOLE, range, "from", -0.5).from).toBe(WHOLE.from);
    expect(moveEdge(WHOLE, range, "from", 0.5)).toBe(range);
  });
});

describe("strips", () => {
  it("show a single sample beside a burst", () => {
    expect([...intensities([0, 1, 25, 100], 100)]).toEqual([0, 0.15, 0.5, 1]);
    expect([...intensities([0, 0], 0)]).toEqual([0, 0]);
    expect(heaviestOf([{ all: [1, 7] }, { all: [3] }])).toBe(7);
  });

  it("stand in the order asked for, of the threads asked for", () => {
    const thread = (name: string, id: string, all: bigint, selected: bigint): ThreadRow => {
      return { thread: Number(id), name, id, samples: 1, all, selected, first: 100n - BigInt(id) };
    };
    const threads = [thread("pool-10", "1", 9n, 0n), thread("pool-9", "2", 3n, 2n), thread("main", "33", 3n, 3n)];
    const names = (text: string, order: LaneOrder) =>
      chooseLanes(threads, patternOf(text).expression, text, order).map(({ name }) => name);
    expect(names("", "activity")).toEqual(["pool-10", "pool-9", "main"]);
    expect(names("", "selected")).toEqual(["main", "pool-9", "pool-10"]);
    expect(names("", "first")).toEqual(["main", "pool-9", "pool-10"]);
    expect(names("^pool-\\d", "name")).toEqual(["pool-9", "pool-10"]);
    expect(names("33", "name")).toEqual(["main"]);
  });

  it("have bins of 20 ms or less where the time is short", () => {
    const bins = (seconds: number) => laneBins({ from: 0n, to: BigInt(seconds * 1e9) });
    expect([bins(0.5), bins(6), bins(30), bins(31)]).toEqual([300, 300, 1500, 300]);
  });
});
