/** Outputs of the OTLP writers: measures, scales, shapes, labels, the Resource, profile ids, the payload's place. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Output } from "../../../src/core/tables/presets.ts";
import { compileWriter, type Plan, WriterCore } from "../../kit/core/write-core.ts";
import { dictionaryFaults, flatten, readOtlp, readOtlpJson } from "../../kit/otlp/otlp-schema.ts";

let module: WebAssembly.Module;
let core: WriterCore;
const T0 = 1_700_000_000_000_000_000n;

beforeAll(async () => {
  module = await compileWriter();
}, 60_000);

beforeEach(() => {
  core = new WriterCore(module);
});

/** Both forms of the message, which must say the same. `shapes`: samples may lack values or timestamps. */
function write(plan: Plan = {}, shapes = false) {
  const data = readOtlp(core.protobuf(0, plan));
  expect(readOtlpJson(core.json(0, false, plan))).toEqual(data);
  const faults = dictionaryFaults(data).filter((fault) => !shapes || !fault.startsWith("shape of"));
  expect(faults).toEqual([]);
  return { data, profiles: flatten(data) };
}

/**
 * A profile with three observations of two samples, 5 + 7 at one stack and 300 at another, each with a second value.
 */
function allocation(stored: boolean) {
  const profile = core.profile("alloc", "bytes", "alloc", "bytes", "objects", "count");
  const event = core.event("test.Allocation", profile, stored);
  const stack = core.stack([core.x.internLocation(core.fn("a"), 1, 0, 0n, 1)]);
  core.x.observeBoth(event, stack, T0, 5n, 2n);
  core.x.observeBoth(event, 0, T0 + 1n, 300n, 40n);
  core.x.observeBoth(event, stack, T0 + 2n, 7n, 3n);
  core.x.coverTime(T0, T0 + 10n);
  return profile;
}

const values = (profiles: ReturnType<typeof flatten>) => profiles.map((p) => p.samples.map((s) => s.values));

describe("a layer of outputs", () => {
  it.each([
    ["counted", false, [[1n, 1n], [1n]]],
    ["stored", true, [[2n, 3n], [40n]]],
  ] as const)("holds second values that are %s, beside the first", (_, stored, seconds) => {
    allocation(stored);
    const outputs = [...core.outputs(), ...core.outputs(true)];
    const { profiles } = write({ outputs });
    expect(profiles.map(({ type, unit }) => [type, unit])).toEqual([
      ["alloc", "bytes"],
      ["objects", "count"],
    ]);
    expect(values(profiles)).toEqual([[[5n, 7n], [300n]], seconds]);
    expect(profiles.map((p) => p.samples.map((s) => s.timestamps))).toEqual([
      [[T0, T0 + 2n], [T0 + 1n]],
      [[T0, T0 + 2n], [T0 + 1n]],
    ]);
    expect(core.x.writtenSamples.value).toBe(4);
    expect(core.x.writtenObservations.value).toBe(3);
  });

  it("multiplies values by its scale", () => {
    allocation(true);
    const scaled = (measure: number): Output[] => core.outputs(measure === 1).map((o) => ({ ...o, scale: 1000n }));
    expect(values(write({ outputs: scaled(0) }).profiles)).toEqual([[[5000n, 7000n], [300_000n]]]);
    expect(values(write({ outputs: scaled(1) }).profiles)).toEqual([[[2000n, 3000n], [40_000n]]]);
  });

  it("may be of some profiles, another one of the rest", () => {
    allocation(false);
    const other = core.profile("cpu", "samples");
    core.x.observeBoth(core.event("test.Cpu", other), 0, T0, 9n, 0n);
    const [alloc, cpu] = core.outputs() as [Output, Output];
    const [objects] = core.outputs(true) as [Output];
    const { profiles } = write({ outputs: [objects, cpu] });
    expect(values(profiles)).toEqual([[[1n, 1n], [1n]], [[9n]]]);
    expect(values(write({ outputs: [cpu, alloc] }).profiles)).toEqual([[[9n]], [[5n, 7n], [300n]]]);
  });
});

