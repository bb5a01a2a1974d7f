/** Sampling periods as recordings state them, and the clock that times are counted by. */
import { describe, expect, it } from "vitest";
import { observations, profilesOf, read } from "../../kit/core/read-store.ts";
import { modeChunk } from "../../kit/jfr/async-profiler.ts";
import type { Item, TypeSpec, Value } from "../../kit/jfr/jfr-builder.ts";
import { ALLOC, CPU, cpuType, DURATION, event, field, JVM_TYPES, ref, START, WALL } from "../../kit/jfr/jfr-types.ts";

const WALL_TYPE = cpuType([], WALL);
const ALLOC_TYPE: TypeSpec = { ...cpuType([], ALLOC), fields: [...(cpuType().fields ?? []), field("size", "long")] };
const SETTING = event("jdk.ActiveSetting", [
  START,
  field("id", "long"),
  field("name", "java.lang.String"),
  field("value", "java.lang.String"),
]);
const CONFIG = event("datadog.DatadogProfilerConfig", [
  START,
  DURATION,
  ref("eventThread", "java.lang.Thread"),
  field("cpuInterval", "long", { unit: "MILLISECONDS" }),
  field("wallInterval", "long", { unit: "MILLISECONDS" }),
  field("allocInterval", "long", { unit: "BYTES", annotation: "jdk.jfr.DataAmount" }),
  field("version", "java.lang.String"),
]);
const IDS: Record<string, bigint> = { [CPU]: 301n, [WALL]: 302n, [ALLOC]: 303n };

const sample = (name: string): Item => ({
  event: name,
  values: { startTime: 0n, eventThread: 0n, stackTrace: 0n, weight: 1n, size: 8n, spanId: 0n, localRootSpanId: 0n },
});
const config = (cpuInterval: bigint, wallInterval: bigint, allocInterval: bigint): Item => ({
  event: CONFIG.name,
  values: { startTime: 0n, duration: 0n, eventThread: 0n, cpuInterval, wallInterval, allocInterval, version: "1" },
});
const setting = (id: bigint, name: string, value: string): Item => ({
  event: SETTING.name,
  values: { startTime: 0n, id, name, value },
});

async function periods(...items: Item[]): Promise<Record<string, unknown>> {
  const types = [
    ...JVM_TYPES,
    ...[cpuType(), WALL_TYPE, ALLOC_TYPE].map((t) => ({ ...t, id: IDS[t.name]! })),
    SETTING,
    CONFIG,
  ];
  const core = await read({ types, items: [...items, sample(CPU), sample(WALL), sample(ALLOC)] });
  const rows = profilesOf(core).map((p) => [
    p.type,
    p.period === 0n ? "unset" : `${p.periodType} ${p.periodUnit} ${p.period}`,
  ]);
  for (const { type, period, periodType } of core.profiles()) {
    const row = rows.find(([t]) => t === type);
    expect(row?.[1]).toEqual(period === 0n ? "unset" : expect.stringContaining(`${periodType} `));
  }
  for (const p of profilesOf(core)) if (p.period === 0n) expect([p.periodType, p.periodUnit]).toEqual(["", ""]);
  return Object.fromEntries(rows);
}

const UNSET = { cpu: "unset", wall: "unset", "alloc-samples": "unset" };

describe("a period", () => {
  it("is unset where nothing says it, or 0 is said", async () => {
    expect(await periods()).toEqual(UNSET);
    expect(await periods(config(0n, 0n, 0n), setting(301n, "interval", "0"))).toEqual(UNSET);
  });

  it("comes from the profiler's configuration, in its units", async () => {
    expect(await periods(config(10n, 50n, 262_144n))).toEqual({
      cpu: "cpu nanoseconds 10000000",
      wall: "wall nanoseconds 50000000",
      "alloc-samples": "alloc-samples bytes 262144",
    });
  });

  it.each([
    ["5000000", 5_000_000n],
    ["20 ms", 20_000_000n],
    ["20ms", 20_000_000n],
    ["1 s", 1_000_000_000n],
    ["250 us", 250_000n],
    ["77 ns", 77n],
  ])("comes from the setting %j of the sample's event", async (value, nanos) => {
    const found = await periods(setting(301n, "interval", value));
    expect(found).toEqual({ ...UNSET, cpu: `cpu nanoseconds ${nanos}` });
  });

  it.each([["everyChunk"], [""], ["-5"], ["10 lightyears"]])("is not taken from the value %j", async (value) => {
    expect(await periods(setting(301n, "interval", value))).toEqual(UNSET);
  });

  it("is not taken from other settings or other events", async () => {
    const items = [setting(301n, "enabled", "1"), setting(999n, "interval", "7"), setting(0n, "interval", "7")];
    expect(await periods(...items)).toEqual(UNSET);
  });

  it("is the first that is said", async () => {
    const found = await periods(config(10n, 0n, 0n), config(20n, 30n, 0n), setting(301n, "interval", "7"));
    expect(found).toMatchObject({ cpu: "cpu nanoseconds 10000000", wall: "wall nanoseconds 30000000" });
  });
});

