/** The OTLP writers, checked by an independent reader: the message has the content of the store, and nothing else. */
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileWriter, WriterCore } from "../../kit/core/write-core.ts";
import { dictionaryFaults, type FlatSample, flatten, readOtlp, readOtlpJson } from "../../kit/otlp/otlp-schema.ts";
import { findingsOf } from "../../kit/otlp/valid.ts";

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

/** Both forms of the selection, checked against each other and for what every message must hold. */
function write(mask = 0) {
  const bytes = core.protobuf(mask);
  const data = readOtlp(bytes);
  const { writtenProfiles, writtenSamples, writtenObservations } = core.x;
  const flat = flatten(data);
  const samples = flat.flatMap((p) => p.samples);
  expect(dictionaryFaults(data)).toEqual([]);
  expect(writtenProfiles.value).toBe(flat.length);
  expect(writtenSamples.value).toBe(samples.length);
  expect(writtenObservations.value).toBe(samples.reduce((n, s) => n + s.values.length, 0));
  const compact = core.json(mask);
  expect(readOtlpJson(compact)).toEqual(data);
  expect(core.x.writtenObservations.value).toBe(writtenObservations.value);
  const pretty = core.json(mask, true);
  expect(JSON.parse(pretty)).toEqual(JSON.parse(compact));
  expect(core.protobuf(mask)).toEqual(bytes);
  expect(findingsOf(bytes, "protobuf")).toEqual([]);
  for (const json of [compact, pretty]) expect(findingsOf(new TextEncoder().encode(json), "json")).toEqual([]);
  return { data, flat, samples, json: compact, pretty };
}

/** A store with one profile and one event. */
function cpu() {
  const profile = core.profile("cpu", "samples", "cpu", "nanoseconds");
  return { profile, event: core.event("datadog.ExecutionSample", profile) };
}

const observe = (
  event: number,
  at: Partial<Record<"stack" | "link" | "thread" | "set", number>>,
  time = T0,
  value = 1n,
) => core.x.observe(event, at.stack ?? 0, at.link ?? 0, at.thread ?? 0, at.set ?? 0, time, value);

describe("module", () => {
  it("has no imports", () => {
    expect(WebAssembly.Module.imports(module)).toEqual([]);
  });
});

describe("message", () => {
  it("without samples has its first Profile, a whole dictionary and nothing else", () => {
    cpu();
    core.stack([core.x.internLocation(core.fn("unused"), 1, 0, 0n, 1)]);
    const { data, json } = write();
    expect(flatten(data)).toEqual([expect.objectContaining({ type: "cpu", time: 0n, duration: 0n, samples: [] })]);
    expect(JSON.parse(json)).toEqual({
      resourceProfiles: expect.any(Array),
      dictionary: {
        mappingTable: [{}],
        locationTable: [{}],
        functionTable: [{}],
        linkTable: [{}],
        stringTable: ["", "cpu", "samples"],
        attributeTable: [{}],
        stackTable: [{}],
      },
    });
  });

  it("says who wrote it", () => {
    observe(cpu().event, {});
    core.version("1.2.3-β");
    expect(write().data.resourceProfiles[0]?.scopeProfiles[0]?.scope).toMatchObject({
      name: "spanflame",
      version: "1.2.3-β",
    });
    expect(write().data.resourceProfiles[0]?.resource).toEqual({ attributes: [] });
  });

  it("has profiles in store order, those with samples only", () => {
    const events = ["cpu", "wall", "alloc-samples"].map((t) => core.event(`e.${t}`, core.profile(t, "x")));
    observe(events[2]!, {});
    observe(events[0]!, {});
    expect(write().flat.map((p) => [p.type, p.unit])).toEqual([
      ["cpu", "x"],
      ["alloc-samples", "x"],
    ]);
  });

  it("has a period with its type, or an empty period type", () => {
    const { profile, event } = cpu();
    const wall = core.profile("wall", "samples");
    observe(event, {});
    observe(core.event("w", wall), {});
    core.x.setPeriod(wall, 5n);
    const { data, flat } = write();
    expect(flat.map((p) => [p.periodType, p.periodUnit, p.period])).toEqual([
      ["", "", 0n],
      ["", "", 0n],
    ]);
    // Parca refuses a request in which one Profile has no period_type.
    const profiles = data.resourceProfiles.flatMap(({ scopeProfiles }) => scopeProfiles.flatMap((s) => s.profiles));
    expect(profiles.map(({ periodType }) => periodType)).toEqual([
      { typeStrindex: 0, unitStrindex: 0 },
      { typeStrindex: 0, unitStrindex: 0 },
    ]);
    core.x.setPeriod(profile, 10_000_000n);
    expect(write().flat[0]).toMatchObject({ periodType: "cpu", periodUnit: "nanoseconds", period: 10_000_000n });
  });

  it("covers the recording and every observation", () => {
    const { event } = cpu();
    observe(event, {}, T0 + 5n);
    expect(write().flat[0]).toMatchObject({ time: T0 + 5n, duration: 1n });
    core.x.coverTime(T0 + 7n, T0 + 100n);
    expect(write().flat[0]).toMatchObject({ time: T0 + 5n, duration: 95n });
    core.x.coverTime(T0, T0 + 2n);
    expect(write().flat[0]).toMatchObject({ time: T0, duration: 100n });
    observe(event, {}, T0 + 1000n);
    expect(write().flat[0]).toMatchObject({ time: T0, duration: 1001n });
  });

  it("stays within 64 bits of time", () => {
    const { event } = cpu();
    observe(event, {}, 0n);
    observe(event, {}, BigInt.asIntN(64, MAX - 1n));
    expect(write().flat[0]).toMatchObject({ time: 0n, duration: MAX });
    observe(event, {}, -1n);
    const flat = flatten(readOtlp(core.protobuf()))[0];
    expect(flat).toMatchObject({ time: 0n, duration: MAX });
    expect(flat?.samples[0]?.timestamps).toEqual([0n, MAX - 1n, MAX]);
  });
});

