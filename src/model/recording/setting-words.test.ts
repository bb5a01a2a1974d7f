import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { Setting } from "../../core/types.ts";
import { absenceSentences, settingSentences, switchSentences } from "./setting-words.ts";

/** `jdk.ThreadPark#threshold=10 ms`, as recorders' documentation writes it. */
function settings(...texts: string[]): Setting[] {
  return texts.map((text) => {
    const [, event = "", name = "", value = ""] = /^(.*)#(.*?)=(.*)$/.exec(text) ?? [];
    return { event, name, value };
  });
}

function said(texts: string[], more: Parameters<typeof profileSummary>[0] = { type: "cpu" }): string[] {
  return settingSentences(profileSummary({ ...more, settings: settings(...texts) }));
}

const NANOS = { periodUnit: "nanoseconds", period: 1n };
const BYTES = { periodUnit: "bytes", period: 1n };

describe("settingSentences", () => {
  it("says which waits are missing", () => {
    expect(said(["jdk.JavaMonitorEnter#threshold=10 ms"])).toEqual(["Waits under 10 ms are not recorded."]);
    expect(said(["jdk.JavaMonitorEnter#threshold=10 ms", "jdk.JavaMonitorWait#threshold=10 ms"])).toEqual([
      "Waits under 10 ms are not recorded.",
    ]);
    expect(said(["jdk.JavaMonitorEnter#threshold=1 ms", "jdk.JavaMonitorWait#threshold=10 ms"])).toEqual([
      "Not recorded: waits to enter a monitor under 1 ms, Object.wait calls under 10 ms.",
    ]);
    expect(said(["jdk.SocketRead#threshold=100 us"])).toEqual(["Reads under 100 µs are not recorded."]);
    expect(said(["acme.Job#threshold=20 ms"])).toEqual(["Events under 20 ms are not recorded."]);
  });

  it("says both values where files differ", () => {
    expect(said(["jdk.ThreadPark#threshold=10 ms", "jdk.ThreadPark#threshold=20 ms"])).toEqual([
      "Parks under 10 ms or 20 ms are not recorded.",
    ]);
  });

  it("says how samples of several intervals are added up", () => {
    const periods = [
      { period: 2_000_000n, samples: 4, value: 4n },
      { period: 5_000_000n, samples: 3, value: 3n },
    ];
    const measures = [{ name: "nanoseconds", type: "cpu", unit: "nanoseconds", value: 23_000_000n }];
    const timed = { type: "cpu", periodUnit: "nanoseconds", period: 0n, periods, measures };
    expect(said([], timed)).toEqual(["One sample every 2 ms or 5 ms.", "Each sample is weighted by its interval."]);
    const counted = {
      ...timed,
      periods: [{ ...periods[0]!, period: 0n }, periods[1]!],
      measures: [{ name: "samples", type: "cpu", unit: "samples", value: 7n }],
    };
    expect(said([], counted)).toEqual([
      "One sample every 5 ms.",
      "Samples are counted, not timed, because of 4 samples without a known interval.",
    ]);
    const sizes = [{ name: "bytes", type: "space", unit: "bytes", value: 7n }];
    expect(said([], { ...timed, measures: sizes })).toEqual(["One sample every 2 ms or 5 ms."]);
  });

  it("says how far samples are apart", () => {
    expect(said(["jdk.ExecutionSample#period=10 ms"])).toEqual(["One sample every 10 ms."]);
    expect(said(["jdk.ExecutionSample#period=everyChunk"])).toEqual([]);
    expect(said(["datadog.ExecutionSample#interval=5000000"], { type: "cpu", ...NANOS })).toEqual([
      "One sample every 5 ms.",
    ]);
    const alloc = { type: "alloc-samples", periodType: "alloc-samples", ...BYTES };
    expect(said(["jdk.ObjectAllocationInNewTLAB#alloc=262144"], alloc)).toEqual([
      "One sample every 256 KiB allocated.",
    ]);
    expect(said(["profiler.Malloc#nativemem=65536"], { type: "malloc", periodType: "malloc", ...BYTES })).toEqual([
      "One sample every 64 KiB allocated.",
    ]);
    expect(said([], { type: "cpu", periodUnit: "nanoseconds", period: 9_000_000n })).toEqual([
      "One sample every 9 ms.",
    ]);
  });

  it("says that the kernel's timer is coarser than the interval", () => {
    const tick = { type: "cpu", periodUnit: "nanoseconds", period: 4_000_000n, statedPeriod: 2_000_000n };
    const sentence =
      "The recording states one sample every 2 ms, but hardly any two of a thread are closer than 4 ms: " +
      "the kernel's timer is coarser. Each counts 4 ms of CPU time.";
    expect(said(["datadog.ExecutionSample#interval=2000000"], tick)).toEqual([sentence]);
    const { period, statedPeriod } = tick;
    const periods = [
      { period, statedPeriod, samples: 4, value: 4n },
      { period: 5_000_000n, samples: 3, value: 3n },
    ];
    expect(said([], { type: "cpu", periodUnit: "nanoseconds", period: 0n, periods })).toContain(sentence);
  });

  it("takes of async-profiler's modes the one of the profile", () => {
    const both = ["jdk.ExecutionSample#interval=3000000", "jdk.ExecutionSample#wall=30000000"];
    expect(said(both, { type: "cpu", periodType: "cpu", ...NANOS })).toEqual(["One sample every 3 ms."]);
    expect(said(both.slice(1), { type: "wall", periodType: "wall", ...NANOS })).toEqual(["One sample every 30 ms."]);
    const unset = { type: "cpu", periodType: "cpu", ...NANOS, period: 10_000_000n };
    expect(said(["jdk.ExecutionSample#interval=0"], unset)).toEqual(["One sample every 10 ms."]);
  });

  it("says what a throttle lets through", () => {
    expect(said(["jdk.ObjectAllocationSample#throttle=300/s"])).toEqual(["At most 300 a second."]);
    expect(said(["jdk.ObjectAllocationSample#throttle=5/min"])).toEqual(["At most 5 a min."]);
    expect(said(["jdk.CPUTimeSample#throttle=5ms"])).toEqual(["One sample every 5 ms of CPU time."]);
  });

  it("warns of short waits in either meaning of lock=", () => {
    expect(said(["jdk.JavaMonitorEnter#lock=100000", "jdk.ThreadPark#lock=100000"])).toEqual([
      "Short waits are left out (lock=100 µs).",
    ]);
  });

  it("keeps silent on what it does not know", () => {
    expect(said(["jdk.X#stackTrace=true", "jdk.X#wall=abc", "jdk.X#throttle=fast"])).toEqual([]);
  });
});

