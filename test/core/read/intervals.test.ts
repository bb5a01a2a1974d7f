/**
 * Sampling intervals: each observation counts its weight × the period of its own chunk and file, in every view and in
 * every output, whatever the order in which files are read.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { ProfileSummary } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore, message } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, type Item } from "../../kit/jfr/jfr-builder.ts";
import { CPU, cpuType, event, field, JVM_TYPES, START } from "../../kit/jfr/jfr-types.ts";
import { need } from "../../kit/needs.ts";
import { type PprofSpec, pprofOf } from "../../kit/otlp/pprof-message.ts";
import { readPprof, total } from "../../kit/otlp/pprof-schema.ts";
import { encode, resolve } from "../../kit/otlp/resolve.ts";
import { readCollapsed, readFirefox, readSpeedscope } from "../../kit/shown-formats.ts";

const MS = 1_000_000n;
const SETTING = event("jdk.ActiveSetting", [
  START,
  field("id", "long"),
  field("name", "java.lang.String"),
  field("value", "java.lang.String"),
]);
const TYPES = [...JVM_TYPES, { ...cpuType(), id: 301n }, SETTING];

/** `weight` samples' worth at a span: the span tells the samples of chunks apart. */
const sample = (weight: bigint, spanId = 1n, startTime = 0n): Item => ({
  event: CPU,
  values: { startTime, eventThread: 0n, stackTrace: 0n, weight, spanId, localRootSpanId: 9n },
});
const interval = (value: string): Item => ({
  event: SETTING.name,
  values: { startTime: 0n, id: 301n, name: "interval", value },
});
const chunk = (...items: Item[]): ChunkSpec => ({ types: TYPES, items });

type Input = [name: string, bytes: Uint8Array];

/** A file of these chunks. */
const recording = (name: string, ...chunks: ChunkSpec[]): Input => [
  name,
  Uint8Array.from(chunks.flatMap((each) => [...buildChunk(each).bytes])),
];

