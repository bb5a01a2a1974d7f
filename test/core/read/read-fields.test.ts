/** What a sample's fields become: threads, frames, attributes, ids, values. One fact a test, by chunks built for it. */
import { describe, expect, it } from "vitest";
import { codes, frameText, observations, read } from "../../kit/core/read-store.ts";
import type { FieldSpec, Value } from "../../kit/jfr/jfr-builder.ts";
import { Text } from "../../kit/jfr/jfr-bytes.ts";
import {
  ATTRIBUTE,
  Constants,
  CPU,
  type CpuSample,
  cpuChunk,
  event,
  type Frame,
  field,
  JVM_TYPES,
  javaStack,
  MAIN,
  ref,
  STACK,
  START,
} from "../../kit/jfr/jfr-types.ts";

async function only(sample: CpuSample, context: FieldSpec[] = []) {
  const core = await read(cpuChunk([sample], {}, context));
  expect(codes(core)).toEqual([]);
  const found = observations(core);
  expect(found).toHaveLength(1);
  return found[0]!;
}

const framesOf = async (...frames: Frame[]) => (await only({ stack: { frames } })).stack;

describe("a thread", () => {
  it.each([
    ["Java name and id", { javaName: "main", javaId: 7n, osName: "os", osId: 9n }, "main", 7n],
    ["the system's name where Java has none", { javaName: null, javaId: 7n, osName: "GC", osId: 9n }, "GC", 7n],
    ["the system's name where Java's is empty", { javaName: "", javaId: 7n, osName: "GC", osId: 9n }, "GC", 7n],
    ["the system's id where Java's is 0", { javaName: "main", javaId: 0n, osName: "os", osId: 9n }, "main", 9n],
    ["the system's id where Java's is negative", { javaName: "main", javaId: -1n, osName: null, osId: 9n }, "main", 9n],
    ["no name where there is none", { javaName: null, javaId: 3n, osName: null, osId: 0n }, undefined, 3n],
    ["no id where there is none", { javaName: "v", javaId: 0n, osName: null, osId: 0n }, "v", undefined],
    ["nothing where nothing is known", { javaName: null, javaId: 0n, osName: "", osId: -5n }, undefined, undefined],
  ])("has %s", async (_, thread, name, id) => {
    const { attributes } = await only({ thread });
    expect([attributes["thread.name"], attributes["thread.id"]]).toEqual([name, id]);
  });

  it("is the sampled one where an event has no other", async () => {
    const c = new Constants();
    const type = event(CPU, [START, ref("sampledThread", "java.lang.Thread"), STACK]);
    const values = { startTime: 0n, sampledThread: c.thread(MAIN), stackTrace: 0n };
    const core = await read({ types: [...JVM_TYPES, type], items: [{ event: CPU, values }, { checkpoint: c.all() }] });
    expect(observations(core)[0]?.attributes).toMatchObject({ "thread.name": "main", "thread.id": 1n });
  });
});

