/** What recorders leave out: limits that they reached, samples that they lost, and events that count all. */
import { describe, expect, it } from "vitest";
import { codes, emptyCore, feed, HeldCore, read } from "../../../test/kit/core/read-store.ts";
import { buildChunk, type Item } from "../../../test/kit/jfr/jfr-builder.ts";
import { lossChunk as chunk, events, item, MS, SECOND, setting } from "../../../test/kit/jfr/losses.ts";
import type { ExtraEvent, Filter, Loss } from "../types.ts";
import { why } from "../why.ts";
import { readOnlyNeeded } from "./read-filter.ts";

interface How {
  extra?: ExtraEvent[];
  filter?: Filter;
  types?: string[];
}

/** Losses by type, and the codes of diagnostics. */
async function lossesOf(items: Item[], { extra = [], filter, types }: How = {}) {
  const core = await emptyCore();
  core.reset(extra);
  if (filter !== undefined || types !== undefined)
    readOnlyNeeded(core, { filter: filter ?? {}, ...(types && { types }), stacks: true, all: false });
  core.beginFile("a.jfr", 0);
  feed(core, buildChunk(chunk(...items)).bytes);
  return core.profiles().flatMap(({ type, loss }): [string, Loss][] => (loss === undefined ? [] : [[type, loss]]));
}

const limited = (eventName: string, limit: string) => ({ limited: [{ event: eventName, limit, file: "a.jfr" }] });
const READS = (count: number, step: bigint) => events("jdk.FileRead", count, step, { duration: MS });

