/**
 * What the JVM measured, as recordings state it; against real recordings: test/differential/measurements.test.ts.
 */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { readInputs } from "../../../src/input/open.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { buildChunk, type Item, type TypeSpec } from "../../kit/jfr/jfr-builder.ts";
import { CPU, cpuType, DURATION, event, field, JVM_TYPES, ref, START } from "../../kit/jfr/jfr-types.ts";

const SECOND = 1_000_000_000n;
const MIB = 1024 * 1024;

const BYTES = { unit: "BYTES", annotation: "jdk.jfr.DataAmount" };
const WHEN: TypeSpec = { name: "jdk.types.GCWhen", simple: true, fields: [field("when", "java.lang.String")] };
const LOAD = event("jdk.CPULoad", [
  START,
  ...["jvmUser", "jvmSystem", "machineTotal"].map((name) => field(name, "float")),
]);
const HEAP = event("jdk.GCHeapSummary", [
  START,
  field("gcId", "int"),
  ref("when", "jdk.types.GCWhen"),
  field("heapUsed", "long", BYTES),
]);
const THREADS = event("jdk.JavaThreadStatistics", [START, field("activeCount", "long"), field("peakCount", "long")]);
const OPERATION = event("jdk.ExecuteVMOperation", [START, DURATION, field("safepoint", "boolean")]);
const SAFEPOINT = event("jdk.SafepointBegin", [START, DURATION]);
const THROTTLING = event("jdk.ContainerCPUThrottling", [
  START,
  field("cpuElapsedSlices", "long"),
  field("cpuThrottledTime", "long", { unit: "NANOSECONDS" }),
]);
const TYPES = [...JVM_TYPES, cpuType(), WHEN, LOAD, HEAP, THREADS, OPERATION, SAFEPOINT, THROTTLING];

const at = (startTime: bigint, name: string, values: Record<string, number | bigint>) =>
  ({ event: name, values: { startTime, ...values } }) as Item;
const load = (time: bigint, jvmUser: number, jvmSystem: number, machineTotal: number) =>
  at(time, LOAD.name, { jvmUser, jvmSystem, machineTotal });
/** Key 1 of the pool is before a collection, 2 after it. */
const heap = (time: bigint, when: bigint, heapUsed: number) =>
  at(time, HEAP.name, { gcId: 1n, when, heapUsed: BigInt(heapUsed) });
const POOL: Item = {
  checkpoint: [
    {
      type: WHEN.name,
      entries: [
        [1n, { when: "Before GC" }],
        [2n, { when: "After GC" }],
      ],
    },
  ],
};
const SAMPLE: Item = {
  event: CPU,
  values: { startTime: SECOND, eventThread: 0n, stackTrace: 0n, weight: 1n, spanId: 0n, localRootSpanId: 0n },
};

async function opened(items: Item[], types = TYPES) {
  const core = await emptyCore();
  const { bytes } = buildChunk({ types, items: [SAMPLE, ...items, POOL], durationNanos: 10n * SECOND });
  await readInputs(core, [{ name: "a.jfr", source: bytesSource(bytes) }]);
  const [row] = core.views.timeRows();
  if (row === undefined) throw new Error("no row of time");
  const summary = core.views.seriesSummary().map(({ file: _, ...series }) => series);
  return { core, row, summary };
}