describe("a range of observations", () => {
  const everything = { from: 0n, to: (1n << 64n) - 1n, first: 0, last: 2 ** 32 - 1 };

  it.each([
    ["a time", { from: T0 + 1n, to: T0 + 3n }, [[300n], [7n]], [[40n], [3n]]],
    ["some of the order read", { first: 1, last: 2 }, [[300n]], [[40n]]],
    ["both", { from: T0 + 2n, first: 0, last: 3 }, [[7n]], [[3n]]],
    ["nothing", { from: T0 + 5n, to: T0 + 1n }, [], []],
  ])("is %s, with the values and sums of what is in it", (_, part, first, second) => {
    allocation(true);
    const before = core.protobuf();
    const outputs = [...core.outputs(), ...core.outputs(true)];
    const range = { ...everything, ...part };
    const sums = (of: bigint[][]) => of.map((v) => [v.reduce((a, b) => a + b)]);
    // Largest first: rows follow the order of reading.
    const sorted = (of: bigint[][][]) => of.map((samples) => samples.toSorted((a, b) => Number(b[0]! - a[0]!)));

    const { profiles } = write({ outputs, range });
    expect(sorted(values(profiles))).toEqual(first.length === 0 ? [[]] : [first, second]);
    expect(core.x.writtenObservations.value).toBe(first.length);
    const aggregated = outputs.map((output) => ({ ...output, aggregated: true }));
    const summed = write({ outputs: aggregated, range }, true).profiles;
    expect(sorted(values(summed))).toEqual(first.length === 0 ? [[]] : [sums(first), sums(second)]);
    expect(core.shown("collapsed", 0, { range }).split("\n").filter(Boolean).length).toBe(first.length);
    expect(core.protobuf()).toEqual(before);
  });

  it.each([
    ["in it", { from: T0 + 1n, to: T0 + 3n }, T0 + 1n, 2n],
    ["beyond both ends", { from: 1n, to: T0 + 1_000n }, T0, 10n],
    ["of no time", { from: T0 + 5n, to: T0 + 1n }, T0 + 5n, 0n],
  ])("narrows the time of each profile: %s", (_, part, from, duration) => {
    allocation(false);
    const { data } = write({ outputs: core.outputs(), range: { ...everything, ...part } });
    const times = data.resourceProfiles.flatMap(({ scopeProfiles }) =>
      scopeProfiles.flatMap(({ profiles }) => profiles.map((p) => [p.timeUnixNano, p.durationNano])),
    );
    expect(times).toEqual([[from, duration]]);
  });

  it("sums up a sample that has some of its observations in it", () => {
    allocation(true);
    const range = { ...everything, from: T0, to: T0 + 2n };
    const outputs = [...core.outputs(), ...core.outputs(true)].map((output) => ({ ...output, aggregated: true }));
    expect(values(write({ outputs, range }, true).profiles)).toEqual([
      [[5n], [300n]],
      [[2n], [40n]],
    ]);
  });
});

describe("shapes", () => {
  it.each([
    [0, 1n, [[12n], [300n]]],
    [1, 10n, [[50n], [400n]]],
  ] as const)("an aggregated output of measure %i has sums and no timestamps", (measure, scale, sums) => {
    allocation(true);
    const outputs = core.outputs(measure === 1).map((o) => ({ ...o, scale, aggregated: true }));
    const { profiles } = write({ outputs }, true);
    expect(values(profiles)).toEqual([sums]);
    expect(profiles[0]?.samples.flatMap((s) => s.timestamps)).toEqual([]);
  });

  it("of an event are kept: values alone, timestamps alone, beside samples with both", () => {
    const profile = core.profile("cpu", "samples");
    const stack = (name: string) => core.stack([core.x.internLocation(core.fn(name), 1, 0, 0n, 1)]);
    const shapes = [0, 1, 2].map((shape) => {
      const event = core.event("test.Event", profile);
      new DataView(core.x.memory.buffer).setUint32(core.x.eventAt(event) + 8, shape, true);
      return event;
    });
    for (const [shape, event] of shapes.entries()) {
      core.x.observe(event, stack(`s${shape}`), 0, 0, 0, T0, 4n);
      core.x.observe(event, stack(`s${shape}`), 0, 0, 0, T0 + 1n, 500n);
    }
    core.x.coverTime(T0, T0 + 10n);
    const samples = write({}, true).profiles[0]?.samples;
    expect(samples?.map((s) => [s.values, s.timestamps])).toEqual([
      [
        [4n, 500n],
        [T0, T0 + 1n],
      ],
      [[504n], []],
      [[], [T0, T0 + 1n]],
    ]);
  });
});