describe("a limit", () => {
  it.each([
    ["300/s", 600, SECOND / 300n],
    ["100/s", 93, SECOND / 93n],
    // A burst fills a window of 200 ms, and the second has only these.
    ["300/s", 60, MS],
    ["600/m", 200, 60n * MS],
    ["6/s", 12, SECOND / 6n],
    ["10/ms", 4000, 50_000n],
  ])("of %s is reached by %i events, %i ns apart", async (limit, count, step) => {
    const losses = await lossesOf([setting("jdk.FileRead", "throttle", limit), ...READS(count, step)]);
    expect(losses).toEqual([["file-read", limited("jdk.FileRead", limit)]]);
  });

  it.each([
    ["300/s", 300, 10n * MS],
    ["300/s", 40, MS],
    ["off", 600, MS],
    ["10 ms", 600, MS],
    ["", 600, MS],
    ["3/fortnight", 600, MS],
    ["/s", 600, MS],
  ])("of %j is not reached by %i events, %i ns apart", async (limit, count, step) => {
    expect(await lossesOf([setting("jdk.FileRead", "throttle", limit), ...READS(count, step)])).toEqual([]);
  });

  it("may be stated after the events that recorders limit by default", async () => {
    const losses = await lossesOf([...READS(600, MS), setting("jdk.FileRead", "throttle", "300/s")]);
    expect(losses).toEqual([["file-read", limited("jdk.FileRead", "300/s")]]);
  });

  it("of async-profiler is per second, of any event", async () => {
    const cpu = events("jdk.ExecutionSample", 40, 25n * MS);
    const space = events("jdk.ObjectAllocationInNewTLAB", 10, 25n * MS);
    const settings = [setting("jdk.ExecutionSample", "ratelimit", "20")];
    const more = [setting("jdk.ObjectAllocationInNewTLAB", "ratelimit", "50")];
    expect(await lossesOf([...settings, ...more, ...cpu, ...space])).toEqual([
      ["cpu", limited("jdk.ExecutionSample", "20/s")],
    ]);
    // A fifth of a second may have them all.
    const burst = events("jdk.ExecutionSample", 10, MS);
    expect(await lossesOf([...settings, ...burst])).toEqual([]);
  });

  it("is in the weights of an event that has them, but not in its number", async () => {
    const items = [
      setting("jdk.ObjectAllocationSample", "throttle", "150/s"),
      ...events("jdk.ObjectAllocationSample", 300, 5n * MS, { weight: 100n }),
    ];
    expect(await lossesOf(items)).toEqual([]);
    const extra = [{ event: "jdk.ObjectAllocationSample" }];
    expect(await lossesOf(items, { extra })).toEqual([
      ["jdk.ObjectAllocationSample", limited("jdk.ObjectAllocationSample", "150/s")],
    ]);
    expect(await lossesOf(items, { extra: [{ event: "jdk.ObjectAllocationSample", value: "weight" }] })).toEqual([]);
  });

  it("holds for events of a program", async () => {
    const items = [...events("acme.Order", 100, 10n * MS), setting("acme.Order", "throttle", "100/s")];
    expect(await lossesOf(items, { extra: [{ event: "acme.Order" }] })).toEqual([
      ["acme.Order", limited("acme.Order", "100/s")],
    ]);
  });

  it("is found in events of JDK 9 and 10, too", async () => {
    const items = [setting("com.oracle.jdk.FileWrite", "throttle", "300/s")];
    expect(await lossesOf([...items, ...events("com.oracle.jdk.FileWrite", 300, 3n * MS)])).toEqual([
      ["file-write", limited("jdk.FileWrite", "300/s")],
    ]);
  });

  it.each<[string, How]>([
    ["ids", { filter: { span: 7n } }],
    ["times", { filter: { time: { from: 0n, to: 2n ** 63n } } }],
    ["types", { types: ["file-read"] }],
  ])("is counted before a filter by %s keeps events out", async (_, how) => {
    const items = [setting("jdk.FileRead", "throttle", "300/s"), ...READS(600, 3n * MS)];
    const last = item("jdk.FileRead", 2n * SECOND, { spanId: 7n, localRootSpanId: 7n });
    expect(await lossesOf([...items, last], how)).toEqual([["file-read", limited("jdk.FileRead", "300/s")]]);
  });

  it("holds for the file that states it", async () => {
    const core = await emptyCore();
    const reads = READS(600, 3n * MS);
    for (const [name, items] of [
      ["a.jfr", [setting("jdk.FileRead", "throttle", "300/s"), ...reads]],
      ["b.jfr", [setting("jdk.FileRead", "throttle", "off"), ...reads.map((each) => ({ ...each }))]],
    ] as [string, Item[]][]) {
      core.beginFile(name, 0);
      feed(core, buildChunk(chunk(...items)).bytes);
    }
    expect(core.profiles()[0]?.loss).toEqual(limited("jdk.FileRead", "300/s"));
    expect(core.diagnostics().map(({ code, severity, file }) => [code, severity, file])).toEqual([
      ["jfr.event.throttled", "warning", "a.jfr"],
    ]);
    expect(core.diagnostics()[0]?.message).toMatch(/jdk\.FileRead .* 300\/s/);
  });

  it("is known from a counter where events have no times", async () => {
    const thrown = events("jdk.JavaExceptionThrow", 20, 0n, { startTime: -SECOND });
    const counts = [0n, 500n].map((throwables, i) =>
      item("jdk.ExceptionStatistics", BigInt(i) * SECOND, { throwables }),
    );
    const stated = setting("jdk.JavaExceptionThrow", "throttle", "100/s");
    expect(await lossesOf([stated, ...thrown, ...counts])).toEqual([
      [
        "exceptions",
        { ...limited("jdk.JavaExceptionThrow", "100/s"), counted: { event: "jdk.ExceptionStatistics", count: 500 } },
      ],
    ]);
    const few = [0n, 21n].map((throwables, i) => item("jdk.ExceptionStatistics", BigInt(i) * SECOND, { throwables }));
    expect(await lossesOf([stated, ...thrown, ...few])).toEqual([]);
    expect(await lossesOf([...thrown, ...counts])).toEqual([]);
  });

  it("has memory for one chunk", async () => {
    const far = events("jdk.FileRead", 40, 3600n * SECOND, { duration: MS });
    expect(await lossesOf([setting("jdk.FileRead", "throttle", "300/s"), ...far, ...READS(600, MS)])).toHaveLength(1);
  });
});

