/** Profiles with the sample types, labels and units that docs/producers.md states of producers; none was recorded. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { type PprofSpec, pprofOf, type SampleSpec } from "../../kit/otlp/pprof-message.ts";

async function read(name: string, bytes: Uint8Array): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}
const totals = (core: Core) => core.profiles().map(({ type, unit, value }) => [type, unit, value]);

const SPAN = 0xf123456789abcdefn;
const ROOT = 0x8000000000000001n;
const IDS = { "span id": SPAN, "local root span id": ROOT };

describe("pprof of Datadog's other tracers", () => {
  it.each<[string, PprofSpec["types"], SampleSpec["labels"]]>([
    [
      "Node",
      [
        ["sample", "count"],
        ["wall", "nanoseconds"],
      ],
      { ...IDS, "thread name": "Main Event Loop", "thread id": "0", "os thread id": "7" },
    ],
    [
      "PHP",
      [
        ["sample", "count"],
        ["wall-time", "nanoseconds"],
        ["cpu-time", "nanoseconds"],
      ],
      { ...IDS, "thread id": 7n, "thread name": "php-fpm" },
    ],
    [
      ".NET",
      [
        ["cpu", "nanoseconds"],
        ["cpu-samples", "count"],
      ],
      { ...IDS, "thread id": "<3> [# 7]", "thread name": "pool", "appdomain name": "shop" },
    ],
  ])("%s: all sample types, ids and the thread", async (_, types, labels = {}) => {
    const values = types.map((__, i) => 10 + i);
    const core = await read("a.pprof", pprofOf({ types, samples: [{ stack: ["leaf", "main"], values, labels }] }));
    expect(codes(core)).toEqual([]);
    expect(totals(core)).toEqual(types.map(([type, unit], i) => [type, unit, BigInt(10 + i)]));
    for (const profile of core.profiles()) {
      expect(profile).toMatchObject({ samplesWithSpan: 1, samplesWithRoot: 1, threads: 1 });
      expect(core.select(profile.id, { span: SPAN, localRoot: ROOT }).samples).toBe(1);
    }
  });
});

describe("OTLP of OpenTelemetry's eBPF profiler", () => {
  const attribute = (keyStrindex: number, value: object) => ({ keyStrindex, value });
  const message = {
    resourceProfiles: [
      {
        resource: { attributes: [{ key: "container.id", value: { stringValue: "c1" } }] },
        scopeProfiles: [
          {
            profiles: [
              {
                sampleType: { typeStrindex: 1, unitStrindex: 2 },
                periodType: { typeStrindex: 3, unitStrindex: 4 },
                period: "50000000",
                samples: [
                  { stackIndex: 1, attributeIndices: [1], linkIndex: 1, timestampsUnixNano: ["1000", "2000", "3000"] },
                ],
              },
              {
                sampleType: { typeStrindex: 5, unitStrindex: 4 },
                samples: [
                  { stackIndex: 1, attributeIndices: [1], values: ["70", "80"], timestampsUnixNano: ["1", "2"] },
                ],
              },
            ],
          },
        ],
      },
    ],
    dictionary: {
      stringTable: ["", "samples", "count", "cpu", "nanoseconds", "off_cpu", "thread.name", "libc.so", "work"].concat([
        "profile.frame.type",
        "process.executable.build_id.gnu",
        "process.executable.build_id.htlhash",
      ]),
      mappingTable: [{}, { filenameStrindex: 7, attributeIndices: [3, 4] }],
      functionTable: [{}, { nameStrindex: 8 }],
      locationTable: [
        {},
        { mappingIndex: 1, address: "4660", attributeIndices: [2] },
        { lines: [{ functionIndex: 1, line: "3" }], attributeIndices: [5] },
      ],
      linkTable: [{}, { traceId: "640f0b2a000000008000000000000001", spanId: "f123456789abcdef" }],
      attributeTable: [
        {},
        attribute(6, { stringValue: "worker" }),
        attribute(9, { stringValue: "native" }),
        attribute(10, { stringValue: "abcd" }),
        attribute(11, { stringValue: "ef01" }),
        attribute(9, { stringValue: "cpython" }),
      ],
      stackTable: [{}, { locationIndices: [1, 2] }],
    },
  };

  it("counts timestamps without values, and has off-CPU time, native frames and the span of a sample", async () => {
    const core = await read("a.json", new TextEncoder().encode(JSON.stringify(message)));
    expect(codes(core)).toEqual([]);
    expect(totals(core)).toEqual([
      ["samples", "count", 3n],
      ["off_cpu", "nanoseconds", 150n],
    ]);
    const [onCpu, offCpu] = core.profiles();
    expect([onCpu!.meaning.kind, offCpu!.meaning.kind]).toEqual(["cpu", "off-cpu"]);
    expect(onCpu).toMatchObject({ samplesWithSpan: 3, period: 50_000_000n });
    expect(core.select(onCpu!.id, { span: SPAN }).value).toBe(3n);
    expect(core.views.top("self", 0, 9).rows.map(({ name }) => name)).toEqual(["libc.so+0x1234", "work"]);
    const { bytes } = core.write(null, {}, { format: "otlp-json" });
    const text = new TextDecoder().decode(bytes);
    for (const said of ["cpython", "build_id.htlhash", "build_id.gnu", "container.id"]) expect(text).toContain(said);
  });
});

describe("OTLP of async-profiler", () => {
  const STRINGS = ["", "thread.name", "java/lang/Thread.run_[j]", "Work.spin", "__schedule_[k]", "JavaThread::sleep"];
  const message = (types: [type: string, unit: string, periodType: string, periodUnit: string][]) => {
    const strings = [...STRINGS, ...new Set(types.flat())];
    const text = (wanted: string) => strings.lastIndexOf(wanted);
    const profiles = types.map(([type, unit, periodType, periodUnit]) => ({
      sampleType: { typeStrindex: text(type), unitStrindex: text(unit) },
      periodType: { typeStrindex: text(periodType), unitStrindex: text(periodUnit) },
      period: "10000000",
      samples: [{ stackIndex: 1, attributeIndices: [1], values: ["3"] }],
    }));
    return {
      resourceProfiles: [{ scopeProfiles: [{ profiles }] }],
      dictionary: {
        stringTable: strings,
        functionTable: [{}, ...[2, 3, 4, 5].map((nameStrindex) => ({ nameStrindex }))],
        locationTable: [{}, ...[1, 2, 3, 4].map((functionIndex) => ({ lines: [{ functionIndex }] }))],
        attributeTable: [{}, { keyStrindex: 1, value: { stringValue: "[burner tid=7]" } }],
        stackTable: [{}, { locationIndices: [3, 4, 2, 1] }],
      },
    };
  };
  const readTypes = (...types: Parameters<typeof message>[0]) =>
    read("a.json", new TextEncoder().encode(JSON.stringify(message(types))));

  it.each([
    [
      ["perf_events", "count", "perf_events", "ns"],
      ["cpu", "samples", "cpu", "nanoseconds"],
      ["cpu", 1e7],
    ],
    [
      ["itimer", "count", "itimer", "ns"],
      ["cpu", "samples", "cpu", "nanoseconds"],
      ["cpu", 1e7],
    ],
    [
      ["ctimer", "ns", "ctimer", "ns"],
      ["cpu", "nanoseconds", "cpu", "nanoseconds"],
      ["cpu", 1],
    ],
    [
      ["wall", "count", "wall", "ns"],
      ["wall", "samples", "wall", "nanoseconds"],
      ["wall", 1e7],
    ],
    [
      ["object_sampler", "count", "object_sampler", "bytes"],
      ["alloc-sample-count", "count", "alloc-samples", "bytes"],
      ["alloc", null],
    ],
    [
      ["alloc_tracer", "bytes", "alloc_tracer", "bytes"],
      ["alloc-samples", "bytes", "alloc-samples", "bytes"],
      ["alloc", null],
    ],
    [
      ["malloc_tracer", "bytes", "malloc_tracer", "bytes"],
      ["malloc", "bytes", "malloc", "bytes"],
      ["malloc", null],
    ],
    [
      ["lock_tracer", "ns", "lock_tracer", "ns"],
      ["lock-contention", "nanoseconds", "", ""],
      ["lock", 1],
    ],
    [
      ["lock_tracer", "count", "lock_tracer", "ns"],
      ["lock-contention-count", "count", "", ""],
      ["lock", null],
    ],
    [
      ["native_lock_tracer", "ns", "native_lock_tracer", "ns"],
      ["native-lock", "nanoseconds", "", ""],
      ["native-lock", 1],
    ],
    [
      ["perf_events", "count", "perf_events", "total"],
      ["perf_events", "count", "perf_events", "total"],
      ["other", null],
    ],
  ] as const)("%s is %s", async ([type, unit, ...period], expected, meaning) => {
    const core = await readTypes([type, unit, ...period]);
    expect(codes(core)).toEqual([]);
    const profiles = core.profiles();
    expect(profiles.map((each) => [each.type, each.unit, each.periodType, each.periodUnit])).toEqual([expected]);
    expect([profiles[0]!.meaning.kind, profiles[0]!.meaning.nanos]).toEqual(meaning);
    expect(core.select(profiles[0]!.id, {}).value).toBe(3n);
  });

  it("has threads and frame types in its names", async () => {
    const core = await readTypes(["itimer", "count", "itimer", "ns"]);
    const [profile] = core.profiles();
    core.select(profile!.id, {});
    expect(core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 9).rows.map(({ label }) => label)).toEqual([
      "burner",
    ]);
    const { bytes } = core.write(null, {}, { format: "otlp-json" });
    const { dictionary } = JSON.parse(new TextDecoder().decode(bytes));
    const text = (i = 0) => dictionary.stringTable[i];
    const typeOf = ({ attributeIndices = [] }: { attributeIndices?: number[] }) =>
      attributeIndices.map((i) => dictionary.attributeTable[i].value.stringValue).join();
    const frames = dictionary.locationTable
      .slice(1)
      .map((location: { lines: { functionIndex: number }[]; attributeIndices?: number[] }) => [
        text(dictionary.functionTable[location.lines[0]!.functionIndex].nameStrindex),
        typeOf(location),
      ]);
    expect(new Map(frames)).toEqual(
      new Map([
        ["java/lang/Thread.run", "jvm"],
        ["Work.spin", "jvm"],
        ["__schedule", "kernel"],
        ["JavaThread::sleep", "native"],
      ]),
    );
  });

  it("keeps names as they are in a message that another producer shares", async () => {
    const core = await readTypes(["wall", "count", "wall", "ns"], ["cpu", "count", "cpu", "nanoseconds"]);
    core.select(core.profiles()[0]!.id, {});
    expect(core.views.top("self", 0, 9).rows.map(({ name }) => name)).toContain("__schedule_[k]");
  });
});
