/** Events that a user names, facts of the process, settings: what a recording says beside the catalogue's samples. */
import { beforeEach, describe, expect, it } from "vitest";
import { resourceOf } from "../../../src/core/instance/resource.ts";
import type { ExtraEvent } from "../../../src/core/types.ts";
import { codes, emptyCore, feed, frameText, observations, read } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, type FieldSpec, type Item, type Value } from "../../kit/jfr/jfr-builder.ts";
import {
  Constants,
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

const LOAD = "jdk.FileRead";
const TYPE = event(LOAD, [
  START,
  DURATION,
  THREAD,
  STACK,
  field("path", "java.lang.String"),
  field("bytesRead", "long", { unit: "BYTES", annotation: "jdk.jfr.DataAmount" }),
  field("wait", "long", { unit: "MILLISECONDS" }),
  field("until", "long", { unit: "MILLISECONDS_SINCE_EPOCH", annotation: "jdk.jfr.Timestamp" }),
  field("load", "float"),
  field("endOfFile", "boolean"),
  ref("kind", "java.lang.Class"),
]);

function reads(): ChunkSpec {
  const c = new Constants();
  const item = (path: string, bytesRead: bigint): Item => ({
    event: LOAD,
    values: {
      startTime: 1n,
      duration: 40n,
      eventThread: c.thread(MAIN),
      stackTrace: c.stack(javaStack("read", "run")),
      path,
      bytesRead,
      wait: 3n,
      until: 1_700_000_000_000n,
      load: 2.6,
      endOfFile: true,
      kind: c.classOf("java/io/File"),
    },
  });
  const items = [item("/a", 100n), item("/b", 20n)];
  return { types: [...JVM_TYPES, TYPE], items: [...items, { checkpoint: c.all() }] };
}

async function readWith(extra: ExtraEvent[], spec: ChunkSpec) {
  const core = await emptyCore();
  core.reset(extra);
  core.beginFile("built.jfr", 0);
  feed(core, buildChunk(spec).bytes);
  return core;
}

beforeEach(async () => {
  (await emptyCore()).reset();
});

describe("an event that is named", () => {
  it("is counted, and its texts are attributes", async () => {
    const core = await readWith([{ event: LOAD }], reads());
    expect(codes(core)).toEqual([]);
    const profile = core.profiles().find((p) => p.otlpType === LOAD);
    expect(profile).toMatchObject({ type: LOAD, unit: "count", samples: 2, value: 2n, stacks: 1 });
    expect(profile?.samplesWithAttribute).toEqual({ path: 2, kind: 2 });
    const found = observations(core, LOAD);
    expect(found.map((o) => [o.value, o.attributes.path, o.attributes.kind])).toEqual([
      [1n, "/a", "java.io.File"],
      [1n, "/b", "java.io.File"],
    ]);
  });

  it("has its catalogue profile beside it, unchanged", async () => {
    const core = await readWith([{ event: LOAD }], reads());
    expect(core.profiles().map((p) => [p.type, p.value])).toEqual([
      ["file-read", 80n],
      [LOAD, 2n],
    ]);
  });

  it.each([
    ["bytesRead", "bytes", 120n],
    ["duration", "nanoseconds", 80n],
    ["wait", "nanoseconds", 6_000_000n],
    ["load", "thousandths", 5200n],
  ])("adds up its field %s in %s", async (value, unit, sum) => {
    const core = await readWith([{ event: LOAD, value }], reads());
    const profile = core.profiles().find((p) => p.otlpType === `${LOAD}.${value}`);
    expect(profile).toMatchObject({ unit, value: sum });
    expect(profile?.measures[1]).toMatchObject({ name: "events", value: 2n });
    expect(observations(core, `${LOAD}.${value}`)).toHaveLength(2);
  });

  it.each<[string, Partial<FieldSpec>, Value, bigint, string]>([
    ["byte", { annotation: "jdk.jfr.Unsigned" }, -1, 255n, "count"],
    ["short", { annotation: "jdk.jfr.Unsigned" }, -2, 65534n, "count"],
    ["int", { annotation: "jdk.jfr.Unsigned" }, -1, 4294967295n, "count"],
    // 64 bits are what OTLP has, with a sign.
    ["long", { annotation: "jdk.jfr.Unsigned" }, -1n, -1n, "count"],
    ["int", {}, -1, -1n, "count"],
    // Forever, and what is more than that in nanoseconds.
    ["long", { unit: "MILLISECONDS" }, (1n << 63n) - 1n, (1n << 63n) - 1n, "nanoseconds"],
    ["long", { unit: "SECONDS" }, 9_223_372_036n, 9_223_372_036_000_000_000n, "nanoseconds"],
    ["long", { unit: "SECONDS" }, 9_223_372_037n, (1n << 63n) - 1n, "nanoseconds"],
    ["long", { unit: "MICROSECONDS" }, 1n - (1n << 63n), -(1n << 63n), "nanoseconds"],
  ])("has %s with %o, %o, as %d %s", async (type, about, value, amount, unit) => {
    const spec = {
      types: [event("x.Y", [START, field("n", type, about)])],
      items: [{ event: "x.Y", values: { startTime: 0n, n: value } }],
    };
    const core = await readWith([{ event: "x.Y", value: "n" }], spec);
    expect(core.profiles()).toMatchObject([{ value: amount, unit }]);
    // A sum at the limit may be more.
    const isLimit = amount === (1n << 63n) - 1n || amount === -(1n << 63n);
    expect(codes(core)).toEqual(isLimit ? ["core.sums"] : []);
  });

  it("can be one without stack and thread", async () => {
    const spec = {
      types: [event("x.Y", [START, field("n", "int")])],
      items: [{ event: "x.Y", values: { startTime: 0n, n: 5 } }],
    };
    const core = await readWith([{ event: "x.Y", value: "n" }], spec);
    expect(core.profiles()).toMatchObject([{ type: "x.Y.n", samples: 1, value: 5n, stacks: 0, threads: 0 }]);
  });

  it.each([1, 2])("has the text of an object that is around it %d times", async (times) => {
    const text = { name: "x.Text", fields: [field("value", "java.lang.String")] };
    const around = { name: "x.Around", fields: [field("inner", "x.Text")] };
    const said = (value: string): Value => (times === 1 ? { value } : { inner: { value } });
    const item = (value: string): Item => ({ event: "x.Y", values: { startTime: 0n, what: said(value), n: 5 } });
    const spec = {
      types: [
        text,
        around,
        event("x.Y", [START, field("what", times === 1 ? "x.Text" : "x.Around"), field("n", "int")]),
      ],
      items: [item("frames"), item("hits")],
    };
    const core = await readWith([{ event: "x.Y", value: "n" }], spec);
    expect(codes(core)).toEqual([]);
    expect(observations(core, "x.Y.n").map((o) => [o.attributes.what, o.value])).toEqual([
      ["frames", 5n],
      ["hits", 5n],
    ]);
  });

  it("that no recording has makes no profile", async () => {
    const core = await readWith([{ event: "no.Such" }, { event: LOAD, value: "noSuch" }], reads());
    const types = core.profiles().map((p) => [p.type, p.value]);
    expect(types).toContainEqual(["file-read", 80n]);
    expect(types.map(([type]) => type)).not.toContain("no.Such");
  });

  it("has the type, the stack, the thread and the attributes that a mapping names", async () => {
    const c = new Constants();
    const type = event("my.Job", [
      START,
      ref("stackTrace", "jdk.types.StackTrace"),
      ref("worker", "java.lang.Thread"),
      ref("origin", "jdk.types.StackTrace"),
      field("queue", "java.lang.String"),
      field("tries", "int"),
      field("note", "java.lang.String"),
      field("cost", "double"),
    ]);
    const values = {
      startTime: 1n,
      stackTrace: c.stack(javaStack("run")),
      worker: c.thread(MAIN),
      origin: c.stack(javaStack("submit", "main")),
      queue: "mail",
      tries: 3,
      note: "x",
      cost: 1.5,
    };
    const spec = { types: [...JVM_TYPES, type], items: [{ event: "my.Job", values }, { checkpoint: c.all() }] };
    const fields = { queue: "job.queue", tries: "thread.name" };
    const mapping = { type: "jobs", value: "cost", unit: "milliseconds", stack: "origin", thread: "worker" };
    const core = await readWith([{ event: "my.Job", ...mapping, attributes: fields }], spec);
    expect(codes(core)).toEqual([]);
    expect(core.profiles()).toMatchObject([{ type: "jobs", unit: "nanoseconds", value: 1_500_000n, threads: 1 }]);
    const [job] = observations(core, "jobs");
    expect(job?.value).toBe(1_500_000n);
    expect(job?.stack.map(frameText)).toEqual(expect.arrayContaining([expect.stringMatching(/submit/)]));
    // The name of a column, so it has a prefix.
    expect(job?.attributes).toMatchObject({ "job.queue": "mail", "context.thread.name": 3n, "thread.name": "main" });

    const listed = await readWith([{ event: "my.Job", value: "tries", unit: "tries", attributes: ["note"] }], spec);
    expect(listed.profiles()).toMatchObject([{ type: "my.Job.tries", unit: "tries", value: 3n }]);
    expect(observations(listed, "my.Job.tries")).toMatchObject([{ attributes: { note: "x" } }]);
  });

  it.each([
    { value: "noSuch" },
    { value: "path" },
    { stack: "path" },
    { thread: "noSuch" },
    { attributes: ["noSuch"] },
  ])("that lacks the field of %j has a diagnostic, and its samples", async (mapping) => {
    const core = await readWith([{ event: LOAD, type: "x", ...mapping }], reads());
    expect(codes(core)).toEqual(["jfr.event.field"]);
    expect(core.profiles().find(({ type }) => type === "x")).toMatchObject({ samples: 2 });
  });

  it("has the unit of its annotation, else the stated one", async () => {
    const unitOf = async (value: string, unit: string) => {
      const core = await readWith([{ event: LOAD, type: "x", value, unit }], reads());
      const { unit: read, value: sum } = core.profiles().find(({ type }) => type === "x") ?? {};
      return [read, sum];
    };
    expect(await unitOf("bytesRead", "seconds")).toEqual(["bytes", 120n]);
    expect(await unitOf("load", "seconds")).toEqual(["nanoseconds", 5_199_999_810n]);
    expect(await unitOf("load", "tokens")).toEqual(["tokens", 6n]);
  });

  it("is offered with its numbers", async () => {
    const core = await read(reads());
    expect(core.eventTypes()).toEqual([
      {
        event: LOAD,
        count: 2,
        stack: true,
        contextual: false,
        contextFields: [],
        fields: ["duration", "bytesRead", "wait", "until", "load"],
      },
    ]);
  });
});

describe("facts of the process", () => {
  const text = (name: string) => field(name, "java.lang.String");
  const JVM = event("jdk.JVMInformation", [
    START,
    text("jvmName"),
    text("jvmVersion"),
    text("jvmArguments"),
    text("javaArguments"),
    field("pid", "long"),
  ]);
  const PROPERTY = event("jdk.InitialSystemProperty", [START, text("key"), text("value")]);
  const VARIABLE = event("jdk.InitialEnvironmentVariable", [START, text("key"), text("value")]);
  const SECRET = "s3cr3t-t0ken";
  const row = (name: string, values: Record<string, Value>): Item => ({
    event: name,
    values: { startTime: 0n, ...values },
  });
  const spec: ChunkSpec = {
    types: [JVM, PROPERTY, VARIABLE],
    items: [
      row(JVM.name, {
        jvmName: "OpenJDK 64-Bit Server VM",
        jvmVersion: "OpenJDK 64-Bit Server VM (17.0.15+6) for linux",
        jvmArguments: `-Dkey=${SECRET}`,
        javaArguments: SECRET,
        pid: 42n,
      }),
      row(PROPERTY.name, { key: "java.runtime.name", value: "OpenJDK Runtime Environment" }),
      row(PROPERTY.name, { key: "os.arch", value: "amd64" }),
      row(PROPERTY.name, { key: "sun.java.command", value: SECRET }),
      row(VARIABLE.name, { key: "API_KEY", value: SECRET }),
    ],
  };

  it("are those that tell runtime and process", async () => {
    const core = await read(spec);
    expect(codes(core)).toEqual([]);
    expect(core.files()[0]?.resource).toEqual({
      "host.arch": "amd64",
      "process.pid": "42",
      "process.runtime.name": "OpenJDK Runtime Environment",
      "process.runtime.version": "17.0.15+6",
      "process.runtime.description": "OpenJDK 64-Bit Server VM (17.0.15+6) for linux",
    });
  });

  it("never hold arguments, other properties or the environment", async () => {
    const core = await read(spec);
    const said = JSON.stringify([core.files(), core.settings(), core.diagnostics(), core.eventTypes()], (_, v) =>
      typeof v === "bigint" ? String(v) : v,
    );
    expect(said).toContain("amd64");
    expect(said).not.toContain(SECRET);
  });

  it("have the last counters of ddprof, whose names are objects", async () => {
    const name = { name: "profiler.types.CounterName", fields: [field("value", "java.lang.String")] };
    const COUNTER = event("datadog.ProfilerCounter", [START, field("name", name.name), field("count", "long")]);
    const counter = (value: string, count: bigint) => row(COUNTER.name, { name: { value }, count });
    const chunk = (hits: bigint) => ({
      types: [name, COUNTER],
      items: [counter("hits", hits), counter("frames", 0n), counter("bytes", 1n << 40n)],
    });
    const core = await read(chunk(3n));
    feed(core, buildChunk(chunk(4n)).bytes);
    expect(codes(core)).toEqual([]);
    expect(core.files()[0]?.counters).toEqual({ hits: 4, bytes: 2 ** 40 });
    expect(core.files()[0]?.resource).toEqual({});
  });

  it("belong to their file", async () => {
    const core = await read(spec);
    core.beginFile("other.jfr", 0);
    feed(
      core,
      buildChunk({
        types: [JVM],
        items: [row(JVM.name, { jvmName: "X", jvmVersion: "1", jvmArguments: "", javaArguments: "", pid: 7n })],
      }).bytes,
    );
    expect(core.files().map((file) => file.resource["process.pid"])).toEqual(["42", "7"]);
  });

  it.each([
    ['PRETTY_NAME="Debian GNU/Linux 12"\nNAME="Debian"\nuname: Linux 6.1 x86_64', "Debian GNU/Linux 12"],
    ["uname: Linux 6.1 #1 SMP x86_64", "Linux 6.1 #1 SMP x86_64"],
    ["Bsduname: Darwin 23", "Bsduname: Darwin 23"],
  ])("name the system in a line: %j", (value, line) => {
    expect(resourceOf([{ event: "jdk.OSInformation", name: "osVersion", value }])).toEqual({ "os.description": line });
  });

  it("are left out where they are empty", () => {
    expect(resourceOf([])).toEqual({});
    expect(resourceOf([{ event: "datadog.ProfilerSetting", name: "service", value: "shop" }])).toEqual({
      "service.name": "shop",
    });
  });
});

describe("settings", () => {
  const SETTING = event("jdk.ActiveSetting", [
    START,
    field("id", "long"),
    field("name", "java.lang.String"),
    field("value", "java.lang.String"),
  ]);
  const ENTER = { ...event("jdk.JavaMonitorEnter", [START, DURATION, THREAD, STACK]), id: 401n };
  const set = (id: bigint, name: string, value: string): Item => ({
    event: SETTING.name,
    values: { startTime: 0n, id, name, value },
  });
  const enter: Item = { event: ENTER.name, values: { startTime: 0n, duration: 5n, eventThread: 0n, stackTrace: 0n } };

  it("are kept once each, with the event they are for", async () => {
    const items = [
      set(401n, "threshold", "10 ms"),
      set(401n, "threshold", "10 ms"),
      set(401n, "enabled", "true"),
      set(9999n, "x", "y"),
      enter,
    ];
    const core = await read({ types: [...JVM_TYPES, SETTING, ENTER], items });
    expect(core.settings()).toEqual([
      { event: "jdk.JavaMonitorEnter", name: "threshold", value: "10 ms" },
      { event: "jdk.JavaMonitorEnter", name: "enabled", value: "true" },
      { event: "", name: "x", value: "y" },
    ]);
    expect(core.profiles()[0]?.settings).toEqual([
      { event: "jdk.JavaMonitorEnter", name: "threshold", value: "10 ms" },
    ]);
  });

  it("that say nothing are not said", async () => {
    const items = [set(401n, "threshold", "0 ns"), set(401n, "threshold", ""), set(401n, "throttle", "off"), enter];
    const core = await read({ types: [...JVM_TYPES, SETTING, ENTER], items });
    expect(core.profiles()[0]?.settings).toEqual([]);
  });
});