describe("samples of a few of each kind", () => {
  const samples = events("datadog.ExceptionSample", 60, 50n * MS, { type: "a.B" });
  const counts = (count: bigint) =>
    ["a.B", "c.D"].map((type) => item("datadog.ExceptionCount", 3n * SECOND, { type, count }));

  it("have the number that another event counts, each type of one time by itself", async () => {
    expect(await lossesOf([...samples, ...counts(1000n)])).toEqual([
      [
        "exceptions",
        { sampled: ["datadog.ExceptionSample"], counted: { event: "datadog.ExceptionCount", count: 2000 } },
      ],
    ]);
    expect(await lossesOf(samples)).toEqual([["exceptions", { sampled: ["datadog.ExceptionSample"] }]]);
  });

  it("are complete if no more are counted", async () => {
    expect(await lossesOf([...samples, ...counts(30n)])).toEqual([]);
  });

  it("have a rate of what is counted, for times and not for a part of the threads", async () => {
    const core = await read(chunk(...samples, ...counts(1000n)));
    const { id } = core.profiles()[0]!;
    const rates = (filter: Filter) => why(new HeldCore(core), { profile: id, measure: 0, filter }).rates;
    const [rate] = rates({}) ?? [];
    expect(rate).toMatchObject({ profile: id, event: "datadog.ExceptionCount", count: 2000 });
    expect(rate?.perSecond).toBeCloseTo(2000 / 2.95);
    expect(rates({ attributes: [{ key: "exception.type", value: "a.B" }] })).toEqual([]);
    const { from } = core.views.timeBounds()!;
    expect(rates({ time: { from, to: from + SECOND } })).toEqual([]);
  });
});

describe("a counter that only grows", () => {
  it("has a rate between its first and its last event", async () => {
    const counts = [70n, 1070n, 3070n].map((throwables, i) =>
      item("jdk.ExceptionStatistics", BigInt(i) * SECOND, { throwables }),
    );
    const thrown = events("jdk.JavaExceptionThrow", 600, 3n * MS);
    const stated = setting("jdk.JavaExceptionThrow", "throttle", "300/s");
    const core = await read(chunk(stated, ...thrown, ...counts));
    const { id } = core.profiles()[0]!;
    const { from } = core.views.timeBounds()!;
    const rates = (filter: Filter) =>
      why(new HeldCore(core), { profile: id, measure: 0, filter }).rates?.[0]?.perSecond;
    expect(rates({})).toBe(1500);
    expect(rates({ time: { from, to: from + SECOND + 1n } })).toBe(1000);
    expect(rates({ file: "other.jfr" })).toBeUndefined();
    expect(rates({ file: "built.jfr" })).toBe(1500);
  });
});

describe("lost samples", () => {
  const lost = (n: bigint) => item("jdk.CPUTimeSamplesLost", 0n, { lostSamples: n });

  it("weigh as much as the others; equal numbers of two threads add up", async () => {
    const samples = events("jdk.CPUTimeSample", 10, 10n * MS, { samplingPeriod: 10n * MS });
    expect(await lossesOf([...samples, lost(3n), lost(3n)])).toEqual([
      ["cpu-time", { lost: { event: "jdk.CPUTimeSample", samples: 6, value: 60n * MS } }],
    ]);
  });

  it("are of the files read after a mark", async () => {
    const core = await emptyCore();
    const marks = [115n, 7n].map((samples, i) => {
      const mark = core.kept.mark();
      core.beginFile(`${i}.jfr`, 0);
      feed(core, buildChunk(chunk(lost(samples))).bytes);
      return mark;
    });
    const told = (mark = core.kept.mark()) => core.diagnostics(mark).map(({ file, message }) => [file, message]);
    const messages = ["0.jfr", "1.jfr"].map((file, i) => [
      file,
      `the recorder lost ${[115, 7][i]} samples of jdk.CPUTimeSample`,
    ]);
    expect(marks.map(told)).toEqual([messages, messages.slice(1)]);
    expect(told()).toEqual([]);
  });

  it("are reported where there are no others", async () => {
    const core = await read(chunk(lost(115n)));
    expect(core.profiles()).toEqual([]);
    expect(codes(core)).toEqual(["jfr.event.lost"]);
    expect(core.diagnostics()[0]?.message).toContain("115 samples");
  });

  it("of any event are bytes", async () => {
    const items = [...READS(3, SECOND), item("jdk.DataLoss", 0n, { amount: 4096n })];
    expect(await lossesOf(items)).toEqual([["file-read", { dropped: { event: "jdk.DataLoss", bytes: 4096 } }]]);
  });
});