describe("sample", () => {
  it("has its observations in reading order, values beside timestamps", () => {
    const { event } = cpu();
    const values = [1n, 127n, 128n, 0n, -1n, 1n << 40n, (1n << 63n) - 1n, -(1n << 63n)];
    const other = core.set([core.attribute("k", "v")]);
    values.forEach((value, i) => {
      observe(event, {}, T0 + BigInt(1000 - i), value);
      observe(event, { set: other }, T0 + BigInt(i), 7n);
    });
    const { samples } = write();
    expect(samples[0]?.values).toEqual(values);
    expect(samples[0]?.timestamps).toEqual(values.map((_, i) => T0 + BigInt(1000 - i)));
    expect(samples[1]?.values).toEqual(values.map(() => 7n));
  });

  it("has thread, context and profile type as attributes", () => {
    const { event } = cpu();
    const set = core.set([
      core.attribute("text", 'q"\\\n\u0001\u2028é😀'),
      core.attribute("int", -5n),
      core.attribute("big", (1n << 63n) - 1n),
      core.attribute("zero", 0n),
      core.attribute("yes", true),
      core.attribute("no", false),
      core.attribute("pi", Math.PI),
      core.attribute("empty", ""),
    ]);
    observe(event, { thread: core.thread("main", 42n), set });
    observe(event, { thread: core.thread("", 7n) });
    const [first, second] = write().samples;
    expect(first?.attributes).toEqual({
      "profile.type": "cpu",
      "thread.name": "main",
      "thread.id": 42n,
      text: 'q"\\\n\u0001\u2028é😀',
      int: -5n,
      big: (1n << 63n) - 1n,
      zero: 0n,
      yes: true,
      no: false,
      pi: Math.PI,
      empty: "",
    });
    expect(second?.attributes).toEqual({ "profile.type": "cpu", "thread.id": 7n });
  });

  it("names its event where the profile mixes events", () => {
    const lock = core.profile("lock-contention", "nanoseconds");
    for (const name of ["jdk.JavaMonitorEnter", "jdk.JavaMonitorWait"]) observe(core.event(name, lock), {});
    observe(cpu().event, {});
    expect(write().samples.map((s) => s.attributes)).toEqual([
      { "profile.type": "lock-contention", "jfr.event": "jdk.JavaMonitorEnter" },
      { "profile.type": "lock-contention", "jfr.event": "jdk.JavaMonitorWait" },
      { "profile.type": "cpu" },
    ]);
  });

  it("has a link with both ids, a lone id as attribute", () => {
    const { event } = cpu();
    const ids: [bigint, bigint, bigint][] = [
      [0n, 0xabcn, 0x1234_5678_9abc_def0n],
      [0n, 0xabcn, 0n],
      [0n, 0n, 0x1fn],
      [5n, 6n, 7n],
      [5n, 0n, 0n],
      [0n, 0n, 0n],
    ];
    for (const [high, low, span] of ids) observe(event, { link: core.x.internLink(high, low, span) });
    const { samples, data } = write();
    const hex = (v: bigint, n = 16) => v.toString(16).padStart(n, "0");
    expect(samples.map((s) => [s.link, { ...s.attributes, "profile.type": undefined }])).toEqual([
      [{ traceId: hex(0xabcn, 32), spanId: hex(0x1234_5678_9abc_def0n) }, {}],
      [null, { "local_root_span.id": hex(0xabcn) }],
      [null, { "span.id": hex(0x1fn) }],
      [{ traceId: hex(5n) + hex(6n), spanId: hex(7n) }, {}],
      [null, { "trace.id": hex(5n) + hex(0n) }],
      [null, {}],
    ]);
    expect(data.dictionary?.linkTable).toHaveLength(3);
  });

  it("says of its profile when trace ids are local roots", () => {
    const events = ["cpu", "wall", "alloc", "lock"].map((t) => core.event(t, core.profile(t, "x")));
    observe(events[0]!, { link: core.x.internLink(0n, 1n, 2n) });
    observe(events[1]!, { link: core.x.internLink(3n, 1n, 2n) });
    observe(events[2]!, { link: core.x.internLink(0n, 1n, 0n) });
    observe(events[3]!, { link: core.x.internShortTrace(1n, 2n) });
    const said = ["local_root_span_id", undefined, undefined, "trace_id_64_bit"];
    expect(write().flat.map((p) => p.attributes["spanflame.trace_id"])).toEqual(said);
  });

  it("takes what is known of a local root for no trace of the same number", () => {
    const event = core.event("cpu", core.profile("cpu", "x"));
    core.x.noteRoot(7n, core.set([core.attribute("trace endpoint", "GET /")]));
    observe(event, { link: core.x.internLink(0n, 7n, 1n) });
    observe(event, { link: core.x.internShortTrace(7n, 2n) });
    observe(event, { link: core.x.internLink(7n, 7n, 3n) });
    const endpoints = write().flat[0]?.samples.map((sample) => sample.attributes["trace endpoint"]);
    expect(endpoints).toEqual(["GET /", undefined, undefined]);
  });
});