describe("a frame", () => {
  const java = { className: "a/b/C$D", method: "run", descriptor: "(I)V" };

  it("of Java has the dotted name, the bare one with the descriptor beside it, and a line above 0", async () => {
    const [frame] = await framesOf({ ...java, line: 12 });
    expect(frame).toMatchObject({ name: "a.b.C$D.run", systemName: "run(I)V", fileName: "", line: 12n, mapping: "" });
    const lines = (await framesOf({ ...java, line: 0 }, { ...java, line: -1 }, { ...java, line: 1 << 20 })).map(
      (f) => f.line,
    );
    expect(lines).toEqual([0n, 0n, 1n << 20n]);
  });

  it.each([
    ["Interpreted", "jvm"],
    ["JIT compiled", "jvm"],
    ["Inlined", "jvm"],
    ["C1 compiled", "jvm"],
    ["a word of the future", "jvm"],
    ["Kernel", "kernel"],
    ["C++", "native"],
    ["Native (remote)", "native"],
  ])("of type %j is %s", async (type, is) => {
    expect((await framesOf({ ...java, type }))[0]?.attributes).toEqual({ "profile.frame.type": is });
  });

  it("of type Native is Java's in a JDK's chunk and native where the frame types know a kernel", async () => {
    const native = { ...java, type: "Native" };
    expect((await framesOf(native)).map(frameText)).toEqual(["a.b.C$D.run jvm"]);
    const both = await framesOf(native, { className: null, method: "do_syscall", type: "Kernel" });
    expect(both.map(frameText)).toEqual(["run native in a/b/C$D", "do_syscall kernel"]);
  });

  it("of native code has its symbol alone, and its library as mapping", async () => {
    const stack = await framesOf(
      { className: "libc.so.6", method: "__poll", type: "C++" },
      { className: "", method: "GenPause", type: "C++" },
      { className: "", method: "[libzip.so+0x3c04f]", type: "C++" },
    );
    expect(stack.map(frameText)).toEqual([
      "__poll native in libc.so.6",
      "GenPause native",
      "libzip.so+0x3c04f native in libzip.so",
    ]);
  });

  it("with an unknown method still stands", async () => {
    const c = new Constants();
    const frames = [
      { method: 4711n, lineNumber: 3, bytecodeIndex: 0, type: c.frameType("Interpreted") },
      c.frame({ className: "demo/Work", method: "run" }),
    ];
    const trace: [bigint, Value] = [1n, { truncated: false, frames }];
    const spec = cpuChunk([]);
    const values = { startTime: 0n, eventThread: 0n, stackTrace: 1n, weight: 1n, spanId: 0n, localRootSpanId: 0n };
    const pools = [...c.all(), { type: "jdk.types.StackTrace", entries: [trace] }];
    const core = await read({ ...spec, items: [{ event: CPU, values }, { checkpoint: pools }] });
    expect(observations(core)[0]?.stack.map((f) => f.name)).toEqual([
      expect.stringContaining("unknown"),
      "demo.Work.run",
    ]);
  });

  it("with all keys and the line 0 still stands", async () => {
    // JDK: method 0 is null, FrameType 0 is Interpreted.
    const frames = [{ method: 0n, lineNumber: 0, bytecodeIndex: 0, type: 0n }];
    const pools = [
      { type: "jdk.types.FrameType", entries: [[0n, { description: "Interpreted" }]] as [bigint, Value][] },
      { type: "jdk.types.StackTrace", entries: [[1n, { truncated: false, frames }]] as [bigint, Value][] },
    ];
    const values = { startTime: 0n, eventThread: 0n, stackTrace: 1n, weight: 1n, spanId: 0n, localRootSpanId: 0n };
    const core = await read({ ...cpuChunk([]), items: [{ event: CPU, values }, { checkpoint: pools }] });
    expect(observations(core)[0]?.stack.map((f) => f.name)).toEqual([expect.stringContaining("unknown")]);
  });

  it("of a truncated stack is [truncated], with the type that eBPF profilers give the end of such a stack", async () => {
    const { stack } = await only({ stack: { ...javaStack("leaf", "mid"), truncated: true } });
    expect(stack.map(frameText)).toEqual(["demo.Work.leaf:10 jvm", "demo.Work.mid:11 jvm", "[truncated] abort-marker"]);
    expect(stack.at(-1)).toMatchObject({
      line: 0n,
      systemName: "",
      attributes: { "profile.frame.type": "abort-marker" },
    });
  });
});

it("has the fields of its own chunk, whatever chunks of the same and of other metadata are before it", async () => {
  // The first two are equally long.
  const specs: FieldSpec[][] = [
    [
      { name: "tenant", type: "int" },
      { name: "region", type: "java.lang.String" },
    ],
    [
      { name: "region", type: "java.lang.String" },
      { name: "tenant", type: "int" },
    ],
    [
      { name: "tenänt", type: "int" },
      { name: "regiön", type: "java.lang.String" },
    ],
  ];
  const order = [0, 0, 1, 0, 1, 1, 2, 2, 0, 2, 1];
  const chunks = order.map((spec, i) => {
    const [number, text] = [...specs[spec]!].sort((a, b) => (a.type < b.type ? -1 : 1));
    return cpuChunk([{ at: BigInt(i), more: { [number!.name]: i + 1, [text!.name]: `r${i}` } }], {}, specs[spec]!);
  });
  const found = observations(await read(...chunks)).map(({ attributes }) => attributes);
  expect(found).toHaveLength(order.length);
  for (const [i, spec] of order.entries()) {
    const [number, text] = spec === 2 ? ["tenänt", "regiön"] : ["tenant", "region"];
    expect(found[i]).toMatchObject({ [number]: BigInt(i + 1), [text]: `r${i}` });
  }
});

