/** Round trip of pprof through the store: all content of the input is in the output, for every producer. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { readInputs } from "../../../src/input/open.ts";
import { emptyCore, stable } from "../../kit/core/read-store.ts";
import { type PprofSpec, pprofOf, type SampleSpec } from "../../kit/otlp/pprof-message.ts";
import { readPprof } from "../../kit/otlp/pprof-schema.ts";
import { readCollapsed, readFirefox, readSpeedscope } from "../../kit/shown-formats.ts";

const T0 = 1_700_000_000_000_000_000n;

async function throughStore(bytes: Uint8Array, timestamps = false): Promise<Uint8Array> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "a.pprof", source: bytesSource(bytes) }]);
  return core.write(null, {}, { format: "pprof", timestamps }).bytes;
}

/** What a profile says, in no order. */
function said(bytes: Uint8Array) {
  const { strings: _, samples, ...rest } = readPprof(bytes);
  return { ...rest, samples: samples.map(stable).toSorted() };
}

const types: PprofSpec["types"] = [
  ["alloc_objects", "count"],
  ["alloc_space", "bytes"],
];
const two: SampleSpec[] = [
  { stack: ["leaf", "root"], values: [3, 4096] },
  { stack: [["inlined", "caller", "outer"], "root"], values: [0, 77] },
  { stack: ["root"], values: [0, 0] },
  { stack: [], values: [1, 1] },
];
const spec: PprofSpec = {
  types,
  samples: two,
  timeNanos: String(T0),
  durationNanos: "1000",
  defaultType: "alloc_objects",
};

it("a frame without a name, line and address stays a frame, so its caller has no more self time", async () => {
  const samples: SampleSpec[] = [
    { stack: ["", "caller", "main"], values: [5, 1] },
    { stack: ["caller", "main"], values: [7, 1] },
    { stack: ["caller", "", "main"], values: [2, 1] },
  ];
  const { samples: found } = readPprof(await throughStore(pprofOf({ ...spec, samples })));
  expect(found.map((s) => [s.stack.length, Number(s.values[0])]).toSorted()).toEqual([
    [2, 7],
    [3, 2],
    [3, 5],
  ]);
});

describe("pprof comes out as it went in", () => {
  const ids = { "span id": (1n << 64n) - 2n, "local root span id": 1n << 63n };
  const context = {
    "thread name": "main",
    "thread id": 7,
    "trace endpoint": "GET /",
    size: [3, "bytes"] as [number, string],
  };

  it.each<[string, PprofSpec]>([
    ["with several sample types, inlined functions and samples without a value", spec],
    ["without a sample type to show first", { ...spec, defaultType: "" }],
    ["with a period", { ...spec, period: ["space", "bytes", 524288] }],
    [
      "with labels as Ruby and Python write them",
      { ...spec, samples: two.map((s) => ({ ...s, labels: { ...ids, ...context } })) },
    ],
    [
      "with ids as Go writes them",
      {
        ...spec,
        samples: two.map((s) => ({ ...s, labels: { "span id": "18446744073709551615", "local root span id": "9" } })),
      },
    ],
  ])("%s", async (_, given) => {
    const bytes = pprofOf(given);
    const written = await throughStore(bytes);
    expect(said(written)).toEqual(said(bytes));
    expect(said(await throughStore(written))).toEqual(said(bytes));
  });

  it.each(["end_timestamp_ns", "timestamp_ns"])("with times as %s", async (key) => {
    const samples = [0n, 1n, 1n, 5n].map((t, i): SampleSpec => ({ ...two[i % 2]!, labels: { [key]: T0 + t, n: i } }));
    const bytes = pprofOf({ ...spec, samples });
    expect(said(await throughStore(bytes, true))).toEqual(said(bytes));
    // Without them what differs in nothing else is one.
    expect(readPprof(await throughStore(bytes)).samples).toHaveLength(4);
  });
});

it("pictures show inlined functions one by one, and addresses without a name by their place", async () => {
  const core = await emptyCore();
  const samples = [{ stack: [["inlined", "caller", "outer"], [], "root"], values: [1, 77] }];
  await readInputs(core, [{ name: "a.pprof", source: bytesSource(pprofOf({ ...spec, samples })) }]);
  const space = core.profiles().find(({ unit }) => unit === "bytes")!;
  const text = (format: "collapsed" | "speedscope" | "firefox") =>
    Buffer.from(core.write(space.id, {}, { format }).bytes).toString();
  const [stack] = readCollapsed(text("collapsed")).stacks;
  expect(stack).toEqual(["root", expect.stringMatching(/^app\+0x[0-9a-f]+$/), "outer", "caller", "inlined"]);
  expect(readSpeedscope(text("speedscope")).map(({ stacks, unit }) => [stacks, unit])).toEqual([[[stack], "bytes"]]);
  expect(readFirefox(text("firefox")).map(({ stacks, weights }) => [stacks, weights])).toEqual([[[stack], [77]]]);
});
