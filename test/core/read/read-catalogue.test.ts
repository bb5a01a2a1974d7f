/** Every row of the catalogue, by an event that is built from the row; then the other options of rows. */
import { describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import { type EventRow, PROFILES, type ValueRule } from "../../../src/core/tables/catalogue.ts";
import type { Filter } from "../../../src/core/types.ts";
import { codes, emptyCore, feed, observations, profilesOf, read } from "../../kit/core/read-store.ts";
import { modeChunk } from "../../kit/jfr/async-profiler.ts";
import { buildChunk, type ChunkSpec, type Item, type TypeSpec, type Value } from "../../kit/jfr/jfr-builder.ts";
import {
  CONTEXT,
  Constants,
  CPU,
  cpuChunk,
  cpuItem,
  cpuType,
  DURATION,
  event,
  field,
  JVM_TYPES,
  javaStack,
  MAIN,
  ref,
  STACK,
  START,
  THREAD,
} from "../../kit/jfr/jfr-types.ts";

const STATE = ref("state", "jdk.types.ThreadState");

/** Fields that a rule reads, and values that tell them apart. Ticks are nanoseconds in a built chunk. */
function ruleFields(rule: ValueRule | undefined): TypeSpec["fields"] & object {
  if (rule === undefined || rule.rule === "count" || rule.rule === "freed") return [];
  if (rule.rule === "duration") return [field(rule.field, "long", { unit: "TICKS" })];
  if (rule.rule === "scaled-duration")
    return [field(rule.field, "long", { unit: "TICKS" }), field(rule.weight, "float")];
  if (rule.rule === "scaled") return [field(rule.size, "long"), field(rule.weight, "float")];
  if (rule.rule === "rounded") return [field(rule.field, "float")];
  return [field(rule.field, "long")];
}

const numberOf = (name: string): Value => (name === "weight" ? 2.5 : BigInt(1000 + name.length));
/** Those of fields; a name in quotes is the value itself. */
const ownAttributes = (row: EventRow) => (row.attributes ?? []).filter(([name]) => !/['.]/.test(name));

function expected(rule: ValueRule): bigint {
  const n = (name: string) => Number(numberOf(name));
  switch (rule.rule) {
    case "scaled":
      return BigInt(Math.floor(n(rule.size) * n(rule.weight) + 0.5));
    case "scaled-duration":
      return BigInt(Math.floor(n(rule.field) * n(rule.weight) + 0.5));
    case "rounded":
      return BigInt(Math.floor(n(rule.field) + 0.5));
    default:
      return "field" in rule ? BigInt(Math.trunc(n(rule.field))) : 1n;
  }
}

/** A type with all fields that the row names, and one event of it. */
function built(row: EventRow, name = row.event): { types: TypeSpec[]; item: Item; pools: Constants } {
  const c = new Constants();
  const named = [...ruleFields(row.value), ...ruleFields(row.second)];
  const weightIsWhole = row.value.rule === "field";
  const numbers = [...new Map(named.map((f) => [f.name, weightIsWhole ? { ...f, type: "long" } : f])).values()];
  const texts = ownAttributes(row).map(([name]) => field(name, "java.lang.String"));
  const fields = [START, THREAD, STACK, ...numbers, ...texts];
  if (row.skip !== undefined) fields.push(field(row.skip, "boolean"));
  const values: Record<string, Value> = {
    startTime: 5n,
    eventThread: c.thread(MAIN),
    stackTrace: c.stack(javaStack("leaf", "root")),
    ...Object.fromEntries(
      numbers.map((f) => [f.name, f.type === "long" ? BigInt(Math.trunc(Number(numberOf(f.name)))) : numberOf(f.name)]),
    ),
    ...Object.fromEntries(texts.map((f) => [f.name, `text of ${f.name}`])),
    ...(row.skip === undefined ? {} : { [row.skip]: false }),
  };
  return { types: [...JVM_TYPES, event(name, fields)], item: { event: name, values }, pools: c };
}

const ROWS = PROFILES.flatMap((profile, id) =>
  profile.events
    .filter(({ routed, value }) => routed !== true && value.rule !== "freed")
    .map((row) => ({ id, profile, row, name: row.event })),
);

describe("the row of", () => {
  it.each(ROWS)(
    "$name gives its value, its second measure, its unit and its attributes",
    async ({ id, profile, row }) => {
      const { types, item, pools } = built(row);
      const core = await read({ types, items: [item, { checkpoint: pools.all() }] });
      expect(codes(core)).toEqual([]);
      const [found, ...more] = core.profiles();
      expect(more).toEqual([]);
      expect(found).toMatchObject({
        id,
        type: profile.type,
        unit: profile.unit,
        samples: 1,
        value: expected(row.value),
      });
      expect(found?.events).toEqual({ [row.event]: 1 });
      if (row.second !== undefined) expect(found?.measures[1]?.value).toBe(expected(row.second));
      expect(core.select(id, {}, 1).value).toBe(expected(row.second ?? row.value));
      const [sample] = observations(core, found?.otlpType);
      expect(sample?.stack.map((f) => f.name)).toEqual(["demo.Work.leaf", "demo.Work.root"]);
      for (const [name, key] of ownAttributes(row)) expect(sample?.attributes[key]).toBe(`text of ${name}`);
    },
  );

  it.each(ROWS.filter(({ name }) => name.startsWith("jdk.")))(
    "$name reads the names of JDK 9 too",
    async ({ id, row }) => {
      const { types, item, pools } = built(row, `com.oracle.${row.event}`);
      const core = await read({ types, items: [item, { checkpoint: pools.all() }] });
      expect(core.profiles().map((p) => [p.id, p.value])).toEqual([[id, expected(row.value)]]);
    },
  );
});

describe("a second measure", () => {
  it("is what is ranked, drawn and written when asked for", async () => {
    const row = PROFILES.find((p) => p.type === "alloc-samples")!.events[0]!;
    const { types, item, pools } = built(row);
    const core = await read({ types, items: [item, item, { checkpoint: pools.all() }] });
    const { id } = core.profiles()[0]!;
    expect(core.select(id, {}, 1).value).toBe(6n);
    expect(core.views.top("self", 0, 1).rows).toMatchObject([{ self: 6n, total: 6n }]);
    expect(core.views.frames({ focus: 0, width: 100 }).selectionTotal).toBe(6);
    expect(core.views.rank({ kind: "attribute", key: "alloc.class" }, 0, 9).rows[0]).toMatchObject({
      samples: 2,
      value: 6n,
    });
    for (const format of ["otlp", "otlp-json"] as const) {
      const text = new TextDecoder("latin1").decode(core.write(id, {}, { format, measure: 1 }).bytes);
      expect(text).toContain("alloc-objects");
      expect(text).not.toContain("alloc-samples\x12");
    }
  });
});

describe("jdk.MethodTrace", () => {
  /** Calls in the order in which a thread writes them: [method, stack of the caller, thread, start, duration]. */
  type Call = [string | null, string[], bigint, bigint, bigint];
  const chunk = (...calls: Call[]): ChunkSpec => {
    const c = new Constants();
    const withMethod = calls.some(([method]) => method !== null);
    const fields = [START, field("duration", "long", { unit: "TICKS" }), THREAD, STACK];
    const type = event("jdk.MethodTrace", [...fields, ...(withMethod ? [ref("method", "jdk.types.Method")] : [])]);
    return {
      types: [...JVM_TYPES, type],
      items: [
        ...calls.map(([method, caller, thread, startTime, duration]): Item => {
          const stackTrace = caller.length === 0 ? 0n : c.stack(javaStack(...caller));
          const eventThread = c.thread({ ...MAIN, javaId: thread, javaName: `t${thread}` });
          const values = { startTime, duration, eventThread, stackTrace };
          return {
            event: type.name,
            values: method === null ? values : { ...values, method: c.method(javaStack(method).frames[0]!) },
          };
        }),
        { checkpoint: c.all() },
      ],
    };
  };
  const collapsed = (core: Core, filter: Filter = {}) =>
    new TextDecoder()
      .decode(core.write(core.profiles()[0]!.id, filter, { format: "collapsed" }).bytes)
      .replaceAll("demo.Work.", "")
      .trim()
      .split("\n")
      .sort();

  it("has the method in its field as the leaf, and not the time of traced calls inside", async () => {
    const core = await read(
      chunk(
        ["query", ["reserve", "main"], 1n, 20n, 10n],
        ["query", ["main"], 2n, 22n, 5n],
        ["query", ["reserve", "main"], 1n, 40n, 10n],
        ["reserve", ["main"], 1n, 10n, 50n],
        ["query", ["main"], 1n, 60n, 7n],
        ["handle", [], 1n, 0n, 100n],
      ),
    );
    expect(collapsed(core)).toEqual(["handle 43", "main;query 12", "main;reserve 30", "main;reserve;query 20"]);
    expect(core.profiles()[0]).toMatchObject({ samples: 6, value: 105n });
  });

  it("of async-profiler has the method on top of its stack", async () => {
    const core = await read(
      chunk([null, ["query", "reserve", "main"], 1n, 20n, 10n], [null, ["reserve", "main"], 1n, 10n, 50n]),
    );
    expect(collapsed(core)).toEqual(["main;reserve 40", "main;reserve;query 10"]);
  });

  it("has the same values where a filter keeps inner calls out", async () => {
    const { bytes } = buildChunk(chunk(["query", ["main"], 1n, 20n, 10n], ["reserve", ["main"], 1n, 10n, 50n]));
    const core = await emptyCore();
    const time = { from: 1_700_000_000_000_000_000n, to: 1_700_000_000_000_000_015n };
    readOnlyNeeded(core, { types: ["method-time"], filter: { time }, stacks: true, all: false });
    core.beginFile("built.jfr", 0);
    feed(core, bytes, 0);
    expect(collapsed(core, { time })).toEqual(["main;reserve 40"]);
  });
});

describe("jdk.ExecutionSample", () => {
  const TYPE = event("jdk.ExecutionSample", [START, ref("sampledThread", "java.lang.Thread"), STACK, STATE]);
  const states = (c: Constants, names: Record<string, bigint>, keys: bigint[]) => ({
    types: [...JVM_TYPES, TYPE],
    items: [
      ...keys.map(
        (state): Item => ({
          event: TYPE.name,
          values: { startTime: 0n, sampledThread: c.thread(MAIN), stackTrace: c.stack(javaStack("leaf")), state },
        }),
      ),
      {
        checkpoint: [
          ...c.all(),
          {
            type: "jdk.types.ThreadState",
            entries: Object.entries(names).map(([name, key]): [bigint, Value] => [key, { name }]),
          },
        ],
      },
    ],
  });

  it("of async-profiler is cpu in its default state, else wall: its wall mode writes the same event", async () => {
    const names = { STATE_DEFAULT: 0n, STATE_RUNNABLE: 1n, STATE_SLEEPING: 2n };
    const core = await read(states(new Constants(), names, [0n, 1n, 2n, 2n, 0n, 1n, 1n]));
    expect(core.profiles().map((p) => [p.type, p.otlpType, p.samples])).toEqual([
      ["cpu", "cpu:jdk.ExecutionSample", 2],
      ["wall", "wall:jdk.ExecutionSample", 5],
    ]);
  });

  it("of async-profiler before 2.10 is what the setting of its chunk states, whatever the state", async () => {
    const found = async (...chunks: ChunkSpec[]) =>
      (await read(...chunks)).profiles().map((p) => [p.type, p.samples, p.period]);
    const wall = ["wall", 3, 10_000_000n];
    const cpu = ["cpu", 2, 10_000_000n];
    expect(await found(modeChunk("wall", [1n, 2n, 2n]))).toEqual([wall]);
    expect(await found(modeChunk("cpu", [1n, 1n]))).toEqual([cpu]);
    expect(await found(modeChunk("cpu", [1n, 1n]), modeChunk("wall", [1n, 2n, 2n]))).toEqual([cpu, wall]);
    expect(await found(modeChunk("wall", [1n, 2n, 2n]), modeChunk("cpu", [1n, 1n]))).toEqual([cpu, wall]);
    // The setting may come after the samples, and a chunk without settings belongs to the recording before.
    expect(await found(modeChunk("wall", [1n, 2n, 2n], "10000000", true))).toEqual([wall]);
    expect(await found(modeChunk("wall", [1n]), modeChunk("", [2n, 2n]))).toEqual([wall]);
    for (const engine of ["itimer", "ctimer", "cpu:u"]) expect(await found(modeChunk(engine, [1n, 1n]))).toEqual([cpu]);
    // Any other event is no time: its samples have its name, and the interval counts it.
    const others = ["cache-misses", "java.lang.Thread.sleep", "trace:sched:sched_switch", "malloc", "alloc", "lock"];
    for (const event of others) {
      const core = await read(modeChunk(event, [1n, 2n, 2n], "1000"));
      expect(core.profiles()).toMatchObject([
        { type: event, unit: "samples", periodType: event, periodUnit: "count", period: 1000n, samples: 3, value: 3n },
      ]);
      expect(core.profiles()[0]!.events).toEqual({ "jdk.ExecutionSample": 3 });
    }
    const misses = (samples: number, period: bigint) => ["cache-misses", samples, period];
    expect(await found(modeChunk("cache-misses", [1n, 1n], "0"))).toEqual([misses(2, 0n)]);
    expect(await found(modeChunk("cpu", [1n, 1n]), modeChunk("cache-misses", [1n], "0"), modeChunk("", [1n]))).toEqual([
      cpu,
      misses(2, 0n),
    ]);
    expect(
      await found(modeChunk("cache-misses", [1n], "5"), modeChunk("wall", [1n, 2n, 2n]), modeChunk("cpu", [1n, 1n])),
    ).toEqual([cpu, wall, misses(1, 5n)]);
  });

  it("of async-profiler in its default state is the event that the setting names, and wall in other states", async () => {
    const found = async (...chunks: ChunkSpec[]) =>
      Object.fromEntries((await read(...chunks)).profiles().map((p) => [p.type, p.samples]));
    for (const event of ["cache-misses", "page-faults", "java.util.HashMap.resize", "mem:0x12:rw", "alloc"])
      expect(await found(modeChunk(event, [0n, 0n, 2n], "1000"))).toEqual({ [event]: 2, wall: 1 });
    for (const event of ["cpu", "ctimer"])
      expect(await found(modeChunk(event, [0n, 0n, 2n]))).toEqual({ cpu: 2, wall: 1 });
    expect(await found(modeChunk("wall", [0n, 1n, 2n]))).toEqual({ wall: 3 });
  });

  it("of the JDK is cpu, whatever the state", async () => {
    const names = { STATE_NEW: 0n, STATE_RUNNABLE: 5n, STATE_SLEEPING: 225n };
    const core = await read(states(new Constants(), names, [5n, 225n, 5n]));
    expect(core.profiles().map((p) => [p.type, p.samples])).toEqual([["cpu", 3]]);
  });

  it("beside the Datadog profiler's has a profile of its own", async () => {
    const c = new Constants();
    const spec = states(c, { STATE_NEW: 0n, STATE_RUNNABLE: 5n }, [5n]);
    const core = await read({
      types: [...spec.types, cpuType()],
      items: [cpuItem(c, {}), cpuItem(c, {}), ...spec.items, { checkpoint: c.all() }],
    });
    expect(core.profiles().map((p) => [p.type, p.samples])).toEqual([
      ["cpu", 2],
      ["cpu:jdk.ExecutionSample", 1],
    ]);
  });

  it("of Pyroscope's fork keeps span and context", async () => {
    const c = new Constants();
    const fields = [START, ref("sampledThread", "java.lang.Thread"), STACK, STATE];
    const fork = event(TYPE.name, [...fields, ...["spanId", "spanName", "contextId"].map((n) => field(n, "long"))]);
    const values = {
      startTime: 0n,
      sampledThread: c.thread(MAIN),
      stackTrace: 0n,
      state: 0n,
      spanId: 0x1234n,
      spanName: 7n,
      contextId: 9n,
    };
    const core = await read({
      types: [...JVM_TYPES, fork],
      items: [{ event: TYPE.name, values }, { checkpoint: c.all() }],
    });
    const [sample] = observations(core, "cpu:jdk.ExecutionSample");
    expect(sample?.attributes).toMatchObject({ contextId: 9n, spanName: 7n, "span.id": "0000000000001234" });
    expect(core.profiles()[0]).toMatchObject({
      samplesWithSpan: 1,
      samplesWithRoot: 0,
      samplesWithAttribute: { contextId: 1, spanName: 1 },
    });
  });
});

describe("trace ids of samples", () => {
  const HIGH = 0x4bf92f3577b34da6n;
  const LOW = 0xa3ce929d0e0e4736n;
  const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  const TYPE_NAME = "jdk.ExecutionSample";

  async function sampleWith(values: Record<string, Value>, names = {}) {
    const c = new Constants();
    const fields = [START, ref("sampledThread", "java.lang.Thread"), STACK, STATE];
    const ids = Object.entries(values).map(([n, v]) => field(n, typeof v === "string" ? "java.lang.String" : "long"));
    const of = { startTime: 0n, sampledThread: c.thread(MAIN), stackTrace: 0n, state: 0n };
    const chunk = buildChunk({
      types: [...JVM_TYPES, event(TYPE_NAME, [...fields, ...ids])],
      items: [{ event: TYPE_NAME, values: { ...of, ...values } }, { checkpoint: c.all() }],
    });
    (await emptyCore()).idNames(names);
    const core = await read(chunk);
    const sample = profilesOf(core).flatMap(({ samples }) => samples)[0]!;
    // The names stay over a reset, and other tests have this core as well.
    core.idNames({});
    const { link, attributes } = sample;
    for (const key of ["profile.type", "thread.id", "thread.name"]) delete attributes[key];
    return { link: link && [link.traceId, link.spanId], attributes };
  }

  it.each<[string, Record<string, Value>, Record<string, Value>]>([
    ["Pyroscope's two numbers", { spanId: 7n, traceIdHi: HIGH, traceIdLo: LOW }, {}],
    ["other names of the halves", { spanId: 7n, trace_id_high: HIGH, trace_id_low: LOW }, {}],
    [
      "a text of a context attribute",
      { spanId: 7n, localRootSpanId: 0n, traceid: TRACE, route: "/a" },
      { route: "/a" },
    ],
    [
      "texts of both ids",
      { spanId: 0n, localRootSpanId: 0n, Trace_Id: TRACE.toUpperCase(), SPAN_ID: "0000000000000007" },
      {},
    ],
    ["OpenTelemetry's prefix", { spanId: 7n, "otel.traceId": TRACE }, {}],
  ])("%s are the link", async (_, values, attributes) => {
    const sample = await sampleWith(values);
    expect(sample.link).toEqual([TRACE, "0000000000000007"]);
    expect(sample.attributes).toEqual(attributes);
  });

  it("beside a local root stay an attribute", async () => {
    const sample = await sampleWith({ spanId: 7n, localRootSpanId: 9n, traceid: TRACE });
    expect(sample.link).toEqual(["00000000000000000000000000000009", "0000000000000007"]);
    expect(sample.attributes).toMatchObject({ traceid: TRACE });
  });

  it("that are no ids stay attributes", async () => {
    const { attributes } = await sampleWith({ spanId: 7n, traceid: "trace1" });
    expect(attributes).toMatchObject({ traceid: "trace1", "span.id": "0000000000000007" });
  });

  it("have any name that the user gives", async () => {
    const values = { spanId: 7n, localRootSpanId: 0n, request: TRACE };
    expect((await sampleWith(values)).attributes).toMatchObject({ request: TRACE });
    expect((await sampleWith(values, { trace: "request" })).link).toEqual([TRACE, "0000000000000007"]);
  });
});

describe("datadog.NativeSocketEvent", () => {
  it("is told apart by its operation", async () => {
    const name = "datadog.NativeSocketEvent";
    const c = new Constants();
    const type = event(name, [
      START,
      THREAD,
      STACK,
      DURATION,
      field("operation", "java.lang.String"),
      field("weight", "float"),
    ]);
    const items = ["READ", "RECV", "WRITE", "SEND", "SEND", "SEND"].map(
      (operation): Item => ({
        event: name,
        values: {
          startTime: 0n,
          eventThread: 0n,
          stackTrace: c.stack(javaStack("io")),
          duration: 100n,
          operation,
          weight: 1.5,
        },
      }),
    );
    const core = await read({ types: [...JVM_TYPES, type], items: [...items, { checkpoint: c.all() }] });
    expect(core.profiles().map((p) => [p.type, p.samples, p.value])).toEqual([
      ["socket-read", 2, 300n],
      ["socket-write", 4, 600n],
    ]);
  });
});

describe("jdk.CPUTimeSample", () => {
  it("that failed is left out, and that is said", async () => {
    const { types, item, pools } = built(ROWS.find(({ name }) => name === "jdk.CPUTimeSample")!.row);
    const failed = { ...item, values: { ...(item as { values: Record<string, Value> }).values, failed: true } } as Item;
    const core = await read({ types, items: [failed, item, failed, { checkpoint: pools.all() }] });
    expect(core.profiles()[0]?.samples).toBe(1);
    expect(core.diagnostics()).toMatchObject([{ code: "jfr.sample.failed", severity: "info" }]);
    expect(core.diagnostics()[0]?.message).toContain("2 events");
  });
});

describe("live objects", () => {
  const { types, item, pools } = built(ROWS.find(({ name }) => name === "datadog.HeapLiveObject")!.row);
  const chunk = (n: number) => ({
    types,
    items: [...Array.from({ length: n }, () => item), { checkpoint: pools.all() }],
  });

  it("of the last chunk count, for each chunk lists them anew", async () => {
    const core = await read(chunk(5), chunk(3));
    expect(core.profiles()[0]).toMatchObject({ type: "live-heap", samples: 3 });
    expect(core.diagnostics()).toMatchObject([{ code: "jfr.snapshot.superseded", severity: "info", chunk: 1 }]);
    expect(core.diagnostics()[0]?.message).toContain("5 entries");
  });

  it("stay where a later chunk lists none", async () => {
    const core = await read(chunk(5), cpuChunk([{}]));
    expect(core.profiles().map((p) => [p.type, p.samples])).toEqual([
      ["cpu", 1],
      ["live-heap", 5],
    ]);
    expect(codes(core)).toEqual([]);
  });

  it("of several files add up", async () => {
    const core = await read(chunk(5));
    const more = await import("../../kit/jfr/jfr-builder.ts");
    const { feed } = await import("../../kit/core/read-store.ts");
    core.beginFile("other.jfr", 0);
    feed(core, more.buildChunk(chunk(2)).bytes);
    expect(core.profiles()[0]?.samples).toBe(7);
  });
});

describe("datadog.Endpoint", () => {
  const ENDPOINT = event("datadog.Endpoint", [
    START,
    DURATION,
    THREAD,
    STACK,
    ref("endpoint", "java.lang.String"),
    ref("operation", "profiler.types.AttributeValue"),
    field("localRootSpanId", "long"),
  ]);
  const said = (c: Constants, root: bigint, endpoint: string, operation: string): Item => ({
    event: ENDPOINT.name,
    values: {
      startTime: 0n,
      duration: 0n,
      eventThread: 0n,
      stackTrace: 0n,
      endpoint: c.key("java.lang.String", endpoint, () => endpoint),
      operation: c.attribute(operation),
      localRootSpanId: root,
    },
  });

  it("says what a root was, to all samples of the root, in whichever chunk they are", async () => {
    const c = new Constants();
    const items = [
      said(c, 11n, "GET /a", "servlet.request"),
      said(c, 12n, "GET /b", "servlet.request"),
      said(c, 11n, "GET /a", "servlet.request"),
    ];
    const samples = [
      { root: 11n, span: 1n },
      { root: 11n, span: 2n, weight: 3n },
      { root: 12n, span: 3n },
      { root: 13n, span: 4n },
      {},
    ];
    const core = await read(cpuChunk(samples), {
      types: [...JVM_TYPES, ENDPOINT],
      items: [...items, { checkpoint: c.all() }],
    });
    expect(codes(core)).toEqual([]);
    expect(core.profiles()[0]?.samplesWithAttribute).toEqual({ "trace endpoint": 3, "trace operation": 3 });
    core.select(0, {});
    expect(
      core.views.rank({ kind: "attribute", key: "trace endpoint" }, 0, 9).rows.map((r) => [r.label, r.value]),
    ).toEqual([
      ["GET /a", 4n],
      ["GET /b", 1n],
    ]);
    const filter = {
      attributes: [
        { key: "trace endpoint", value: "GET /a" },
        { key: "trace operation", value: "servlet.request" },
      ],
    };
    expect(core.select(0, filter)).toEqual({ samples: 2, value: 4n });
    expect(core.select(0, { attributes: [{ key: "trace endpoint", value: "GET /c" }] }).samples).toBe(0);
    const endpoints = observations(core).map((o) => [
      o.value,
      o.attributes["trace endpoint"] ?? "",
      o.attributes["trace operation"] ?? "",
    ]);
    expect(endpoints.sort()).toEqual(
      [
        [1n, "GET /a", "servlet.request"],
        [3n, "GET /a", "servlet.request"],
        [1n, "GET /b", "servlet.request"],
        [1n, "", ""],
        [1n, "", ""],
      ].sort(),
    );
  });

  it("leaves a sample's own operation alone", async () => {
    const c = new Constants();
    const own = ref("_dd.trace.operation", "profiler.types.AttributeValue");
    const spec = cpuChunk([{ root: 11n, span: 1n, more: { "_dd.trace.operation": 0n } }], {}, [own]);
    const core = await read(spec, {
      types: [...JVM_TYPES, ENDPOINT],
      items: [said(c, 11n, "GET /a", "servlet.request"), { checkpoint: c.all() }],
    });
    expect(observations(core)[0]?.attributes).not.toHaveProperty("_dd.trace.operation");
    expect(observations(core)[0]?.attributes["trace operation"]).toBe("servlet.request");
  });
});

describe("what an event's own fields are", () => {
  it("is not context, though it stands behind the root", async () => {
    const c = new Constants();
    const name = "datadog.QueueTime";
    const text = (n: string) => field(n, "java.lang.String");
    const type = event(name, [
      START,
      DURATION,
      THREAD,
      ...CONTEXT.toReversed(),
      text("origin"),
      text("task"),
      field("queueLength", "int"),
      text("tenant"),
    ]);
    const values = {
      startTime: 0n,
      duration: 50n,
      eventThread: c.thread(MAIN),
      localRootSpanId: 3n,
      spanId: 4n,
      origin: "main",
      task: "demo.Task",
      queueLength: 4,
      tenant: "acme",
    };
    const core = await read({ types: [...JVM_TYPES, type], items: [{ event: name, values }, { checkpoint: c.all() }] });
    const [profile] = profilesOf(core);
    expect(Object.keys(profile?.samples[0]?.attributes ?? {}).sort()).toEqual([
      "profile.type",
      "queue.task",
      "tenant",
      "thread.id",
      "thread.name",
    ]);
  });
});

it("an unknown event is no profile", async () => {
  const core = await read({ types: [event("x.Y", [START])], items: [{ event: "x.Y", values: { startTime: 0n } }] });
  expect(core.profiles()).toEqual([]);
  expect(CPU in (core.files()[0]?.chunks[0]?.events ?? {})).toBe(false);
});