describe("the message", () => {
  it("says the type of a profile on its samples, or once on the Profile", () => {
    allocation(false);
    const [output] = core.outputs() as [Output];
    const on = (more: Partial<Output>) => {
      const [profile] = write({ outputs: [{ ...output, ...more }] }).profiles;
      return [profile?.attributes, profile?.samples[0]?.attributes];
    };
    expect(on({})).toEqual([{}, { "profile.type": "alloc" }]);
    expect(on({ labelled: true, label: "x" })).toEqual([{ "profile.type": "x" }, {}]);
    expect(on({ label: "" })).toEqual([{}, {}]);
  });

  it("has the attributes of the Resource in place, every kind, without strings of the dictionary", () => {
    allocation(false);
    const resource = { "service.name": 'shop "1" é', "process.pid": 42n, ok: true, load: 0.5 };
    const { data } = write({ resource });
    expect(data.resourceProfiles[0]?.resource?.attributes).toEqual([
      { key: "service.name", value: { stringValue: 'shop "1" é' } },
      { key: "process.pid", value: { intValue: 42n } },
      { key: "ok", value: { boolValue: true } },
      { key: "load", value: { doubleValue: 0.5 } },
    ]);
    expect(data.dictionary?.stringTable).not.toContain("service.name");
  });

  it("has profile ids that depend on its content, and on nothing else", () => {
    const ids = (values: bigint[], plan: Plan = {}) => {
      core.reset();
      core.string("something else that was read");
      const event = core.event("e", core.profile("cpu", "samples", "", "", "n", "count"));
      for (const [i, value] of values.entries()) {
        core.x.observe(event, 0, core.x.internLink(0n, 7n, BigInt(i + 1)), 0, 0, T0, value);
      }
      core.x.coverTime(T0, T0 + 10n);
      const outputs = [...core.outputs(), ...core.outputs(true)];
      return write({ outputs, ...plan }).data.resourceProfiles[0]?.scopeProfiles[0]?.profiles.map((p) => p.profileId);
    };
    const first = ids([1n, 2n]);
    expect(first).toHaveLength(2);
    for (const id of first ?? []) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(ids([1n, 2n], { resource: { host: "a" } })).toEqual(first);
    expect(new Set([...(first ?? []), ...(ids([1n, 3n]) ?? []), ...(ids([1n]) ?? [])]).size).toBe(6);
  });

  it("leaves room for the payload, in the first of its Profiles", () => {
    allocation(false);
    const outputs = [...core.outputs(), ...core.outputs(true)];
    const plain = core.protobuf(0, { outputs });
    const bytes = core.protobuf(0, { outputs, payload: { format: "jfr", bytes: 300 } });
    // 4a 03 "jfr" · 52 ac 02 · 300 bytes, and two lengths that take no more bytes than before, or one each.
    const field = Buffer.concat([Buffer.from("4a036a667252ac02", "hex"), Buffer.alloc(300, "#")]);
    expect(Buffer.from(bytes).indexOf(field)).toBeGreaterThan(0);
    expect(Buffer.from(bytes).indexOf("##", Buffer.from(bytes).indexOf(field) + field.length)).toBe(-1);
    expect(bytes.length - plain.length).toBeGreaterThanOrEqual(field.length);
    const { resourceProfiles } = JSON.parse(core.json(0, true, { outputs, payload: { format: "jfr", bytes: 300 } }));
    const profiles = resourceProfiles[0].scopeProfiles[0].profiles;
    expect(profiles[0]).toMatchObject({ originalPayloadFormat: "jfr", originalPayload: "#".repeat(300) });
    expect(profiles[1]).not.toHaveProperty("originalPayload");
  });
});
