/** Parts of a span's time, and states of its samples. */
import { describe, expect, it } from "vitest";
import { partsOf, type Stretch } from "./parts.ts";
import { StateCounts, stateOf } from "./states.ts";

describe("parts of a time", () => {
  const sum = (parts: { nano: number }[]) => parts.reduce((all, { nano }) => all + nano, 0);

  it("add up to it; each moment is in the first part that covers it", () => {
    const stretches: Stretch[] = [
      { part: "socket", from: 10, to: 60 },
      { part: "lock", from: 20, to: 30 },
      { part: "lock", from: 25, to: 35 },
      { part: "gc", from: 55, to: 70 },
    ];
    const parts = partsOf(100, stretches, 12);
    expect(parts).toEqual([
      { part: "lock", nano: 15 },
      { part: "socket", nano: 35 },
      { part: "gc", nano: 10 },
      { part: "cpu", nano: 12 },
      { part: "other", nano: 28 },
    ]);
    expect(sum(parts)).toBe(100);
  });

  it("are cut to the time, and CPU to what is left", () => {
    const parts = partsOf(100, [{ part: "sleep", from: -50, to: 90 }], 500);
    expect(parts).toEqual([
      { part: "sleep", nano: 90 },
      { part: "cpu", nano: 10 },
    ]);
    expect(partsOf(0, [{ part: "park", from: -5, to: 5 }], 9)).toEqual([]);
  });
});

describe("a state", () => {
  it.each([
    ["CONTENDED", "java.lang.Thread.sleep", false, "lock"],
    ["RUNNABLE", "java.lang.Thread.sleep0", false, "sleep"],
    ["SLEEPING", "", false, "sleep"],
    ["PARKED", "jdk.internal.misc.Unsafe.park", false, "park"],
    ["WAITING", "java.lang.Object.wait0", true, "wait"],
    ["SYSCALL", "app.Work.run", true, "io"],
    ["RUNNABLE", "sun.nio.ch.NioSocketImpl.timedRead", false, "io"],
    ["RUNNABLE", "java.io.FileInputStream.readBytes", false, "io"],
    ["RUNNABLE", "java.io.BufferedReader.readLine", false, "running"],
    ["RUNNABLE", "app.Work.run", true, "gc"],
    ["STATE_RUNNABLE", "app.Work.run", false, "running"],
    ["", "", false, "running"],
    ["WAITING", "app.Work.run", false, "wait"],
    ["TERMINATED", "", false, "unknown"],
  ])("of %s in %s is the first that fits", (recorded, leaf, isPaused, state) => {
    expect(stateOf(recorded, leaf, isPaused)).toBe(state);
  });

  it("has a share with Wilson's interval", () => {
    const counts = new StateCounts();
    counts.add("io", 3);
    counts.add("running", 1);
    const [io, running] = counts.shares();
    expect([io?.state, io?.share, running?.state]).toEqual(["io", 0.75, "running"]);
    expect(io?.low).toBeCloseTo(0.3006, 4);
    expect(io?.high).toBeCloseTo(0.9544, 4);
    expect(new StateCounts().shares()).toEqual([]);
  });
});