async function read(...inputs: Input[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(
    core,
    inputs.map(([name, bytes]) => ({ name, source: bytesSource(bytes) })),
  );
  return core;
}

function profileOf(core: Core, type = "cpu"): ProfileSummary {
  const profile = core.profiles().find((each) => each.type === type);
  if (profile === undefined) throw new Error(`no profile ${type}`);
  return profile;
}

const text = (core: Core, format: "collapsed" | "speedscope" | "firefox") =>
  Buffer.from(core.write(profileOf(core).id, {}, { format }).bytes).toString();

/** 3 samples at 5 ms, 4 at 2 ms whose setting comes after them, 1 in a chunk that states nothing. */
const changing = recording(
  "changing.jfr",
  chunk(interval("5000000"), sample(3n, 1n)),
  chunk(sample(4n, 2n), interval("2 ms")),
  chunk(sample(1n, 2n)),
);
const WHOLE = (3n * 5n + 4n * 2n + 1n * 2n) * MS;

describe("a recording whose interval changes between chunks", () => {
  it("has one profile, whose values are times", async () => {
    const core = await read(changing);
    expect(codes(core)).toEqual([]);
    const profile = profileOf(core);
    expect(core.profiles()).toHaveLength(1);
    expect(profile).toMatchObject({
      unit: "nanoseconds",
      value: WHOLE,
      samples: 3,
      period: 0n,
      periodUnit: "nanoseconds",
    });
    expect(profile.measures).toEqual([{ name: "nanoseconds", type: "cpu", unit: "nanoseconds", value: WHOLE }]);
    expect(profile.events).toEqual({ [CPU]: 3 });
    expect(profile.periods).toEqual([
      { period: 2n * MS, samples: 2, value: 5n },
      { period: 5n * MS, samples: 1, value: 3n },
    ]);
  });

  it("weighs every view by time", async () => {
    const core = await read(changing);
    const { id } = profileOf(core);
    const { views } = core;
    expect(core.select(id, {})).toEqual({ samples: 3, value: WHOLE });
    expect(views.rank({ kind: "span" }, 0, 10).rows.map(({ id: span, value }) => [span, value])).toEqual([
      [1n, 15n * MS],
      [2n, 10n * MS],
    ]);
    expect(views.top("self", 0, 10).rows.map(({ self }) => self)).toEqual([]);
    expect(views.frames({ focus: 0, width: 1000 }).frames.total[0]).toBe(Number(WHOLE));
    expect(views.threads(id).rows.map(({ all, selected }) => [all, selected])).toEqual([[WHOLE, WHOLE]]);
    const [strip] = views.timeline(id, 4, [], null).strips;
    const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
    expect(sum(strip!.all)).toBe(Number(WHOLE));
    expect(sum(views.heat(id, 10, null).cells.all)).toBe(Number(WHOLE));
    expect(core.select(id, { span: 2n }).value).toBe(10n * MS);
    expect(sum(views.timeline(id, 4, [], null).strips[0]!.selected)).toBe(Number(10n * MS));
    const range = views.timeBounds()!;
    expect(core.select(id, { time: range }).value).toBe(WHOLE);
    expect(core.select(id, { time: range, span: 1n }).value).toBe(15n * MS);
    expect(core.select(id, { attributes: [{ key: "jfr.event", value: CPU }] }).value).toBe(WHOLE);
  });

  it("is an OTLP Profile for each period, and comes back", async () => {
    const core = await read(changing);
    const profiles = message(core).resourceProfiles.flatMap((r) => r.scopeProfiles.flatMap((s) => s.profiles));
    expect(profiles.map(({ period, samples }) => [period, samples.length])).toEqual([
      [5n * MS, 1],
      [2n * MS, 1],
    ]);
    for (const format of ["otlp", "otlp-json"] as const) {
      const first = await read(changing);
      const { settings: _, ...before } = profileOf(first);
      const { bytes } = first.write(null, {}, { format });
      const again = await read(["message", bytes]);
      const { settings: __, ...after } = profileOf(again);
      expect(after).toEqual(before);
      expect(again.write(null, {}, { format }).bytes).toEqual(bytes);
    }
  });

  it("is one list of times in every other format", async () => {
    const core = await read(changing);
    const { id } = profileOf(core);
    const pprof = readPprof(core.write(id, {}, { format: "pprof" }).bytes);
    expect(pprof.types).toEqual(["cpu/nanoseconds"]);
    expect(total(pprof, 0)).toBe(WHOLE);
    expect(pprof.period).toBe("");
    const timed = readPprof(core.write(id, {}, { format: "pprof", timestamps: true }).bytes);
    expect(total(timed, 0)).toBe(WHOLE);
    const weights = (track: { weights: number[] }) => track.weights.reduce((a, b) => a + b, 0);
    expect(weights(readCollapsed(text(core, "collapsed")))).toBe(Number(WHOLE));
    expect(readSpeedscope(text(core, "speedscope")).map((track) => [track.unit, weights(track)])).toEqual([
      ["nanoseconds", Number(WHOLE)],
    ]);
    expect(readFirefox(text(core, "firefox")).reduce((sum, track) => sum + weights(track), 0)).toBeGreaterThan(0);
  });
});

it("a comparison of two files with different intervals compares times", async () => {
  const slow = recording("slow.jfr", chunk(interval("5 ms"), sample(3n)));
  const fast = recording("fast.jfr", chunk(interval("1 ms"), sample(15n)));
  const core = await read(slow, fast);
  const { id } = profileOf(core);
  core.select(id, { file: "slow.jfr" });
  core.views.keepBaseline();
  expect(core.select(id, { file: "fast.jfr" }).value).toBe(15n * MS);
  const { total, baseTotal } = core.views.diff({ focus: 0, width: 1000, rest: false, normalised: false });
  expect([total[0], baseTotal[0]]).toEqual([Number(15n * MS), Number(15n * MS)]);
});

describe("samples without a known period", () => {
  const known = recording("known.jfr", chunk(interval("5 ms"), sample(3n, 1n)));
  const unknown = recording("unknown.jfr", chunk(sample(7n, 2n)));

  it.each([
    ["after", [known, unknown]],
    ["before", [unknown, known]],
  ])("make the profile one that is counted, when they come %s the others", async (_, inputs) => {
    const core = await read(...inputs);
    expect(profileOf(core)).toMatchObject({
      unit: "samples",
      value: 10n,
      period: 0n,
      periods: [
        { period: 0n, samples: 1, value: 7n },
        { period: 5n * MS, samples: 1, value: 3n },
      ],
    });
    expect(core.select(profileOf(core).id, {}).value).toBe(10n);
    expect(readPprof(core.write(profileOf(core).id, {}, { format: "pprof" }).bytes)).toMatchObject({
      types: ["cpu/samples"],
      period: "",
    });
  });

  it("do not take the setting of the file before", async () => {
    const core = await read(known, unknown);
    expect(profileOf(core).periods).toHaveLength(2);
  });

  it("take a setting of an earlier chunk of their file, or of the last", async () => {
    const core = await read(
      recording("a.jfr", chunk(interval("5 ms")), chunk(sample(3n)), chunk(interval("7 ms"), sample(1n))),
    );
    expect(profileOf(core).periods?.map(({ period, value }) => [period, value])).toEqual([
      [5n * MS, 3n],
      [7n * MS, 1n],
    ]);
  });
});

it("more periods than there is room for are counted, and that is said", async () => {
  const chunks = Array.from({ length: 1100 }, (_, i) => chunk(interval(`${i + 1} ms`), sample(1n)));
  const core = await read(recording("many.jfr", ...chunks));
  expect(new Set(codes(core))).toEqual(new Set(["jfr.period.many"]));
  expect(profileOf(core)).toMatchObject({ unit: "samples", samples: 1100, value: 1100n, period: 0n });
});

/** An OTLP message with a Profile for each period. */
function otlp(type: string, unit: string, periods: [period: bigint, value: bigint][], label = ""): Input {
  const table = ["", type, unit, "cpu", "nanoseconds", label];
  const bytes = encode({
    resourceProfiles: [
      {
        scopeProfiles: [
          {
            profiles: periods.map(([period, value]) => ({
              sampleType: { typeStrindex: 1, unitStrindex: 2 },
              samples: [{ values: [String(value)] }],
              periodType: { typeStrindex: 3, unitStrindex: 4 },
              period: String(period),
            })),
          },
        ],
      },
    ],
    dictionary: {
      mappingTable: [{}],
      locationTable: [{}],
      functionTable: [{}],
      linkTable: [{}],
      attributeTable: [{}],
      stackTable: [{}],
      stringTable: table,
    },
  });
  return [`${type}.pb`, bytes];
}

describe("OTLP profiles of one type and several periods", () => {
  it.each([
    ["cpu", "samples"],
    ["samples", "count"],
  ])("are one profile in time: %s/%s", async (type, unit) => {
    const core = await read(
      otlp(type, unit, [
        [5n * MS, 3n],
        [2n * MS, 4n],
      ]),
      otlp(type, unit, [[5n * MS, 1n]]),
    );
    expect(core.profiles()).toHaveLength(1);
    expect(core.profiles()[0]).toMatchObject({ unit: "nanoseconds", value: 28n * MS });
  });

  it("are one profile in its unit where values are no samples", async () => {
    const core = await read(
      otlp("space", "bytes", [
        [5n, 3n],
        [2n, 4n],
      ]),
    );
    expect(core.profiles()).toMatchObject([{ type: "space", unit: "bytes", value: 7n, period: 0n }]);
  });
});

describe("pprof files of several periods", () => {
  const go = (period: number, count: number): PprofSpec => ({
    types: [
      ["samples", "count"],
      ["cpu", "nanoseconds"],
    ],
    samples: [{ stack: ["leaf", "root"], values: [count, count * period] }],
    period: ["cpu", "nanoseconds", period],
  });
  const slow: Input = ["slow.pprof", pprofOf(go(10_000_000, 3))];
  const fast: Input = ["fast.pprof", pprofOf(go(1_000_000, 50))];

  it.each([
    ["slow first", [slow, fast]],
    ["fast first", [fast, slow]],
  ])("are one profile for each sample type: %s", async (_, inputs) => {
    const core = await read(...inputs);
    const figures = core.profiles().map(({ type, unit, value }) => [type, unit, value]);
    expect(figures).toEqual([
      ["samples", "nanoseconds", 80n * MS],
      ["cpu", "nanoseconds", 80n * MS],
    ]);
    const written = readPprof(core.write(null, {}, { format: "pprof" }).bytes);
    expect(written.types).toEqual(["samples/nanoseconds", "cpu/nanoseconds"]);
    expect(written.samples.map(({ values }) => values)).toEqual([[80n * MS, 80n * MS]]);
  });
});

const FIXTURES = fileURLToPath(new URL("../../../fixtures/recorded/", import.meta.url));
const MADE = fileURLToPath(new URL("../../../../shared/recordings/made/", import.meta.url));

function recordingsIn(folder: string): Input[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jfr"));
  return names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]);
}

