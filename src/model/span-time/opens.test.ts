/** The samples of the parts of a time: each in one part that is shown, and none in the part without samples. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { ProfileSummary } from "../../core/types.ts";
import { plainPattern } from "../../pattern/plain.ts";
import { Account, addCount } from "./accounts.ts";
import { breakdownOf } from "./breakdown.ts";
import { samplesOfParts } from "./opens.ts";
import type { CoveringPart } from "./parts.ts";
import { type SpanState, toldState, type WallPart } from "./states.ts";

const MS = 1_000_000;
const CPU = { period: 10 * MS };
const PROFILES: ProfileSummary[] = ["cpu", "wall", "park"].map((type) => profileSummary({ type }));
/** States of the recorder that go with a part, as Datadog's profiler has them. */
const RECORDED: Partial<Record<WallPart, string>> = {
  runnable: "RUNNABLE",
  park: "PARKED",
  unknown: "PARKED",
  socket: "SYSCALL",
  call: "SYSCALL",
};
const STATE_OF: Partial<Record<WallPart, SpanState>> = { runnable: "running" };

interface Facts {
  length: number;
  /** Wall samples outside of pauses and in them. */
  wall: Partial<Record<WallPart, [outside: number, inside: number]>>;
  cpu?: number;
  park?: [from: number, to: number][];
  pauses?: [from: number, to: number][];
}

/** Times in ms. Samples of waits that have a method are in no pause: their state precedes it. */
function account({ length, wall, cpu = 0, park = [], pauses = [] }: Facts): Account {
  const extent = { start: 0n, end: BigInt(length * MS), from: "trace" as const };
  const made = new Account({ id: 1n, extent, children: [] }, null);
  for (const [part, [outside, inside]] of Object.entries(wall) as [WallPart, [number, number]][]) {
    const recorded = [RECORDED[part] ?? ""];
    if (outside > 0) {
      addCount(made.wall, part, outside, recorded);
      made.states.add(toldState(STATE_OF[part] ?? (part as SpanState), ""), outside);
    }
    if (inside > 0) {
      addCount(made.wall, "gc", inside, recorded);
      addCount(made.inPauses, part, inside, recorded);
      made.states.add("gc", inside);
    }
  }
  made.cpu.samples = cpu;
  made.cpu.nano = BigInt(cpu * CPU.period);
  const stretch = (part: CoveringPart, [from, to]: [number, number]) => ({ part, from: from * MS, to: to * MS });
  made.lasting.push(...park.map((each) => stretch("park", each)), ...pauses.map((each) => stretch("gc", each)));
  const nano = park.reduce((sum, [from, to]) => sum + BigInt((to - from) * MS), 0n);
  if (park.length > 0)
    made.events.set("park", { events: park.length, inferred: 0, nano, parts: new Map([["park", park.length]]) });
  return made;
}

function partsOf(facts: Facts) {
  const made = account(facts);
  const breakdown = breakdownOf(made, CPU);
  return { breakdown, opens: samplesOfParts(made, PROFILES, breakdown) };
}

const opened = (facts: Facts) =>
  partsOf(facts).opens.map(({ part, type, samples, inPauses }) => [part, type, samples, inPauses]);