describe("dictionary", () => {
  it("resolves frames with all that is known of them", () => {
    const build = core.attribute("process.executable.build_id.gnu", "abcd");
    const mapping = core.x.internMapping(0x1000n, MAX, 4n, core.string("libc.so"), build);
    const rows = [
      core.x.internLocation(core.fn("a.B.c", "c()V", "B.java", 3), 17, 0, 0n, 1),
      core.x.internLocation(core.fn("malloc"), 0, mapping, MAX, 2),
      core.x.internLocation(core.fn("sys_read"), 0, 0, 0n, 3),
      core.x.internLocation(core.fn("[truncated]"), 0, 0, 0n, 0),
      core.x.internLocation(0, 0, mapping, 0x1001n, 0),
    ];
    observe(cpu().event, { stack: core.stack(rows) });
    const { samples, data } = write();
    const none = { systemName: "", fileName: "", line: 0n, address: 0n, mapping: "", buildId: "", attributes: {} };
    const libc = { ...none, mapping: "libc.so", buildId: "abcd" };
    expect(samples[0]?.stack).toEqual([
      {
        ...none,
        name: "a.B.c",
        systemName: "c()V",
        fileName: "B.java",
        line: 17n,
        attributes: { "profile.frame.type": "jvm" },
      },
      { ...libc, name: "malloc", address: MAX, attributes: { "profile.frame.type": "native" } },
      { ...none, name: "sys_read", attributes: { "profile.frame.type": "kernel" } },
      { ...none, name: "[truncated]" },
      { ...libc, name: "", address: 0x1001n },
    ]);
    expect(data.dictionary?.functionTable[1]?.startLine).toBe(3n);
    expect(data.dictionary?.locationTable[5]?.lines).toEqual([]);
    expect(data.dictionary?.mappingTable).toHaveLength(2);
    expect(data.dictionary?.mappingTable[1]).toMatchObject({ memoryStart: 0x1000n, memoryLimit: MAX, fileOffset: 4n });
  });

  it("keeps only what the mask reaches, stacks with their new numbers", () => {
    const { event } = cpu();
    const rows = Array.from({ length: 1000 }, (_, i) => core.x.internLocation(core.fn(`f${i}`), i, 0, 0n, 1));
    for (let i = 0; i < 500; i++) {
      observe(event, { stack: core.stack([rows[i]!, rows[i + 500]!]), link: core.x.internLink(0n, 1n, BigInt(i + 1)) });
    }
    const { samples, data } = write(core.mask((row) => row === 201 || row === 451));
    expect(samples.map((s) => s.stack.map((f) => f.name))).toEqual([
      ["f200", "f700"],
      ["f450", "f950"],
    ]);
    expect(data.dictionary?.locationTable).toHaveLength(5);
    expect(data.dictionary?.linkTable).toHaveLength(3);
  });

  it("writes strings that lie across every boundary", () => {
    const { event } = cpu();
    const texts = [15, 16, 17, 4095, 4096, 4097, 20_000, 300_000].map((n) => `${n}:${"x".repeat(n)}"`);
    for (const text of [
      "\u0000",
      "\u001f\u007f",
      '""""""""""""""""""',
      "\\u0041",
      "</script>",
      "ünïcödé\t日本",
      ...texts,
    ]) {
      observe(event, {
        set: core.set([core.attribute("k", text)]),
        stack: core.stack([core.x.internLocation(core.fn(text), 0, 0, 0n, 0)]),
      });
    }
    const { samples } = write();
    expect(samples.at(-1)?.stack[0]?.name).toBe(texts.at(-1));
    expect(samples.every((s) => s.attributes.k === s.stack[0]?.name)).toBe(true);
  });

  it("does not grow the store by writing again", () => {
    const { event } = cpu();
    observe(event, { link: core.x.internLink(0n, 0n, 9n) });
    write();
    const [rows, bytes] = [core.x.ownRows(), core.x.arenaBytes()];
    for (let i = 0; i < 50; i++) write();
    expect(core.x.ownRows()).toBe(rows);
    expect(core.x.arenaBytes()).toBe(bytes);
  });

  it("survives a reset between messages", () => {
    observe(cpu().event, {});
    core.protobufKept();
    core.reset();
    observe(cpu().event, { set: core.set([core.attribute("a", 1n)]) });
    expect(write().samples).toHaveLength(1);
  });
});

