/** The time of a span for people: adds up, keeps its intervals, and does not claim what the recording cannot tell. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Account } from "./accounts.ts";
import { breakdownOf } from "./breakdown.ts";
import { nothingKnown } from "./off-thread.ts";
import { Pauses } from "./pauses.ts";
import { type SpanState, toldState, type WallPart } from "./states.ts";

const MS = 1_000_000;
const NO_PAUSES = new Pauses({
  start: 0n,
  pauses: { at: new Float64Array(0), nanos: new Float64Array(0) },
} as unknown as ConstructorParameters<typeof Pauses>[0]);
const STATE_OF: Partial<Record<WallPart, SpanState>> = { runnable: "running" };

interface Facts {
  length: number;
  wall?: Partial<Record<WallPart, number>>;
  cpu?: number;
  park?: [from: number, to: number][];
  children?: [from: number, to: number][];
  /** Of so many looks, how many found it. */
  looks?: [found: number, all: number];
}

/** Times in ms; a CPU sample each 10 ms. */
function account({ length, wall = {}, cpu = 0, park = [], children = [], looks }: Facts): Account {
  const inMs = (times: [number, number][]) => times.map(([from, to]): [number, number] => [from * MS, to * MS]);
  const extent = { start: 0n, end: BigInt(length * MS), from: "trace" as const };
  const made = new Account({ id: 1n, extent, children: inMs(children) }, NO_PAUSES);
  for (const [part, samples] of Object.entries(wall) as [WallPart, number][]) {
    made.wall.set(part, { samples, recorded: new Set() });
    if (samples > 0) made.states.add(toldState(STATE_OF[part] ?? (part as SpanState), ""), samples);
  }
  made.cpu.samples = cpu;
  made.cpu.nano = BigInt(cpu * 10 * MS);
  made.lasting.push(...inMs(park).map(([from, to]) => ({ part: "park" as const, from, to })));
  if (looks !== undefined) {
    const same = (count: number) => ({ likely: count, low: count, high: count });
    const [found, all] = [Math.min(...looks), looks[1]];
    const own = length * MS * (all > 0 ? 1 : 0);
    made.off = { ...nothingKnown(), length: own, unpaused: own, looks: all, found: same(found), expected: same(all) };
  }
  return made;
}

const CPU = { period: 10 * MS };
const timesOf = (of: Account, cpu: { period: number } | null = CPU) =>
  breakdownOf(of, cpu).map(({ part, nano }) => [part, Number(nano) / MS]);