describe("a context field", () => {
  async function value(spec: Omit<FieldSpec, "name">, of: Value, name = "key"): Promise<unknown> {
    const { attributes } = await only({ more: { [name]: of } }, [{ name, ...spec }]);
    return attributes[name];
  }

  it.each([
    ["java.lang.String", "grün ☕", "grün ☕"],
    ["java.lang.String", Text.utf16("東京\u{1f600}"), "東京\u{1f600}"],
    ["java.lang.String", Text.latin1("café"), "café"],
    ["java.lang.String", "", undefined],
    ["java.lang.String", Text.empty, undefined],
    ["java.lang.String", null, undefined],
    ["java.lang.String", Text.key(99n), undefined],
    ["int", 3, 3n],
    ["int", -3, -3n],
    ["int", 0, undefined],
    ["long", -(1n << 63n), -(1n << 63n)],
    ["short", -2, -2n],
    ["byte", -2, -2n],
    ["char", 0x20ac, 0x20acn],
    ["double", 0.1, 0.1],
    ["double", -0, undefined],
    ["float", 0.5, 0.5],
    ["boolean", true, true],
    ["boolean", false, undefined],
  ])("of type %s and value %o is %o", async (type, of, is) => {
    expect(await value({ type }, of)).toBe(is);
  });

  it("may be a constant, by any name", async () => {
    const c = new Constants();
    const operation = c.attribute("db.query");
    const chunk = cpuChunk([{ more: { "_dd.trace.operation": operation, http: 77n } }], {}, [
      ref("_dd.trace.operation", ATTRIBUTE),
      ref("http", ATTRIBUTE),
    ]);
    chunk.items.push({ checkpoint: c.all() });
    const { attributes } = observations(await read(chunk))[0]!;
    expect(attributes["_dd.trace.operation"]).toBe("db.query");
    expect(attributes).not.toHaveProperty("http");
  });

  it("of one event does not stick to the next", async () => {
    const texts = ["a", null, "b", "", "b", "a"];
    const samples = texts.map((key, i) => ({ at: BigInt(i), more: { key } }));
    const core = await read(cpuChunk(samples, {}, [field("key", "java.lang.String")]));
    expect(observations(core).map(({ attributes }) => attributes.key)).toEqual(texts.map((text) => text || undefined));
  });

  it("under the name of an attribute that samples carry anyway does not stand twice", async () => {
    for (const name of ["profile.type", "thread.name", "thread.id", "jfr.event", "alloc.class", "span.id"]) {
      // flatten, which `only` calls, refuses a key twice.
      const { attributes } = await only({ more: { [name]: "mine" }, span: 5n }, [field(name, "java.lang.String")]);
      expect(Object.values(attributes)).toContain("mine");
      expect(attributes["profile.type"]).toBe("cpu");
      expect(attributes["thread.name"]).toBe("main");
      expect(attributes["span.id"]).toBe("0000000000000005");
    }
  });

  it("is kept for thirty of them, and more are said to be left out", async () => {
    for (const n of [30, 80]) {
      const fields = Array.from({ length: n }, (_, i) => field(`k${i}`, "int"));
      const more = Object.fromEntries(fields.map(({ name }, i) => [name, i + 1]));
      const core = await read(cpuChunk([{ more }], {}, fields));
      const kept = Object.keys(observations(core)[0]?.attributes ?? {}).filter((key) => key.startsWith("k")).length;
      if (n === 30) expect([kept, codes(core)]).toEqual([30, []]);
      else expect([kept < n && kept >= 30, codes(core)]).toEqual([true, ["jfr.context.many"]]);
    }
  });
});

describe("ids", () => {
  const big = (1n << 64n) - 1n;
  it.each([
    [big, big - 1n, { traceId: "0000000000000000fffffffffffffffe", spanId: "ffffffffffffffff" }, {}],
    [0n, 0n, null, {}],
    [26n, 0n, null, { "span.id": "000000000000001a" }],
    [0n, big, null, { "local_root_span.id": "ffffffffffffffff" }],
  ])("%d and %d give the link %o", async (span, root, link, lone) => {
    const { link: found, attributes } = await only({ span, root });
    expect(found).toEqual(link);
    const { "span.id": s, "local_root_span.id": r } = attributes;
    expect({
      ...(s === undefined ? {} : { "span.id": s }),
      ...(r === undefined ? {} : { "local_root_span.id": r }),
    }).toEqual(lone);
  });

  it("are found and ranked unsigned", async () => {
    const core = await read(cpuChunk([{ span: big, root: 1n << 63n, weight: 3n }, { span: 2n, root: 1n << 63n }, {}]));
    expect(core.views.rank({ kind: "span" }, 0, 10).count).toBeDefined();
    expect(core.select(0, { span: big })).toEqual({ samples: 1, value: 3n });
    expect(core.select(0, { localRoot: 1n << 63n })).toEqual({ samples: 2, value: 4n });
    core.select(0, {});
    expect(core.views.rank({ kind: "span" }, 0, 10).rows.map(({ id, root }) => [id, root])).toEqual([
      [big, 1n << 63n],
      [2n, 1n << 63n],
    ]);
  });
});
