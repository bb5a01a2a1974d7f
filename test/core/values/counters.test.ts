/** Counters since a start, levels, unknown values and fractions of events outside of the catalogue. */
import { describe, expect, it } from "vitest";
import { readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import { readingOf } from "../../../src/core/tables/readings.ts";
import type { ExtraEvent } from "../../../src/core/types.ts";
import { codes, emptyCore, feed, observations } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, type FieldSpec, type Value } from "../../kit/jfr/jfr-builder.ts";
import { Constants, event, field, JVM_TYPES, MAIN, ref, START, THREAD, type Thread } from "../../kit/jfr/jfr-types.ts";

interface Row {
  at: bigint;
  value: Value;
  method?: string;
  thread?: Thread;
}

const OTHER: Thread = { javaName: "other", javaId: 2n, osName: "other", osId: 2n };
const JVM = event("jdk.JVMInformation", [START, field("jvmStartTime", "long"), field("pid", "long")]);

interface Kind {
  name?: string;
  of?: FieldSpec;
  more?: FieldSpec[];
  /** Of the process; without it the file is a process. */
  pid?: bigint;
}

function chunk(
  rows: Row[],
  { name = "jdk.ExceptionStatistics", of = field("throwables", "long"), more = [], pid }: Kind,
) {
  const c = new Constants();
  const items = rows.map(({ at, value, method, thread }) => ({
    event: name,
    values: {
      startTime: at,
      [of.name]: value,
      ...(method === undefined ? {} : { method: c.method({ className: "a/B", method }) }),
      ...(thread === undefined ? {} : { eventThread: c.thread(thread), thread: c.thread(thread) }),
    } as Record<string, Value>,
  }));
  const jvm = pid === undefined ? [] : [{ event: JVM.name, values: { startTime: 1n, jvmStartTime: 77n, pid } }];
  const types = [...JVM_TYPES, JVM, event(name, [START, of, ...more])];
  return { types, items: [...jvm, ...items, { checkpoint: c.all() }] } satisfies ChunkSpec;
}

/** A core with files of these chunks, and a profile of the event by the field. */
async function coreOf(extra: ExtraEvent, ...files: ChunkSpec[][]) {
  const core = await emptyCore();
  core.reset([extra]);
  for (const [i, chunks] of files.entries()) {
    core.beginFile(`${i}.jfr`, 0);
    for (const each of chunks) feed(core, buildChunk(each).bytes);
  }
  return core;
}

const THROWABLES = { event: "jdk.ExceptionStatistics", value: "throwables" };
const growth = (...values: [bigint, bigint][]): Row[] => values.map(([at, value]) => ({ at, value }));

describe("a counter", () => {
  it("counts its growth, the first value with all before it", async () => {
    const core = await coreOf(THROWABLES, [
      chunk(growth([10n, 100n], [20n, 130n]), {}),
      chunk(growth([40n, 150n], [30n, 140n]), {}),
    ]);
    const [profile] = core.profiles();
    expect(profile).toMatchObject({ value: 150n, samples: 4 });
    const values = observations(core, profile?.otlpType).map(({ time, value }) => [Number(time % 100n), value]);
    expect(new Set(values.map(String))).toEqual(new Set(["10,100", "20,30", "30,10", "40,10"]));
  });

  it("is one for each method, which is the frame", async () => {
    const more = [ref("method", "jdk.types.Method")];
    const kind = { name: "jdk.MethodTiming", of: field("invocations", "long"), more };
    const rows: Row[] = [
      { at: 1n, value: 5n, method: "spin" },
      { at: 1n, value: 7n, method: "work" },
      { at: 2n, value: 6n, method: "spin" },
    ];
    const core = await coreOf({ event: "jdk.MethodTiming", value: "invocations" }, [chunk(rows, kind)]);
    core.select(core.profiles()[0]!.id, {});
    expect(core.views.top("self", 0, 9).rows.map(({ name, self }) => [name, self])).toEqual([
      ["a.B.work", 7n],
      ["a.B.spin", 6n],
    ]);
  });

  it("is one for each thread, also where another thread writes it", async () => {
    for (const own of [THREAD, ref("thread", "java.lang.Thread")]) {
      const kind = { name: "jdk.ThreadAllocationStatistics", of: field("allocated", "long"), more: [own] };
      const rows: Row[] = [
        { at: 1n, value: 50n, thread: MAIN },
        { at: 1n, value: 70n, thread: OTHER },
        { at: 2n, value: 60n, thread: MAIN },
      ];
      const core = await coreOf({ event: kind.name, value: "allocated" }, [chunk(rows, kind)]);
      const { id } = core.profiles()[0]!;
      core.select(id, {});
      const named = core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 9).rows;
      expect(named.map(({ label, value }) => [label, value])).toEqual([
        ["other", 70n],
        ["main", 60n],
      ]);
    }
  });

  it("is one for each of several at one time that nothing distinguishes", async () => {
    const core = await coreOf(THROWABLES, [
      chunk(growth([10n, 100n], [10n, 7n]), {}),
      chunk(growth([20n, 101n], [20n, 9n]), {}),
    ]);
    expect(core.profiles()[0]?.value).toBe(110n);
  });

  it("goes on from file to file of a process, in any order and read twice", async () => {
    const first = chunk(growth([10n, 100n], [20n, 130n]), { pid: 7n });
    const second = chunk(growth([30n, 150n]), { pid: 7n });
    for (const files of [
      [[first], [second]],
      [[second], [first]],
      [[first], [second], [first, second]],
    ]) {
      expect((await coreOf(THROWABLES, ...files)).profiles()[0]?.value).toBe(150n);
    }
    const other = chunk(growth([30n, 150n]), { pid: 8n });
    expect((await coreOf(THROWABLES, [first], [other])).profiles()[0]?.value).toBe(280n);
    const unknown = chunk(growth([30n, 150n]), {});
    expect((await coreOf(THROWABLES, [unknown], [unknown])).profiles()[0]?.value).toBe(300n);
  });

  it("that was set back counts from 0 again", async () => {
    const core = await coreOf(THROWABLES, [chunk(growth([10n, 100n], [20n, 30n], [30n, 40n]), {})]);
    expect(core.profiles()[0]?.value).toBe(140n);
  });
});