describe("measurements", () => {
  it("are the fields of the catalogue, added up, of events that meet the condition", async () => {
    const { summary, row } = await opened([
      load(SECOND, 0.25, 0.125, 0.5),
      load(2n * SECOND, 0.5, 0.25, 0.875),
      heap(3n * SECOND, 1n, 9 * MIB),
      heap(4n * SECOND, 2n, 5 * MIB),
      at(SECOND, THREADS.name, { activeCount: 17n, peakCount: 40n }),
      at(5n * SECOND, OPERATION.name, { duration: 7_000n, safepoint: 1n }),
      at(6n * SECOND, OPERATION.name, { duration: 999_000n, safepoint: 0n }),
      at(6n * SECOND, SAFEPOINT.name, { duration: 3_000n }),
    ]);
    expect(row.measured).toBe(true);
    expect(summary).toEqual([
      { series: "cpu-machine", unit: "share", values: 2, least: 0.5, most: 0.875 },
      { series: "cpu-process", unit: "share", values: 2, least: 0.375, most: 0.75 },
      { series: "heap", unit: "bytes", values: 1, least: 5 * MIB, most: 5 * MIB },
      { series: "threads", unit: "count", values: 1, least: 17, most: 17 },
      { series: "safepoints", unit: "nanoseconds", values: 2, least: 3000, most: 7000 },
    ]);
  });

  it("leave out what is no number, and events without their fields", async () => {
    const bare = event("jdk.JavaThreadStatistics", [START]);
    const { summary } = await opened(
      [
        load(SECOND, Number.NaN, 0, Number.POSITIVE_INFINITY),
        load(2n * SECOND, 0.5, 0, 0.5),
        at(SECOND, bare.name, {}),
        heap(SECOND, 7n, 5 * MIB),
      ],
      [...TYPES.filter(({ name }) => name !== bare.name), bare],
    );
    expect(summary.map(({ series, values }) => [series, values])).toEqual([
      ["cpu-machine", 1],
      ["cpu-process", 1],
    ]);
  });

  it("are none in a file without them", async () => {
    const { core, row, summary } = await opened([]);
    expect([row.measured, summary, core.views.series(row, row, 10)]).toEqual([false, [], []]);
  });
});

describe("rates", () => {
  it("of allocation are the growth of the heap from one collection to the next", async () => {
    const { core, row } = await opened([
      heap(SECOND, 1n, 9 * MIB),
      heap(2n * SECOND, 2n, 4 * MIB),
      heap(4n * SECOND, 1n, 10 * MIB),
      // Freed meanwhile, by a collector that runs beside the program: no rate.
      heap(5n * SECOND, 2n, 6 * MIB),
      heap(6n * SECOND, 1n, 5 * MIB),
      // The end of a collection without a beginning: no rate up to it.
      heap(7n * SECOND, 2n, 3 * MIB),
      heap(8n * SECOND, 2n, 2 * MIB),
      heap(9n * SECOND, 1n, 3 * MIB),
    ]);
    const rates = core.views.series(row, row, 10).find(({ id }) => id === "allocation");
    expect(rates).toMatchObject({ unit: "bytes/s", count: 2, least: MIB, most: 3 * MIB });
    const none = Number.NaN;
    expect([...(rates?.high ?? [])]).toEqual([none, none, 3 * MIB, 3 * MIB, none, none, none, none, MIB, none]);
  });

  it("of throttling are shares of the time between two readings", async () => {
    const throttled = (time: bigint, nanos: bigint) =>
      at(time, THROTTLING.name, { cpuElapsedSlices: 1n, cpuThrottledTime: nanos });
    const { summary } = await opened([
      throttled(SECOND, 100n),
      throttled(3n * SECOND, 100n + SECOND),
      throttled(4n * SECOND, 50n),
      throttled(6n * SECOND, 50n + SECOND / 2n),
    ]);
    expect(summary).toEqual([{ series: "throttled", unit: "share", values: 2, least: 0.25, most: 0.5 }]);
  });
});

it("a bin has the least and the greatest value in it, and nothing from outside what is shown", async () => {
  const { core, row } = await opened([
    load(SECOND, 0.125, 0, 0.5),
    load(2n * SECOND, 0.25, 0, 0.75),
    load(2n * SECOND + 1n, 0.875, 0, 0.25),
    load(8n * SECOND, 1, 0, 1),
  ]);
  const shown = { from: row.from + 2n * SECOND, to: row.from + 4n * SECOND };
  const machine = core.views.series(row, shown, 2).find(({ id }) => id === "cpu-machine");
  expect([machine?.low[0], machine?.high[0], machine?.high[1]]).toEqual([0.25, 0.75, Number.NaN]);
  // The scale is that of the whole file.
  expect(machine).toMatchObject({ least: 0.25, most: 1, count: 4 });
});

it("beyond the limit are counted", async () => {
  const many = Array.from({ length: 262_144 + 7 }, (_, i) =>
    at(BigInt(i), THREADS.name, { activeCount: 5n, peakCount: 5n }),
  );
  const { core, summary } = await opened(many);
  expect([summary[0]?.values, core.views.measurementsBeyond()]).toEqual([262_144, 7]);
});