describe("the interval of async-profiler's wall mode", () => {
  const TICK = "profiler.WallClockSample";
  const tick = { ...cpuType([], TICK), id: 304n, fields: [...(cpuType().fields ?? []), field("samples", "int")] };
  const types = [
    ...JVM_TYPES,
    tick,
    { ...event("jdk.ActiveRecording", [START]), id: 305n },
    { ...event("jdk.ExecutionSample", [START]), id: 306n },
    SETTING,
  ];
  const taken: Item = {
    event: TICK,
    values: { ...(sample(CPU) as { values: object }).values, samples: 4n },
  };
  const wallOf = async (...items: Item[]) => {
    const [wall] = (await read({ types, items })).profiles();
    return { period: wall?.period, value: wall?.value, settings: wall?.settings };
  };
  const mode = (value: string) => setting(305n, "event", value);
  const interval = (value: string) => setting(306n, "interval", value);
  const timed = {
    period: 8_000_000n,
    value: 4n,
    settings: [{ event: "jdk.ExecutionSample", name: "interval", value: "8000000" }],
  };
  const counted = { period: 0n, value: 4n, settings: [] };

  it("is the interval of the profiler's event", async () => {
    expect(await wallOf(mode("wall"), interval("8000000"), taken)).toEqual(timed);
  });

  it("is found after the samples", async () => {
    expect(await wallOf(taken, mode("wall"), interval("8000000"))).toEqual(timed);
  });

  it("is unknown where the profiler states none", async () => {
    expect(await wallOf(mode("wall"), taken)).toEqual(counted);
  });

  it("is the profiler's default where it states 0", async () => {
    for (const items of [
      [mode("wall"), interval("0"), taken],
      [mode("cpu"), setting(306n, "wall", "0"), taken],
    ])
      expect((await wallOf(...items)).period).toBe(50_000_000n);
  });

  it("is not that of another mode", async () => {
    expect(await wallOf(mode("cpu"), interval("8000000"), taken)).toEqual(counted);
    expect(await wallOf(interval("8000000"), taken)).toEqual(counted);
    const { period } = await wallOf(mode("cpu"), interval("3000000"), setting(306n, "wall", "8000000"), taken);
    expect(period).toBe(8_000_000n);
  });
});

describe("a time", () => {
  const types = [...JVM_TYPES, cpuType()];
  const at = (startTime: bigint): Item => ({
    event: CPU,
    values: { ...(sample(CPU) as { values: object }).values, startTime },
  });

  it.each([
    [1_000_000_000n, 0n, 5n, 5n],
    [1_800_000_000n, 100n, 100n + 9n, 5n],
    [1_800_000_000n, 100n, 100n + 1n, 0n],
    [1_800_000_000n, 100n, 100n - 1n, -1n],
    [2_799_998_858n, 0n, 2_799_998_858n, 1_000_000_000n],
    [2_799_998_858n, 1n << 52n, (1n << 52n) - 2_799_998_858n * 62n, -62_000_000_000n],
    [2_799_998_858n, 7n, 8n, 0n],
    [9_100_000_000n, 0n, 9_100_000_000n * 86_400n * 3n + 9_099_999_999n, 259_200_999_999_999n],
    [1n, -5n, -8n, -3_000_000_000n],
    [0n, 0n, 17n, 17n],
    [-3n, 0n, 17n, 17n],
  ])("at %d Hz from tick %d: tick %d is %d ns behind the start", async (ticksPerSecond, startTicks, ticks, nanos) => {
    const core = await read({ types, items: [at(ticks)], ticksPerSecond, startTicks });
    expect(observations(core).map(({ time }) => time - 1_700_000_000_000_000_000n)).toEqual([nanos]);
  });

  it("before the chunk began widens the profile's own, so that no sample lies outside", async () => {
    const core = await read({
      types,
      items: [at(-62_000_000_000n), at(90_000_000_000n)],
      durationNanos: 1_000_000_000n,
    });
    const [profile] = profilesOf(core);
    expect(profile!.time <= 1_699_999_938_000_000_000n).toBe(true);
    expect(profile!.time + profile!.duration > 1_700_000_090_000_000_000n).toBe(true);
  });
});