describe("numbers", () => {
  it("doubles read back the same", () => {
    const { event } = cpu();
    const doubles = fc.sample(fc.double(), 2000);
    for (const value of [...doubles, 0, -0, 5, 1e21, -1e-7, 0.1, 5e-324, Number.MAX_VALUE, Number.NaN, -Infinity]) {
      observe(event, { set: core.set([core.attribute("d", value)]) });
    }
    write();
  });

  it("64-bit integers read back the same", () => {
    const { event } = cpu();
    const ends = Array.from({ length: 64 }, (_, i) => [(1n << BigInt(i)) - 1n, -(1n << BigInt(i))]).flat();
    const tens = Array.from({ length: 19 }, (_, i) => [10n ** BigInt(i), 10n ** BigInt(i) - 1n]).flat();
    const values = [...ends, ...tens, ...fc.sample(fc.bigInt(-(1n << 63n), (1n << 63n) - 1n), 500)];
    for (const value of values) observe(event, {}, T0, value);
    expect(write().samples[0]?.values).toEqual(values);
  });
});

/** One observation as the model has it: small numbers, so that identities meet. */
const small = (max: number) => fc.integer({ min: 0, max });
const observation = fc.record({
  event: small(4),
  stack: small(12),
  link: small(7),
  thread: small(3),
  set: small(6),
  time: fc.bigInt(0n, 1n << 62n),
  value: fc.oneof(fc.constant(1n), fc.bigInt(0n, 300n), fc.bigInt(-(1n << 63n), (1n << 63n) - 1n)),
});