describe("a level", () => {
  it.each([
    ["by its name", "jdk.GCHeapSummary", field("heapUsed", "long")],
    ["by the annotation of a share", "a.Cache", field("hits", "float", { annotation: "jdk.jfr.Percentage" })],
    [
      "by that of a time",
      "a.Job",
      field("due", "long", { annotation: "jdk.jfr.Timestamp", unit: "MILLISECONDS_SINCE_EPOCH" }),
    ],
    ["by that of a mean", "a.Job", field("averageLatency", "long")],
  ])("%s has no profile, and says so", async (_, name, of) => {
    const rows = growth([1n, 5n], [2n, 6n]).map((row) => ({ ...row, value: of.type === "float" ? 0.5 : row.value }));
    const core = await coreOf({ event: name, value: of.name }, [chunk(rows, { name, of })]);
    expect(core.profiles()).toEqual([]);
    expect(codes(core)).toEqual(["jfr.value.level"]);
    const counted = await coreOf({ event: name }, [chunk(rows, { name, of })]);
    expect(counted.profiles()[0]?.value).toBe(2n);
  });

  it("is no amount of another event", () => {
    expect(readingOf("jdk.FileRead", "bytesRead")).toBe("amount");
    expect(readingOf("a.Order", "items")).toBe("amount");
    expect(readingOf("jdk.ClassLoad", "duration")).toBe("amount");
    expect(readingOf("jdk.EvacuationInformation", "bytesCopied")).toBe("amount");
    expect(readingOf("jdk.EvacuationInformation", "cSetUsedBefore")).toBe("level");
    expect(readingOf("jdk.ThreadCPULoad", "user")).toBe("level");
    expect(readingOf("a.Order", "maximum")).toBe("level");
    expect(readingOf("a.Order", "grid")).toBe("amount");
  });
});

describe("a value that is none", () => {
  it.each([
    ["long", -(2n ** 63n), 5n],
    ["int", -(2n ** 31n), 5n],
    ["float", Number.NaN, 5],
  ])("of a %s is left out", async (type, none, some) => {
    const of = field("size", type);
    const rows = [none, some].map((value, i) => ({ at: BigInt(i), value }));
    const core = await coreOf({ event: "a.Job", value: "size" }, [chunk(rows, { name: "a.Job", of })]);
    expect(core.profiles()[0]).toMatchObject({ samples: 1, value: type === "float" ? 5000n : 5n });
    expect(codes(core)).toEqual(["jfr.value.missing"]);
  });
});

it("a field is added up where only some samples are wanted", async () => {
  const kind = { name: "a.Job", of: field("size", "long"), more: [THREAD] };
  const rows: Row[] = [
    { at: 1n, value: 5n, thread: MAIN },
    { at: 9n, value: 0n, thread: MAIN },
    { at: 2n, value: -(2n ** 63n), thread: MAIN },
    { at: 3n, value: 7n, thread: OTHER },
  ];
  const core = await emptyCore();
  core.reset([{ event: "a.Job", value: "size" }]);
  readOnlyNeeded(core, { types: ["a.Job.size"], filter: {}, stacks: true, all: false });
  core.beginFile("built.jfr", 0);
  feed(core, buildChunk(chunk(rows, kind)).bytes);
  expect(core.profiles()).toMatchObject([{ samples: 3, value: 12n }]);
});

it("fractions without a unit are thousandths", async () => {
  const rows = [1.5, 1.5, 0.25].map((value, i) => ({ at: BigInt(i), value }));
  const kind = { name: "a.Job", of: field("cost", "double") };
  const core = await coreOf({ event: "a.Job", value: "cost" }, [chunk(rows, kind)]);
  expect(core.profiles()[0]).toMatchObject({ unit: "thousandths", value: 3250n });
});
