/** The pprof writer, checked by an independent reader: sample types side by side, exact labels, omissions. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileWriter, WriterCore } from "../../kit/core/write-core.ts";
import { type PprofSample, readPprof, total } from "../../kit/otlp/pprof-schema.ts";

let module: WebAssembly.Module;
let core: WriterCore;
const T0 = 1_700_000_000_000_000_000n;
const MAX = (1n << 64n) - 1n;

beforeAll(async () => {
  module = await compileWriter();
}, 60_000);

beforeEach(() => {
  core = new WriterCore(module);
});

const aggregated = (second = false) => core.outputs(second).map((output) => ({ ...output, aggregated: true }));
const location = (name: string, line = 1) => core.x.internLocation(core.fn(name), line, 0, 0n, 1);

/** One sum for each stack and context, of every profile's value. */
function write(mask = 0, outputs = aggregated()) {
  const profile = readPprof(core.pprof(mask, { outputs }));
  expect(core.x.writtenSamples.value).toBe(profile.samples.length);
  return profile;
}

function cpu() {
  return core.event("test.Cpu", core.profile("cpu", "samples", "cpu", "nanoseconds"));
}

describe("labels", () => {
  const labelsOf = (link: number, thread = 0, set = 0): PprofSample["labels"] => {
    core.x.observe(cpu(), 0, link, thread, set, T0, 1n);
    return write().samples[0]?.labels ?? {};
  };

  it.each([
    [0n, 7n, 9n, { "span id": 9n, "local root span id": 7n }],
    [0n, MAX, MAX - 1n, { "span id": MAX - 1n, "local root span id": MAX }],
    [0n, 0n, 1n << 63n, { "span id": 1n << 63n }],
    [0n, 5n, 0n, { "local root span id": 5n }],
    [0xabn, 0xcdn, 3n, { "span id": 3n, "trace id": "00000000000000ab00000000000000cd" }],
    [1n, 0n, 0n, { "trace id": "00000000000000010000000000000000" }],
    [0n, 0n, 0n, {}],
  ])("of trace %i %i, span %i are exact in all 64 bits", (high, low, span, expected) => {
    expect(labelsOf(core.x.internLink(high, low, span))).toEqual(expected);
  });

  it("of a trace of 64 bits are none of a local root", () => {
    expect(labelsOf(core.x.internShortTrace(7n, 9n))).toEqual({ "span id": 9n, "trace id": "7".padStart(32, "0") });
  });

  it("of a thread have the names that Datadog's profilers use", () => {
    expect(labelsOf(0, core.thread("main", 18n))).toEqual({ "thread name": "main", "thread id": 18n });
  });

  it("of attributes are texts and integers; an empty text is none", () => {
    const hostile = 'a;b\n"c"\u0000\ud83d\ude00';
    const attributes: [string, string | bigint | number | boolean][] = [
      ["text", hostile],
      ["empty", ""],
      ["negative", -3n],
      ["zero", 0n],
      ["yes", true],
      ["no", false],
      ["half", 0.5],
      ["inf", -Infinity],
    ];
    const set = core.set(attributes.map(([key, value]) => core.attribute(key, value)));
    expect(labelsOf(0, 0, set)).toEqual({
      text: hostile,
      negative: BigInt.asUintN(64, -3n),
      zero: 0n,
      yes: "true",
      no: "false",
      half: "0.5",
      inf: "-Infinity",
    });
  });

  it("of a root are on its samples, whenever they were said", () => {
    const event = cpu();
    core.x.observe(event, 0, core.x.internLink(0n, 7n, 1n), 0, 0, T0, 1n);
    core.x.observe(event, 0, core.x.internLink(0n, 8n, 2n), 0, 0, T0, 1n);
    core.x.noteRoot(7n, core.set([core.attribute("trace endpoint", "GET /")]));
    expect(write().samples.map(({ labels }) => labels["trace endpoint"])).toEqual(["GET /", undefined]);
  });
});

describe("sample types", () => {
  it("are a profile's measures side by side", () => {
    const profile = core.profile("alloc", "bytes", "", "", "objects", "count");
    const event = core.event("test.Alloc", profile, true);
    core.x.observeBoth(event, core.stack([location("a")]), T0, 5n, 2n);
    core.x.observeBoth(event, core.stack([location("a")]), T0 + 1n, 7n, 3n);
    core.x.observeBoth(event, 0, T0, 300n, 40n);
    const { types, samples, defaultType } = write(0, [...aggregated(), ...aggregated(true)]);
    expect(types).toEqual(["alloc/bytes", "objects/count"]);
    expect(defaultType).toBe("alloc");
    expect(samples.map(({ stack, values }) => [stack, values])).toEqual([
      [["a:1"], [12n, 5n]],
      [[], [300n, 40n]],
    ]);
  });

  it("of several profiles share a sample where stack and labels are the same", () => {
    const [first, second] = [cpu(), core.event("test.Wall", core.profile("wall", "samples"))];
    const [a, b] = [core.stack([location("a")]), core.stack([location("b")])];
    const thread = core.thread("t", 1n);
    core.x.observe(first, a, 0, 0, 0, T0, 1n);
    core.x.observe(first, b, 0, 0, 0, T0, 2n);
    core.x.observe(second, a, 0, 0, 0, T0, 10n);
    core.x.observe(second, b, 0, thread, 0, T0, 20n);
    const { types, samples } = write();
    expect(types).toEqual(["cpu/samples", "wall/samples"]);
    expect(samples.map(({ stack, values }) => [stack[0], values])).toEqual([
      ["a:1", [1n, 10n]],
      ["b:1", [2n, 0n]],
      ["b:1", [0n, 20n]],
    ]);
  });

  it("scale, and are only those with samples of the selection", () => {
    const first = cpu();
    core.x.observe(first, 0, core.x.internLink(0n, 1n, 1n), 0, 0, T0, 3n);
    core.x.observe(core.event("test.Wall", core.profile("wall", "samples")), 0, 0, 0, 0, T0, 9n);
    const scaled = aggregated().map((output) => ({ ...output, scale: 10n }));
    const profile = write(
      core.mask((row) => row === 1),
      scaled,
    );
    expect([profile.types, total(profile, 0)]).toEqual([["cpu/samples"], 30n]);
    expect(profile.strings).not.toContain("wall");
  });
});