describe("absenceSentences", () => {
  const events = ["jdk.JavaMonitorEnter", "jdk.JavaMonitorWait"];

  it("says what the settings hide, and nothing of other events", () => {
    const all = settings(
      "jdk.JavaMonitorEnter#enabled=true",
      "jdk.JavaMonitorEnter#threshold=20 ms",
      "jdk.ThreadPark#threshold=1 s",
    );
    expect(absenceSentences(events, all)).toEqual(["Waits under 20 ms are not recorded."]);
    expect(absenceSentences(events, settings("jdk.JavaMonitorEnter#threshold=0 ns"))).toEqual([]);
  });

  it("says that an event is off before it says a threshold of it", () => {
    const locks = ["jdk.JavaMonitorEnter#enabled=true", "jdk.JavaMonitorEnter#threshold=1 ms"];
    const wait = ["jdk.JavaMonitorWait#enabled=false", "jdk.JavaMonitorWait#threshold=100 ms"];
    const sentences = [
      "Waits under 1 ms are not recorded.",
      "Object.wait is not recorded (jdk.JavaMonitorWait is off).",
    ];
    expect(absenceSentences(events, settings(...locks, ...wait))).toEqual(sentences);
    expect(said([...locks, ...wait])).toEqual(sentences);
    expect(said([...locks, ...wait, "jdk.JavaMonitorWait#enabled=true"])).toEqual([
      "Not recorded: waits to enter a monitor under 1 ms, Object.wait calls under 100 ms.",
    ]);
    expect(said(["acme.Job#enabled=false"])).toEqual(["acme.Job is off."]);
  });

  it("says that the event was off only if nothing switched it on", () => {
    expect(absenceSentences(events, settings("jdk.JavaMonitorEnter#enabled=false"))).toEqual([
      "It was switched off in this recording.",
    ]);
    expect(
      absenceSentences(events, settings("jdk.JavaMonitorEnter#enabled=false", "jdk.JavaMonitorWait#enabled=true")),
    ).toEqual(["Waiting to enter a monitor is not recorded (jdk.JavaMonitorEnter is off)."]);
  });
});

describe("switchSentences", () => {
  it("says of each event that settings name whether it was on", () => {
    const all = settings(
      "jdk.ExecutionSample#enabled=true",
      "jdk.ExecutionSample#enabled=false",
      "jdk.JavaMonitorEnter#enabled=false",
    );
    expect(switchSentences(["jdk.ExecutionSample", "jdk.JavaMonitorEnter", "jdk.ThreadPark"], all)).toEqual([
      "jdk.ExecutionSample was on, but the recording has no such event.",
      "jdk.JavaMonitorEnter was off.",
    ]);
  });
});
