/** Parts of a span's time, and states of its samples. */
import { describe, expect, it } from "vitest";
import { bitsOf, stateOfBits } from "../context/stack-states.ts";
import { partsOf, type Stretch } from "./parts.ts";
import { StateCounts, stateOf, toldState } from "./states.ts";

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
    ["SYSCALL", "app.Work.run", true, "call"],
    ["RUNNABLE", "sun.nio.ch.NioSocketImpl.timedRead", false, "socket"],
    ["RUNNABLE", "java.io.FileInputStream.readBytes", false, "file"],
    ["RUNNABLE", "java.io.BufferedReader.readLine", false, "running"],
    ["RUNNABLE", "app.Work.run", true, "gc"],
    ["STATE_RUNNABLE", "app.Work.run", false, "running"],
    ["", "", false, "running"],
    ["WAITING", "app.Work.run", false, "wait"],
    ["TERMINATED", "", false, "unknown"],
    ["PARKED", "app.Work.run", false, "unknown"],
    ["STATE_SLEEPING", "app.Work.run < libjvm.so.ObjectMonitor::EnterI", false, "lock"],
    // Sockets of JDK 11 to 20 use FileDispatcherImpl.
    ["RUNNABLE", "sun.nio.ch.FileDispatcherImpl.write0 < sun.nio.ch.SocketChannelImpl.write", false, "socket"],
    ["RUNNABLE", "sun.nio.ch.FileDispatcherImpl.write0 < sun.nio.ch.FileChannelImpl.write", false, "file"],
    ["PARKED", "os::PlatformMonitor::wait < VMThread::execute < G1CollectedHeap::attempt_allocation_slow", false, "gc"],
    ["PARKED", "Monitor::wait < VMThread::execute < jmm_DumpThreads", false, "unknown"],
    ["RUNNABLE", "SafepointSynchronize::block < app.Work.run", false, "gc"],
    ["RUNNABLE", "SafepointSynchronize::block < java.lang.Thread.sleep", false, "sleep"],
    ["RUNNABLE", "epoll_wait < sun.nio.ch.EPoll.wait < sun.nio.ch.SelectorImpl.select", false, "idle"],
    ["RUNNABLE", "app.Handler.read < app.Loop.run < sun.nio.ch.SelectorImpl.select", false, "running"],
    ["PARKED", "jdk.internal.misc.Unsafe.park < java.util.concurrent.ThreadPoolExecutor.getTask", false, "idle"],
    ["PARKED", "jdk.internal.misc.Unsafe.park < java.util.concurrent.ArrayBlockingQueue.take", false, "park"],
    ["RUNNABLE", "sun.nio.ch.Net.accept < sun.nio.ch.NioSocketImpl.accept", false, "idle"],
    ["WAITING", "java.lang.Object.wait < java.util.TimerThread.mainLoop", false, "idle"],
    ["RUNNABLE", "app.Task.run < java.util.TimerThread.mainLoop", false, "running"],
  ])("of %s in %s is the first that fits", (recorded, stack, isPaused, state) => {
    const bits = stack.split(" < ").reduce((all, name) => all | bitsOf(name), 0);
    expect(stateOf(recorded, stateOfBits(bits), isPaused)).toBe(state);
  });

  it("is told by the pauses of the collector, and I/O of all kinds as one", () => {
    expect([toldState("gc", "RUNNABLE"), toldState("gc", "WAITING")]).toEqual(["running", "wait"]);
    const states = ["socket", "file", "call", "idle"] as const;
    expect(states.map((state) => toldState(state, ""))).toEqual(["io", "io", "io", "idle"]);
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