/** All that does not depend on the order of the files: figures by name, and lists in the order of the alphabet. */
function figuresOf(core: Core) {
  const sorted = (rows: readonly unknown[]) =>
    rows.map((row) => JSON.stringify(row, (_, v) => (typeof v === "bigint" ? `${v}n` : v))).sort();
  const profiles = core.profiles().map(({ id, settings, samplesWithAttribute, events, ...rest }) => {
    const totals = core.select(id, {});
    const { views } = core;
    const ranked = (["span", "local-root"] as const).map((kind) =>
      sorted(views.rank({ kind }, 0, 100_000).rows.map(({ id: of, samples, value }) => [of, samples, value])),
    );
    const named = views.rank({ kind: "attribute", key: "thread.name" }, 0, 1000).rows;
    const threads = sorted(named.map(({ label, samples, value }) => [label, samples, value]));
    const top = sorted(views.top("self", 0, 100_000).rows);
    const { frames } = views.frames({ focus: 0, width: 1e9 });
    const tree = sorted([...frames.node.keys()].map((row) => [frames.names[frames.name[row]!], frames.total[row]]));
    const strip = views.timeline(id, 200, [], null).strips[0]!;
    const lines = Buffer.from(core.write(id, {}, { format: "collapsed" }).bytes)
      .toString()
      .split("\n")
      .sort();
    return {
      ...rest,
      settings: sorted(settings),
      carried: sorted(Object.entries(samplesWithAttribute)),
      events: sorted(Object.entries(events)),
      totals,
      ranked,
      threads,
      top,
      tree,
      strip: [...strip.all],
      lines,
    };
  });
  return Object.fromEntries(profiles.map((profile) => [profile.type, profile]));
}

