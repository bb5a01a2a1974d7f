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
    const [onCpu] = core.profiles();
    expect(onCpu).toMatchObject({ samplesWithSpan: 3, period: 50_000_000n });
    expect(core.select(onCpu!.id, { span: SPAN }).value).toBe(3n);
    expect(core.views.top("self", 0, 9).rows.map(({ name }) => name)).toEqual(["libc.so+0x1234", "work"]);
    const { bytes } = core.write(null, {}, { format: "otlp-json" });
    const text = new TextDecoder().decode(bytes);
    for (const said of ["cpython", "build_id.htlhash", "build_id.gnu", "container.id"]) expect(text).toContain(said);
  });
});