describe("times", () => {
  it("make a sample of each observation, and one of what was observed together", () => {
    const [first, second] = [cpu(), core.event("test.Wall", core.profile("wall", "samples"))];
    core.x.observe(first, 0, 0, 0, 0, T0 + 5n, 1n);
    core.x.observe(first, 0, 0, 0, 0, T0, 2n);
    core.x.observe(first, 0, 0, 0, 0, T0, 3n);
    core.x.observe(second, 0, 0, 0, 0, T0 + 5n, 10n);
    const { samples } = write(0, core.outputs());
    expect(samples.map(({ values, labels }) => [values, labels.end_timestamp_ns])).toEqual([
      [[2n, 0n], T0],
      [[3n, 0n], T0],
      [[1n, 10n], T0 + 5n],
    ]);
  });

  it("of many runs come out in order", () => {
    const event = cpu();
    const times = Array.from({ length: 5000 }, (_, i) => T0 + BigInt((i * 7919) % 5003));
    for (const time of times) core.x.observe(event, 0, 0, 0, 0, time, 1n);
    const found = write(0, core.outputs()).samples.map(({ labels }) => labels.end_timestamp_ns);
    expect(found).toEqual(times.toSorted((a, b) => Number(a - b)));
  });
});

describe("tables", () => {
  it("hold what the selection reaches, stacks without the location 0", () => {
    const event = cpu();
    const other = location("not selected", 3);
    core.x.observe(event, core.stack([other]), 0, 0, 0, T0, 1n);
    core.x.observe(event, core.stack([location("leaf", 0), 0, location("root", 200)]), 0, 0, 0, T0, 1n);
    const { samples, strings } = write(core.mask((row) => row === 2));
    expect(samples.map(({ stack }) => stack)).toEqual([["leaf", "root:200"]]);
    expect(strings).not.toContain("not selected");
    expect(write().samples.map(({ stack }) => stack)).toEqual([["not selected:3"], ["leaf", "root:200"]]);
  });

  it("have mappings with build ids, which say whether all their frames are named", () => {
    const buildId = core.attribute("process.executable.build_id.gnu", "abcd");
    const named = core.x.internMapping(0x1000n, 0x2000n, 0n, core.string("libjvm.so"), buildId);
    const bare = core.x.internMapping(0x3000n, 0x4000n, 0n, core.string("libc.so"), 0);
    const stack = core.stack([
      core.x.internLocation(core.fn("f"), 0, named, 0x1234n, 2),
      core.x.internLocation(0, 0, bare, 0x3456n, 2),
      core.x.internLocation(core.fn("g"), 0, bare, 0x3457n, 2),
    ]);
    core.x.observe(cpu(), stack, 0, 0, 0, T0, 1n);
    const { mappings, samples } = write();
    expect(mappings).toEqual([
      { file: "libjvm.so", buildId: "abcd", hasFunctions: true },
      { file: "libc.so", buildId: "", hasFunctions: false },
    ]);
    expect(samples[0]?.stack).toEqual(["f", "0x3456", "g"]);
  });

  it("say time and period", () => {
    const event = cpu();
    core.x.setPeriod(0, 10_000_000n);
    core.x.observe(event, 0, 0, 0, 0, T0 + 1n, 1n);
    core.x.coverTime(T0, T0 + 100n);
    expect(write()).toMatchObject({ timeNanos: T0, durationNanos: 100n, period: "cpu/nanoseconds 10000000" });
  });

  it("are empty without samples, but for the first sample type", () => {
    cpu();
    expect(write()).toMatchObject({
      types: ["cpu/samples"],
      samples: [],
      strings: ["", "cpu", "samples"],
      timeNanos: 0n,
    });
  });

  it("do not grow the store when written again", () => {
    core.x.observe(cpu(), core.stack([location("a")]), core.x.internLink(1n, 2n, 3n), core.thread("t", 1n), 0, T0, 1n);
    core.pprof();
    const bytes = core.pprof();
    const rows = core.x.ownRows();
    const held = core.x.arenaBytes();
    for (let i = 0; i < 20; i++) expect(core.pprof()).toEqual(bytes);
    expect([core.x.ownRows(), core.x.arenaBytes()]).toEqual([rows, held]);
  });
});