/** The observations of the message, without attributes of its resource. */
const observed = (core: Core) => resolve(core.write(null, {}, { format: "otlp", resource: {} }).bytes);

/** What values add up to: time where they are samples of a known period. */
const amountOf = ({ value, period, unit }: ProfileSummary) =>
  unit === "samples" && period > 0n ? value * period : value;

async function sumsUp(a: Input, b: Input): Promise<void> {
  const alone = new Map<string, { amount: bigint; samples: number }>();
  for (const input of [a, b]) {
    for (const profile of (await read(input)).profiles()) {
      const known = alone.get(profile.otlpType) ?? { amount: 0n, samples: 0 };
      alone.set(profile.otlpType, {
        amount: known.amount + amountOf(profile),
        samples: known.samples + profile.samples,
      });
    }
  }
  const core = await read(a, b);
  for (const profile of core.profiles()) {
    expect(profile.samples).toBe(alone.get(profile.otlpType)?.samples);
    // Of samples of which a part has no period, the number is known.
    if (profile.unit !== "samples" || profile.period !== 0n)
      expect([profile.type, amountOf(profile)]).toEqual([profile.type, alone.get(profile.otlpType)?.amount]);
  }
  const forward = figuresOf(core);
  const lines = observed(core);
  const reversed = await read(b, a);
  expect(figuresOf(reversed)).toEqual(forward);
  expect(observed(reversed)).toEqual(lines);
}