describe("the breakdown of a span's time", () => {
  it("is runnable where wall samples could run and CPU samples do not explain it", () => {
    expect(timesOf(account({ length: 100, wall: { runnable: 8, park: 2 }, cpu: 3 }))).toEqual([
      ["cpu", 30],
      ["runnable", 50],
      ["park", 20],
    ]);
  });

  it("does not name a thread runnable where the recording has no CPU samples, or states that do not tell", () => {
    const facts = { length: 100, wall: { runnable: 8, park: 2 } };
    expect(timesOf(account(facts), null)).toEqual([
      ["running", 80],
      ["park", 20],
    ]);
    expect(timesOf(account({ length: 100, wall: { running: 1, runnable: 9 }, cpu: 3 }))).toEqual([
      ["cpu", 30],
      ["running", 70],
    ]);
  });

  it("adds what is below the recorder's limits to what events measure", () => {
    const [cpu, park] = breakdownOf(account({ length: 100, wall: { park: 10 }, park: [[0, 40]] }), CPU);
    // No CPU sample in ten periods: by Wilson up to 28 % of them.
    expect(cpu).toMatchObject({ part: "cpu", nano: 0n, low: 0n, samples: 0 });
    expect(Number(cpu?.high) / MS).toBeCloseTo(27.8, 1);
    expect(park).toMatchObject({ part: "park", nano: 100_000_000n, measured: 40_000_000n, high: 100_000_000n });
    expect(Number(park?.low) / MS).toBeCloseTo(72.2, 1);
  });

  it("leaves to a wait what CPU samples leave open: they state no time", () => {
    const [cpu, park] = breakdownOf(account({ length: 120, wall: { park: 10 }, cpu: 3 }), CPU);
    expect([cpu?.nano, park?.nano]).toEqual([30_000_000n, 90_000_000n]);
    expect(Number(park?.high) / MS).toBeCloseTo(120 - Number(cpu?.low) / MS, 3);
  });

  it("has a pause in a wait as time of the wait, which no pause stops", () => {
    const times = { at: Float64Array.of(20 * MS, 60 * MS), nanos: Float64Array.of(10 * MS, 10 * MS) };
    const pauses = new Pauses({ start: 0n, pauses: times } as unknown as ConstructorParameters<typeof Pauses>[0]);
    const extent = { start: 0n, end: BigInt(100 * MS), from: "trace" as const };
    const made = new Account({ id: 1n, extent, children: [] }, pauses);
    for (const at of [15, 25]) made.waitsAt(BigInt(at * MS));
    expect(timesOf(made, null)).toEqual([
      ["gc", 10],
      ["unsampled", 90],
    ]);
    expect(made.pauses).toHaveLength(2);
  });

  it("leaves the time of child spans to them, but for events of the span", () => {
    const facts: Facts = { length: 100, cpu: 1, park: [[0, 20]], children: [[10, 80]] };
    expect(timesOf(account(facts))).toEqual([
      ["cpu", 10],
      ["park", 20],
      ["children", 60],
      ["unsampled", 10],
    ]);
  });

  it("is on no thread where the sampler looked and found it on none", () => {
    const facts: Facts = { length: 200, wall: { runnable: 3, park: 1 }, cpu: 1, looks: [4, 20] };
    const parts = breakdownOf(account(facts), CPU);
    expect(parts.map(({ part, nano }) => [part, Number(nano) / MS])).toEqual([
      ["cpu", 10],
      ["runnable", 20],
      ["park", 10],
      ["off-thread", 160],
    ]);
    const runnable = parts.find(({ part }) => part === "runnable");
    // On a thread for at most 84 ms, and in at most 95 % of that ready to run.
    expect(Number(runnable?.high) / MS).toBeLessThan(84);
  });

  it("has no more CPU time than it was on a thread, where several threads worked for it at once", () => {
    const parts = timesOf(account({ length: 100, cpu: 12, wall: { runnable: 6 }, looks: [2, 20] }));
    expect(parts[0]?.[0]).toBe("cpu");
    expect(parts[0]?.[1]).toBeLessThan(32);
    expect(parts[1]?.[0]).toBe("off-thread");
  });

  it("adds up, and every part is inside of its interval", () => {
    const some = fc.integer({ min: 0, max: 40 });
    const stretch = fc.tuple(fc.integer({ min: -20, max: 120 }), fc.integer({ min: 0, max: 120 }));
    const wall = fc.record({
      runnable: some,
      running: some,
      park: some,
      lock: some,
      socket: some,
      gc: some,
      unknown: some,
    });
    const facts = fc.record({
      length: fc.integer({ min: 0, max: 100 }),
      wall,
      cpu: some,
      park: fc.array(stretch, { maxLength: 4 }),
      children: fc.array(stretch, { maxLength: 4 }),
      looks: fc.tuple(some, some),
    });
    fc.assert(
      fc.property(facts, fc.boolean(), (each, hasCpu) => {
        const parts = breakdownOf(account(each), hasCpu ? CPU : null);
        expect(parts.reduce((sum, { nano }) => sum + nano, 0n)).toBe(BigInt(each.length * MS));
        for (const { low, nano, high, measured } of parts) {
          expect(low <= nano && nano <= high && measured <= nano && low >= 0n).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