describe("any store", () => {
  const types = ["cpu", "wall", "alloc", "lock"];
  const eventProfiles = [0, 1, 2, 3, 3];
  const stackOf = (i: number) => Array.from({ length: i % 7 }, (_, j) => `f${(i * 31 + j * 17) % 40}`);

  /** Fills the store with the model's rows, and rows that nothing names. */
  function build() {
    core.reset();
    const profiles = types.map((t) => core.profile(t, "unit", t, "ns"));
    for (const [i, p] of profiles.entries()) core.x.setPeriod(p, BigInt(i));
    const events = eventProfiles.map((p, i) => core.event(`event.${i}`, profiles[p]!));
    const location = (name: string) => core.x.internLocation(core.fn(name, "", ""), 0, 0, 0n, 1 + (name.length % 3));
    for (let i = 0; i < 150; i++) location(`unused${i}`);
    return {
      events,
      stacks: Array.from({ length: 13 }, (_, i) => core.stack(stackOf(i).map(location))),
      links: Array.from({ length: 8 }, (_, i) => core.x.internLink(0n, BigInt(i >> 1), i % 2 ? BigInt(i) : 0n)),
      threads: Array.from({ length: 4 }, (_, i) => core.thread(i % 2 ? `t${i}` : "", i > 1 ? BigInt(i) : 0n)),
      sets: Array.from({ length: 7 }, (_, i) =>
        core.set(Array.from({ length: i * 3 }, (_, j) => core.attribute(`key${j}`, i % 2 ? `v${i}` : BigInt(i)))),
      ),
    };
  }

  it("comes out as it went in", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 120 }), fc.integer({ min: 0, max: 3 }), (rows, keep) => {
        const { events, stacks, links, threads, sets } = build();
        const expected = new Map<
          string,
          { profile: number; row: number; stack: string[]; values: bigint[]; times: bigint[] }
        >();
        for (const o of rows) {
          const { event, stack, link, thread, set } = o;
          core.x.observe(events[event]!, stacks[stack]!, links[link]!, threads[thread]!, sets[set]!, o.time, o.value);
          // Stacks of the same frames are one.
          const identity = JSON.stringify([event, stackOf(stack), link, thread, set]);
          const profile = eventProfiles[event]!;
          if (!expected.has(identity)) {
            expected.set(identity, { profile, row: expected.size + 1, stack: stackOf(stack), values: [], times: [] });
          }
          expected.get(identity)?.values.push(o.value);
          expected.get(identity)?.times.push(o.time);
        }
        const mask = keep === 0 ? 0 : core.mask((row) => row % keep === 0);
        const { flat } = write(mask);
        const kept = [...expected.values()].filter((e) => keep === 0 || e.row % keep === 0);
        const shape = (s: FlatSample) => ({ stack: s.stack.map((f) => f.name), values: s.values, times: s.timestamps });
        expect(flat.map((p) => [p.type, p.samples.map(shape)])).toEqual(
          types
            .map((type, i) => [
              type,
              kept.filter((e) => e.profile === i).map(({ stack, values, times }) => ({ stack, values, times })),
            ])
            // Without any sample the first profile is there.
            .filter(([, samples], i) => samples?.length || (kept.length === 0 && i === 0)),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("fills many blocks, observations and samples beyond any one of them", { timeout: 60_000 }, () => {
    const { events, stacks, links, threads, sets } = build();
    const counts = new Map<string, number>();
    let seed = 1;
    const random = (n: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * n);
    };
    for (let i = 0; i < 120_000; i++) {
      // One identity gets more than a block of output holds.
      const some = i % 2 ? [0, 1, 1, 1, 1] : [random(5), random(13), random(8), random(4), random(7)];
      const [e, st, l, t, se] = some as [number, number, number, number, number];
      core.x.observe(events[e]!, stacks[st]!, links[l]!, threads[t]!, sets[se]!, T0 + BigInt(i), BigInt(i % 1000));
      const key = JSON.stringify([e, stackOf(st), l, t, se]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const data = readOtlp(core.protobuf());
    expect(dictionaryFaults(data)).toEqual([]);
    const samples = flatten(data).flatMap((p) => p.samples);
    expect(samples.map((s) => s.values.length).sort((a, b) => a - b)).toEqual(
      [...counts.values()].sort((a, b) => a - b),
    );
    for (const s of samples) expect(s.values.every((v, i) => v === (s.timestamps[i]! - T0) % 1000n)).toBe(true);
    expect(readOtlpJson(core.json())).toEqual(data);
  });
});