const recorded = recordingsIn(FIXTURES);
const pairs = (inputs: Input[]) =>
  inputs.flatMap((a, i) => inputs.slice(i + 1).map((b): [string, Input, Input] => [`${a[0]} and ${b[0]}`, a, b]));

describe("two recordings are the sum of both, in either order", () => {
  it.each(pairs(recorded))("%s", (_, a, b) => sumsUp(a, b), 60_000);

  need(existsSync(MADE), "no ../shared/recordings/made").it(
    "of ../shared/recordings/made, each with the next",
    async () => {
      const made = recordingsIn(MADE);
      for (const [i, a] of made.entries()) await sumsUp(a, made[(i + 1) % made.length]!);
    },
    300_000,
  );

  it("ddprof at 5 ms, and at 2 ms with a timer of 4 ms: 2.63 s, whichever is first", async () => {
    const [a, b] = ["dd152-jdk17-all.jfr", "dd152-jdk17-remotesym.jfr"].map(
      (name) => recorded.find(([of]) => of === name)!,
    );
    for (const profile of [profileOf(await read(a!, b!)), profileOf(await read(b!, a!))]) {
      expect(amountOf(profile)).toBe(279n * 5n * MS + 309n * 4n * MS);
      expect(profile.periods).toMatchObject([{ period: 4n * MS, statedPeriod: 2n * MS }, { period: 5n * MS }]);
    }
  });
});

/** CPU time of all spans by the clocks of their threads, in ms. */
function clocksOf(name: string): number {
  const { spans } = JSON.parse(readFileSync(join(FIXTURES, name.replace(".jfr", ".expected.json")), "utf8"));
  return (spans as { selfCpuMs: number }[]).reduce((sum, { selfCpuMs }) => sum + selfCpuMs, 0);
}

describe("a timer that is coarser than the interval it was asked for", () => {
  const CPU_TIMERS = ["ap46-jdk17-all.jfr", "dd122-jdk17-all.jfr", "dd152-jdk17-all.jfr", "ddagent-jdk17.jfr"];

  it("counts samples with the tick of the kernel, which the threads' clocks agree with", async () => {
    const name = "dd152-jdk17-remotesym.jfr";
    const core = await read(recorded.find(([of]) => of === name)!);
    const profile = profileOf(core);
    expect(profile).toMatchObject({ period: 4n * MS, statedPeriod: 2n * MS, unit: "samples", value: 309n });
    const share = (profile.samplesWithSpan * Number(profile.period / MS)) / clocksOf(name);
    expect(share).toBeGreaterThan(0.8);
    expect(share).toBeLessThan(1.1);
    // A message states what the recording does, and tells the same.
    const stated = message(core, profile.id).resourceProfiles.flatMap(({ scopeProfiles }) =>
      scopeProfiles.flatMap(({ profiles }) => profiles.map(({ period }) => BigInt(String(period)))),
    );
    expect(stated).toEqual([2n * MS]);
    const again = await read(["again.pb", core.write(profile.id, {}, { format: "otlp" }).bytes]);
    expect(profileOf(again)).toMatchObject({ period: 4n * MS, statedPeriod: 2n * MS });
  });

  it.each(CPU_TIMERS)("leaves the interval of %s as stated", async (name) => {
    const core = await read(recorded.find(([of]) => of === name)!);
    for (const profile of core.profiles()) expect(profile.statedPeriod).toBeUndefined();
  });
});
