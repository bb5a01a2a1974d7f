import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { ChunkSummary, FileSummary } from "../../core/types.ts";
import { doubtsOf, type RecordedFacts, SETTINGS } from "./doubts.ts";

const NONE: RecordedFacts = {
  ...{ profiles: [], files: [], cut: new Map(), canInfer: true },
  ...{ jvmCpuNanos: null, threads: 0, lost: new Map(), spans: null, clocks: [], trace: null },
};
const CPU = profileSummary({
  ...{ type: "cpu", samples: 100, samplesWithSpan: 100, events: { "datadog.ExecutionSample": 100 } },
  ...{ unit: "nanoseconds", value: 1_000_000_000n, periodType: "cpu", periodUnit: "nanoseconds", period: 10_000_000n },
});
const told = (facts: Partial<RecordedFacts>) =>
  doubtsOf({ ...NONE, ...facts }).map(({ about, words, setting }) => [
    about,
    words,
    ...(setting ?? "").split(/(?!^)$/),
  ]);
const wordsOf = (about: string, facts: Partial<RecordedFacts>) =>
  told(facts).flatMap(([of, words]) => (of === about ? words : []));

describe("what a recording cannot show", () => {
  it("is nothing of a recording without samples", () => expect(told({})).toEqual([]));

  it("is the context of samples without a span, inferred ones aside, or how to record ids", () => {
    const park = profileSummary({ type: "park", samples: 8, inferredSpan: 6, events: { "jdk.ThreadPark": 8 } });
    const sleep = profileSummary({ type: "sleep", samples: 8, events: { "jdk.ThreadSleep": 8 } });
    const facts = { profiles: [CPU, park, sleep] };
    expect(wordsOf("ids", facts)).toEqual(["Samples without a span: 25.0 % of park, all of sleep."]);
    expect(told({ profiles: [sleep], canInfer: false })[0]).toEqual([
      "ids",
      expect.stringContaining("No sample has a span id."),
      expect.stringContaining("-javaagent:dd-java-agent.jar"),
    ]);
  });

  it("is the root of cut stacks, with the setting of the profiler that takes deeper ones", () => {
    const [, words, setting] = told({ profiles: [CPU], cut: new Map([[0, 7]]) }).find(([about]) => about === "stacks")!;
    expect([words, setting]).toEqual([expect.stringContaining("7.0 % of cpu"), "-Ddd.profiling.stackdepth=512"]);
    const guide = readFileSync(new URL("../../../docs/recording.md", import.meta.url), "utf8");
    for (const each of Object.values(SETTINGS).flatMap((row) => Object.values(row))) expect(guide).toContain(each);
  });

  it("is each stack that the recorder could not read", () => {
    const [, words, setting] = told({ profiles: [CPU], lost: new Map([[0, 3]]) }).find(
      ([about]) => about === "stacks",
    )!;
    expect([words, setting]).toEqual([expect.stringContaining("3.0 % of cpu"), "-Ddd.profiling.ddprof.cstack=vm"]);
  });

  it("is an id that the trace contradicts, each with its kind, and a trace of other ids", () => {
    const trace = { spans: 9, sampled: 8, wrong: 3, outside: 1, elsewhere: 2, roots: 0, traces: 0 };
    expect(wordsOf("contradictions", { profiles: [CPU], trace })).toEqual([
      "The trace contradicts ids of samples: 3 of 8 spans with samples. 1 has samples outside of its time, 2 are of another process.",
    ]);
    expect(wordsOf("contradictions", { profiles: [CPU], trace: { ...trace, wrong: 0 } })).toEqual([]);
    expect(wordsOf("contradictions", { profiles: [CPU], trace: { ...trace, sampled: 0 } })).toEqual([
      "No sample has the id of one of the 9 spans of the trace.",
    ]);
    expect(wordsOf("contradictions", { profiles: [{ ...CPU, samplesWithSpan: 0 }], trace })).toEqual([]);
  });

  it("is the offset of a clock, and by how many spans it is known", () => {
    const clock = { offset: -1_500_000_000n, low: -1_600_000_000n, high: -1_400_000_000n, agree: 7, asked: 8 };
    expect(
      told({
        clocks: [
          { name: "a.jfr", clock },
          { name: "b.jfr", clock: { ...clock, offset: 72_900n } },
        ],
      }),
    ).toEqual([
      ["clocks", "The clock of a.jfr is 1.5 s behind that of the trace, by 7 of 8 spans.", "timedatectl set-ntp true"],
    ]);
  });

  it("is what the JDK's sampler does not look at", () => {
    const sampled = { ...CPU, events: { "jdk.ExecutionSample": 80 }, threads: 4 };
    expect(wordsOf("bias", { profiles: [sampled] })).toEqual([expect.stringMatching(/: 80 samples of 4 threads\.$/)]);
    expect(wordsOf("bias", { profiles: [CPU] })).toEqual([]);
    // async-profiler has the event, too.
    const settings = [{ event: "jdk.ExecutionSample", name: "interval", value: "3000000" }];
    expect(wordsOf("bias", { profiles: [{ ...sampled, settings }] })).toEqual([]);
    const lost = told({ profiles: [{ ...sampled, settings }], lost: new Map([[0, 1]]) });
    expect(lost.find(([about]) => about === "stacks")?.[2]).toBe("cstack=vm");
  });

  it("is what its recorder limits, and waits below a threshold that is on and longer than 1 ms", () => {
    const threshold = (event: string, value: string) => ({ event, name: "threshold", value });
    const settings = [threshold("jdk.ThreadPark", "20 ms"), threshold("jdk.ThreadSleep", "1 ms")];
    const off = { event: "jdk.SocketRead", name: "enabled", value: "false" };
    const park = profileSummary({
      ...{ type: "park", settings: [...settings, off, threshold("jdk.SocketRead", "10 ms")] },
      loss: { limited: [{ event: "jdk.ThreadPark", limit: "300/s", file: "a.jfr" }] },
    });
    expect(wordsOf("losses", { profiles: [park] })).toEqual(["At least (park): jdk.ThreadPark is limited to 300/s."]);
    expect(told({ profiles: [park] }).find(([about]) => about === "losses")?.[2]).toContain(
      "jdk.ThreadPark#throttle=off",
    );
    expect(told({ profiles: [park] }).find(([about]) => about === "thresholds")).toEqual([
      ...["thresholds", "Waits that are not recorded: park below 20 ms."],
      "-XX:StartFlightRecording=settings=profile,jdk.ThreadPark#threshold=1ms",
    ]);
  });

  it("are spans between two samples, where any sample has a span", () => {
    expect(wordsOf("periods", { profiles: [CPU] })).toEqual([expect.stringMatching(/: cpu every 10 ms\.$/)]);
    const spans = { known: 12, short: 5, period: 10_000_000n };
    expect(wordsOf("periods", { profiles: [CPU], spans })).toEqual([
      expect.stringMatching(/ 5 of 12 spans have no sample and a self time below 10 ms\.$/),
    ]);
    expect(wordsOf("periods", { profiles: [{ ...CPU, samplesWithSpan: 0 }] })).toEqual([]);
  });

  it("is the time between chunks that do not follow each other, whatever their order in the file", () => {
    const chunk = (start: bigint, seconds: bigint, copy?: true) =>
      ({ startUnixNano: start * 10n ** 9n, durationNano: seconds * 10n ** 9n, ...(copy && { copy }) }) as ChunkSummary;
    const of = (...chunks: ChunkSummary[]) =>
      wordsOf("gaps", { files: [{ name: "a.jfr", chunks } as unknown as FileSummary] });
    expect(of(chunk(100n, 60n), chunk(160n, 60n))).toEqual([]);
    expect(of(chunk(170n, 60n), chunk(100n, 60n))).toEqual([expect.stringMatching(/for 10 s, from .*02:40/)]);
    expect(of(chunk(100n, 60n), chunk(101n, 10n), chunk(160n, 5n))).toEqual([]);
  });

  it("is the CPU time that the JVM counts beyond the samples, and threads that no look has seen", () => {
    expect(wordsOf("cpu", { profiles: [CPU], jvmCpuNanos: 1.4e9 })).toEqual([]);
    expect(wordsOf("cpu", { profiles: [CPU], jvmCpuNanos: 4e9 })).toEqual([
      "Samples of cpu add up to 1 s of processor time; the JVM's own load (jdk.CPULoad) is 4 s.",
    ]);
    const wall = { ...CPU, type: "wall", meaning: { ...CPU.meaning, kind: "wall" as const }, threads: 3 };
    expect(wordsOf("threads", { profiles: [wall], threads: 20 })).toEqual([
      expect.stringContaining("3 threads, of up to 20"),
    ]);
    expect(wordsOf("threads", { profiles: [wall], threads: 2 })).toEqual([]);
  });
});