describe("a text field that is no text", () => {
  /** Every eighth address of the core's first mebibytes, in which the chunk and other texts are. */
  const ADDRESSES = Array.from({ length: 1 << 18 }, (_, i) => BigInt(i) * 8n);

  it.each([
    ["a number", field("name", "long"), (address: bigint) => address],
    ["an array of texts", field("name", "java.lang.String", { array: true }), () => ["cAnArY", "cAnArY"]],
    ["a reference to a type that is not there", { ...ref("name", "gone.Type") }, (address: bigint) => address],
  ])("is not read: %s", async (_, named, nameFor) => {
    const type = event("jdk.ActiveSetting", [START, field("id", "long"), named, field("value", "java.lang.String")]);
    const items = ADDRESSES.map((address): Item => {
      return { event: type.name, values: { startTime: 0n, id: 1n, name: nameFor(address), value: "v" } };
    });
    const core = await read({ types: [...JVM_TYPES, cpuType(), type], items: [...items, sample(CPU)] });
    expect(core.settings()).toEqual([]);
  });

  it("is not read in a thread's name", async () => {
    const [thread, ...others] = JVM_TYPES;
    const fields = (thread?.fields ?? []).map((each) => (each.name === "javaName" ? field("javaName", "long") : each));
    const threads = ADDRESSES.slice(0, 1 << 16).map((address, i): [bigint, Value] => {
      return [BigInt(i + 1), { osName: null, osThreadId: 0n, javaName: address, javaThreadId: 1n }];
    });
    const items = threads.map(([key]): Item => {
      const values = { ...(sample(CPU) as { values: object }).values, eventThread: key };
      return { event: CPU, values };
    });
    const checkpoint: Item = { checkpoint: [{ type: "java.lang.Thread", entries: threads }] };
    const types = [{ ...thread!, fields }, ...others, cpuType()];
    const core = await read({ types, items: [...items, checkpoint] });
    const names = new Set(observations(core).map(({ attributes }) => attributes["thread.name"] ?? ""));
    expect([...names]).toEqual([""]);
  });
});

it("of async-profiler has the engine's default interval where the setting is 0", async () => {
  const found = async (...chunk: Parameters<typeof modeChunk>) =>
    (await read(modeChunk(...chunk))).profiles().map((p) => [p.type, p.periodUnit, p.period]);
  const [cpu, wall] = [
    ["cpu", "nanoseconds", 10_000_000n],
    ["wall", "nanoseconds", 50_000_000n],
  ];
  for (const engine of ["cpu", "itimer", "ctimer", "cpu:u"]) expect(await found(engine, [1n], "0")).toEqual([cpu]);
  expect(await found("wall", [1n, 2n], "0")).toEqual([wall]);
  expect(await found("cpu", [0n], "0", true)).toEqual([cpu]);
  // Not for counters, whose defaults are no times, nor where a unit or no number is stated.
  for (const event of ["cycles", "malloc"]) expect(await found(event, [1n], "0")).toMatchObject([[event, "", 0n]]);
  for (const value of ["0 ms", "", "none", "-0"]) expect(await found("cpu", [1n], value)).toEqual([["cpu", "", 0n]]);
});

it("of async-profiler is cpu in STATE_DEFAULT under any id, from the version on that has it", async () => {
  const found = async (version: string, isLate = false) =>
    (await read(modeChunk("cpu", [77n, 1n, 2n], "10000000", isLate, version)))
      .profiles()
      .map((p) => [p.type, p.samples]);
  const both = [
    ["cpu", 1],
    ["wall", 2],
  ];
  for (const version of ["2.10", "2.11", "3.0", "4.6"]) expect(await found(version)).toEqual(both);
  expect(await found("3.0", true)).toEqual(both);
  for (const version of ["1.8.4", "2.9", "2", "", "x"]) expect(await found(version)).toEqual([["cpu", 3]]);
});

it.each<[string, ...ReturnType<typeof modeChunk>[]]>([
  ["the mode", modeChunk("wall", [1n, 2n, 1n, 2n])],
  ["a mode that is stated late", modeChunk("wall", [1n, 2n, 1n, 2n], "10000000", true)],
  ["the mode of the chunk before", modeChunk("wall", [1n]), modeChunk("", [2n, 1n, 2n])],
  ["the state", modeChunk("cpu", [0n, 1n, 2n, 2n])],
  ["the mode beside states", modeChunk("wall", [0n, 1n, 2n, 2n])],
])("of async-profiler says that a thread slept where %s makes it wall", async (_, ...chunks) => {
  const core = await read(...chunks);
  const statesOf = (type: string) =>
    observations(core, `${type}:jdk.ExecutionSample`).flatMap(({ attributes }) => attributes["thread.state"] ?? []);
  expect([statesOf("cpu"), statesOf("wall")]).toEqual([[], ["STATE_SLEEPING", "STATE_SLEEPING"]]);
});

it("of async-profiler says that a thread slept while its CPU time did not change", async () => {
  const name = "profiler.WallClockSleeping";
  const type = { ...cpuType([], name), fields: [...(cpuType().fields ?? []), field("samplesCount", "int")] };
  const item: Item = { event: name, values: { ...(sample(CPU) as { values: object }).values, samplesCount: 4n } };
  const [slept] = observations(await read({ types: [...JVM_TYPES, type], items: [item] }), "wall:jdk.ExecutionSample");
  expect(slept).toMatchObject({ value: 4n, attributes: { "thread.state": "STATE_SLEEPING" } });
});