describe("the samples of a part", () => {
  it("open with the pauses where all of their state are in one", () => {
    expect(opened({ length: 100, wall: { runnable: [8, 0], unknown: [0, 2] }, pauses: [[10, 30]] })).toEqual([
      ["runnable", "wall", 8, 0],
      ["gc", "wall", 2, 2],
    ]);
  });

  it("open with their state where some are outside of pauses, and then tell how many are inside", () => {
    const facts: Facts = { length: 100, wall: { runnable: [7, 1], unknown: [1, 1] }, pauses: [[10, 30]] };
    expect(opened(facts)).toEqual([
      ["runnable", "wall", 8, 1],
      ["unknown", "wall", 2, 1],
    ]);
    const { breakdown } = partsOf(facts);
    expect(breakdown.map(({ part, samples }) => [part, samples])).toEqual([
      ["cpu", 0],
      ["runnable", 7],
      ["unknown", 1],
      ["gc", 2],
    ]);
    expect(breakdown.find(({ part }) => part === "unknown")).toMatchObject({ nano: BigInt(10 * MS), measured: 0n });
  });

  it("open with CPU where CPU samples explain all threads that could run", () => {
    expect(opened({ length: 100, wall: { runnable: [5, 0], park: [5, 0] }, cpu: 6 })).toEqual([
      ["cpu", "cpu", 6, 0],
      ["cpu", "wall", 5, 0],
      ["park", "wall", 5, 0],
    ]);
  });

  it("open with what their stacks wait for where the recorder notes one state, and leave out earlier rows", () => {
    const recorded = ["RUNNABLE"];
    const made = account({ length: 100, wall: {} });
    for (const part of ["socket", "file", "idle", "runnable"] as const) addCount(made.wall, part, 1, recorded);
    addCount(made.wall, "gc", 2, recorded);
    addCount(made.inPauses, "gc", 1, recorded);
    addCount(made.inPauses, "runnable", 1, recorded);
    const frames = new Map(samplesOfParts(made, PROFILES, []).map((each) => [each.part, each.frames]));
    const finds = (part: string, stack: string[]) =>
      frames.get(part as "gc")?.every(({ pattern, exclude }) => {
        const finder = plainPattern(pattern, false);
        return stack.some((name) => finder?.test(name)) !== (exclude ?? false);
      });
    const stacks: [stack: string[], part: string][] = [
      [["sun.nio.ch.FileDispatcherImpl.write0", "sun.nio.ch.SocketChannelImpl.write"], "socket"],
      [["sun.nio.ch.FileDispatcherImpl.write0", "sun.nio.ch.FileChannelImpl.write"], "file"],
      [["sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select"], "idle"],
      [["VMThread::execute", "G1CollectedHeap::attempt_allocation_slow", "app.Work.run"], "gc"],
      [["app.Work.run", "sun.nio.ch.SelectorImpl.select"], "runnable"],
    ];
    for (const [stack, part] of stacks) {
      expect([...frames.keys()].filter((each) => finds(each, stack))).toEqual([part]);
    }
  });

  it("open at a part of 0 ns, too", () => {
    expect(opened({ length: 0, wall: { unknown: [1, 0] }, park: [[0, 1]] })).toEqual([
      ["park", "park", 1, 0],
      ["unknown", "wall", 1, 0],
    ]);
  });

  it("are each in one part that is shown, and in none that is not sampled", () => {
    const some = fc.integer({ min: 0, max: 12 });
    const both = fc.tuple(some, some);
    const outside = some.map((count): [number, number] => [count, 0]);
    const stretch = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 40 }));
    const stretches = fc.array(
      stretch.map(([from, length]): [number, number] => [from, from + length]),
      { maxLength: 3 },
    );
    const wall = fc.record({
      runnable: both,
      running: both,
      unknown: both,
      park: outside,
      socket: outside,
      call: outside,
    });
    const facts = fc.record({
      length: fc.integer({ min: 0, max: 100 }),
      wall,
      cpu: some,
      park: stretches,
      pauses: stretches,
    });
    fc.assert(
      fc.property(facts, (each) => {
        const { breakdown, opens } = partsOf(each);
        expect(breakdown.reduce((sum, { nano }) => sum + nano, 0n)).toBe(BigInt(each.length * MS));
        const rows = breakdown.map(({ part }) => part);
        for (const { part } of opens) {
          expect(rows).toContain(part);
          expect(part).not.toBe("unsampled");
        }
        const all = Object.values(each.wall).reduce((sum, [out, inside]) => sum + out + inside, 0);
        const ofWall = opens.filter(({ type }) => type === "wall");
        expect(ofWall.reduce((sum, { samples }) => sum + samples, 0)).toBe(all);
        const parts = breakdown.filter(({ part }) => part !== "cpu");
        const counted = parts.reduce((sum, { samples }) => sum + samples, 0);
        const explained = rows.includes("runnable") || rows.includes("running");
        const { runnable, running } = each.wall;
        expect(counted + (explained ? 0 : runnable[0] + running[0])).toBe(all);
        expect(parts.find(({ part }) => part === "unsampled")?.samples ?? 0).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});
