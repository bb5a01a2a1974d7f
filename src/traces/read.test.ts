/** Trace files of all formats: what each states, exact ids, groups before their process, damage. */
import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as SpanRow from "../../assembly/abi/rows/span-row.ts";
import { KeptSpans } from "../../test/kit/span-table.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { drive, Window } from "../bytes/window.ts";
import { JsonText } from "../otlp/json-text.ts";
import { Findings } from "./findings.ts";
import { JsonFile } from "./json-file.ts";
import { ProtobufFile } from "./otlp-protobuf.ts";
import { readTraceFile } from "./read.ts";
import { SpanRows, SpansFull } from "./rows.ts";

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url));
const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(bytes: Uint8Array, store = new KeptSpans()) {
  const file = await readTraceFile("t", bytesSource(bytes), store, 1);
  // Many spans here have ids only; "spans without times" is about that.
  const [untimed, diagnostics] = [true, false].map((is) =>
    file.diagnostics.filter(({ code }) => (code === "trace.time.missing") === is),
  ) as [typeof file.diagnostics, typeof file.diagnostics];
  return { ...file, rows: store.list(), untimed, diagnostics, codes: diagnostics.map(({ code }) => code) };
}
const readText = (text: string) => read(utf8(text));

interface Truth {
  spanId: string;
  traceId: string;
  parentSpanId: string;
  operation: string;
  resource: string;
  thread: string;
  startUnixNano: string;
  endUnixNano: string;
}

describe("the trace of a program", () => {
  const truth = (JSON.parse(gunzipSync(fixture("ddctx-jdk17.spans.json.gz")).toString()) as { spans: Truth[] }).spans;

  it.each([
    ["ddctx-jdk17.whole.otlp.pb.gz", "otlp"],
    ["ddctx-jdk17.whole.otlp.framed.gz", "otlp"],
  ])("%s has the spans that the program knows", async (name, format) => {
    const found = await read(fixture(name));
    expect([found.format, found.diagnostics]).toEqual([format, []]);
    const rows = new Map(found.rows.map((row) => [String(row.id), row]));
    expect(rows.size).toBe(truth.length);
    for (const span of truth) {
      expect(rows.get(span.spanId)).toMatchObject({
        parent: BigInt(span.parentSpanId),
        name: span.operation,
        resource: span.resource,
        thread: span.thread,
        start: BigInt(span.startUnixNano),
        end: BigInt(span.endUnixNano),
        service: "demo-shop",
      });
    }
  });

  it.each([
    ["of a varint", [0x98, 0x06, 1]],
    ["of 8 bytes", [0x99, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]],
    ["of bytes", [0x9a, 0x06, 1, 9]],
    ["of 4 bytes", [0x9d, 0x06, 1, 2, 3, 4]],
    ["with a long number", [0x98, 0x06, 0x81, 0x80, 0]],
    ["with a long tag", [0x98, 0x86, 0, 1]],
  ])("begins with an unknown field %s and is read as a bare message", async (_, field) => {
    const found = await read(
      Buffer.concat([Uint8Array.from(field), gunzipSync(fixture("ddctx-jdk17.whole.otlp.pb.gz"))]),
    );
    expect([found.format, found.rows.length, found.diagnostics]).toEqual(["otlp", truth.length, []]);
  });

  it("is the same in Jaeger's and Zipkin's JSON as in OTLP's, but for fractions of microseconds", async () => {
    const [otlp, jaeger, zipkin] = await Promise.all(
      ["otlp", "jaeger", "zipkin"].map((name) => read(fixture(`apctx-jdk17.whole.${name}.json.gz`))),
    );
    expect([otlp?.format, jaeger?.format, zipkin?.format]).toEqual(["otlp-json", "jaeger", "zipkin"]);
    const parts = ({ rows }: { rows: ReturnType<KeptSpans["list"]> }, kinds: boolean) =>
      rows
        .map(({ trace, id, parent, start, service, name, resource, kind, thread, threadId, instance }) => {
          const row = { trace, id, parent, start: start / 1000n, service, name, resource, thread, threadId, instance };
          return kinds ? { ...row, kind } : row;
        })
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    if (otlp === undefined || jaeger === undefined || zipkin === undefined) throw new Error("a file is missing");
    expect(parts(jaeger, true)).toEqual(parts(otlp, true));
    // Zipkin has no kind for internal spans.
    expect(parts(zipkin, false)).toEqual(parts(otlp, false));
  });
});

describe("Datadog's payload", () => {
  it("has exact ids, as numbers and as texts, in one array or several", async () => {
    const { format, rows } = await readText(
      `[[{"trace_id":18446744073709551615,"span_id":9007199254740993,"parent_id":0,"start":1700000000000000001,` +
        `"duration":5,"name":"a","service":"s","resource":"r","error":1,"meta":{"_dd.p.tid":"640f0b2a00000000",` +
        `"runtime-id":"i","thread.name":"main","span.kind":"SERVER"},"metrics":{"thread.id":31.0}}],` +
        `[{"trace_id":"18446744073709551614","span_id":"18446744073709551615","parent_id":"9007199254740993","start":"7"}]]`,
    );
    expect(format).toBe("datadog");
    expect(rows[0]).toMatchObject({
      trace: 0x640f0b2a00000000ffffffffffffffffn,
      id: 9007199254740993n,
      parent: 0n,
      start: 1700000000000000001n,
      end: 1700000000000000006n,
      service: "s",
      name: "a",
      resource: "r",
      kind: "server",
      status: 2,
      thread: "main",
      threadId: 31n,
      instance: "i",
    });
    expect(rows[1]).toMatchObject({
      trace: 0xfffffffffffffffen,
      id: 0xffffffffffffffffn,
      parent: 9007199254740993n,
      start: 7n,
      end: 7n,
    });
    expect((await readText('[{"span_id":1,"trace_id":2}]')).rows).toMatchObject([{ id: 1n, trace: 2n }]);
  });

  it("keeps the upper half of a trace id that only a left-out span states", async () => {
    const upper = (id: number, trace: string, rest = "") =>
      `{"span_id":${id},"trace_id":${trace},"meta":{"_dd.p.tid":"640f0b2a00000000"}${rest}}`;
    const store = new KeptSpans();
    const { spans, rows, codes } = await read(
      utf8(`[[${upper(0, "7")},{"span_id":3,"trace_id":7}],[${upper(4, "8", ',"start":"soon"')},${upper(0, '"x"')}]]`),
      store,
    );
    expect([spans, codes]).toEqual([1, ["trace.span", "trace.span", "trace.span"]]);
    // Rows of id 0 are no spans: the tree takes the trace's id from them (model/trace/distinct.ts).
    expect(rows.map(({ id, trace }) => [id, trace])).toEqual([
      [0n, 0x640f0b2a000000000000000000000007n],
      [3n, 7n],
      [0n, 0x640f0b2a000000000000000000000008n],
    ]);
  });

  it("without a sound span has none, whatever trace ids it states", async () => {
    const { spans, codes } = await readText('[[{"span_id":0,"trace_id":7,"meta":{"_dd.p.tid":"1"}}]]');
    expect([spans, codes]).toEqual([0, ["trace.span", "trace.empty"]]);
    const full = new KeptSpans(0);
    const found = await read(
      utf8('[{"span_id":0,"trace_id":7,"meta":{"_dd.p.tid":"1"}},{"span_id":3,"trace_id":7}]'),
      full,
    );
    expect([found.spans, [...found.codes].sort()]).toEqual([0, ["trace.empty", "trace.full", "trace.span"]]);
  });
});

describe("Jaeger's answer", () => {
  const of = (spans: string, after = "") => readText(`{"data":[{"spans":[${spans}]${after}}]}`);

  it("has the first CHILD_OF reference within the trace as parent, else the first, else the older field", async () => {
    const span = (id: number, rest: string) => `{"traceID":"00ab","spanID":"${id}","startTime":2,"duration":3${rest}}`;
    const ref = (type: string, trace: string, id: number) =>
      `{"refType":"${type}","traceID":"${trace}","spanID":"${id}"}`;
    const { rows } = await of(
      [
        span(
          1,
          `,"references":[${ref("FOLLOWS_FROM", "ab", 7)},${ref("CHILD_OF", "cd", 8)},${ref("CHILD_OF", "ab", 9)}]`,
        ),
        span(2, `,"references":[${ref("FOLLOWS_FROM", "ab", 7)},${ref("CHILD_OF", "cd", 8)}]`),
        span(3, `,"references":[${ref("CHILD_OF", "cd", 8)}],"parentSpanID":"6"`),
      ].join(","),
    );
    expect(rows.map(({ parent }) => parent)).toEqual([9n, 7n, 6n]);
    expect(rows[0]).toMatchObject({ trace: 0xabn, start: 2000n, end: 5000n });
  });

  it("takes service and instance of processes that follow the spans, or are in them", async () => {
    const { rows } = await of(
      `{"traceID":"1","spanID":"1","processID":"p1"},{"traceID":"1","spanID":"2","processID":"p2"},` +
        `{"traceID":"1","spanID":"3","process":{"serviceName":"inner"}},{"traceID":"1","spanID":"4","processID":"p9"}`,
      `,"processes":{"p1":{"serviceName":"one","tags":[{"key":"service.instance.id","value":"i1"}]},"p2":{"serviceName":"two"}}`,
    );
    expect(rows.map(({ service, instance }) => [service, instance])).toEqual([
      ["one", "i1"],
      ["two", ""],
      ["inner", ""],
      ["", ""],
    ]);
  });
});

describe("OTLP's JSON", () => {
  it("has a resource that follows its spans, on each of several lines", async () => {
    const line = (service: string, id: string) =>
      `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"01","spanId":"${id}","kind":"SPAN_KIND_CLIENT",` +
      `"startTimeUnixNano":"9","endTimeUnixNano":"3","status":{"code":2},"attributes":[{"key":"n","value":{"intValue":"-4"}}]}]}],` +
      `"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"${service}"}}]}}]}`;
    const { rows, format } = await readText(`${line("a", "0a")}\n${line("b", "ffffffffffffffffff0b")}\n`);
    expect(format).toBe("otlp-json");
    expect(rows.map(({ service, id }) => [service, id])).toEqual([
      ["a", 10n],
      ["b", 0xffffffffffffff0bn],
    ]);
    // An end before the start is an end at it.
    expect(rows[0]).toMatchObject({ start: 9n, end: 9n, kind: "client", status: 2 });
    expect(rows[0]?.attributes).toEqual({ n: BigInt.asUintN(64, -4n) });
  });
});

describe("the sides of a span that two processes report", () => {
  const [CLIENT, SERVER] = [SpanRow.SIDE_CLIENT, SpanRow.SIDE_SERVER];
  const sides = async (file: object) => {
    const { rows } = await readText(JSON.stringify(file));
    return rows.map(({ service, side }) => [service, side]);
  };
  const both = [
    ["front", CLIENT],
    ["back", SERVER],
  ];

  it.each([
    [3, 2],
    ["SPAN_KIND_PRODUCER", "SPAN_KIND_CONSUMER"],
  ])("are those of its kinds in OTLP: %s, %s", async (...kinds) => {
    const resourceSpans = kinds.map((kind, i) => ({
      scopeSpans: [{ spans: [{ traceId: "01", spanId: "0a", kind }] }],
      resource: { attributes: [{ key: "service.name", value: { stringValue: both[i]?.[0] } }] },
    }));
    expect(await sides({ resourceSpans })).toEqual(both);
  });

  it("are those of its kinds in Jaeger, whose processes follow", async () => {
    const span = (processID: string, value: string) => {
      const ids = { traceID: "1", spanID: "a", operationName: "get", startTime: 1 };
      return { ...ids, duration: 2, processID, tags: [{ key: "span.kind", value }] };
    };
    const processes = { p1: { serviceName: "front" }, p2: { serviceName: "back" } };
    const spans = [span("p1", "client"), span("p2", "server")];
    expect(await sides({ data: [{ traceID: "1", spans, processes }] })).toEqual(both);
  });

  it("are those of its types in Datadog, if it states no kinds", async () => {
    const span = (service: string, type: string) => ({ trace_id: 1, span_id: 2, start: 3, duration: 4, service, type });
    expect(await sides([[span("front", "http"), span("back", "web")]])).toEqual(both);
  });
});

describe("OTLP's JSON with the names of the .proto", () => {
  it("is read as with those of JSON", async () => {
    const { rows } = await readText(
      '{"resource_spans":[{"resource":{"attributes":[{"key":"service.name","value":{"string_value":"s"}}]},"scope_spans":[{"spans":' +
        '[{"trace_id":"0102","span_id":"03","parent_span_id":"04","start_time_unix_nano":"5","end_time_unix_nano":"9",' +
        '"attributes":[{"key":"n","value":{"int_value":"7"}}]}]}]}]}',
    );
    expect(rows).toMatchObject([{ trace: 0x102n, id: 3n, parent: 4n, start: 5n, end: 9n, service: "s" }]);
    expect(rows[0]?.attributes).toEqual({ n: 7n });
  });
});

describe("Zipkin's API v1", () => {
  const note = (value: string, timestamp: number, serviceName: string) => ({
    value,
    timestamp,
    endpoint: { serviceName },
  });
  const client = [note("cs", 100, "front"), note("cr", 200, "front")];
  const server = [note("sr", 110, "back"), note("ss", 180, "back")];
  const span = (more: object) => ({ traceId: "a", id: "b", name: "get", ...more });
  const halves = async (...spans: object[]) => {
    const { rows } = await readText(JSON.stringify(spans));
    return rows.map(({ kind, service, side, start, end }) => [kind, service, side, start, end]);
  };
  const [CLIENT, SERVER, SHARED] = [SpanRow.SIDE_CLIENT, SpanRow.SIDE_SERVER, SpanRow.SIDE_SHARED];

  it("has both halves of a shared span in one object, or each in its own", async () => {
    const both = [
      ["client", "front", CLIENT, 100_000n, 200_000n],
      ["server", "back", SHARED, 110_000n, 180_000n],
    ];
    const times = { timestamp: 100, duration: 100 };
    expect(await halves(span({ ...times, annotations: [...client, ...server] }))).toEqual(both);
    expect(await halves(span({ annotations: [...server, ...client] }))).toEqual(both);
    expect(await halves(span({ ...times, annotations: client }), span({ annotations: server }))).toEqual(both);
  });

  it("has the times of the object for the half that began the span", async () => {
    const times = { timestamp: 90, duration: 300 };
    expect(await halves(span({ ...times, annotations: server }))).toEqual([
      ["server", "back", SERVER, 90_000n, 390_000n],
    ]);
    expect(await halves(span({ annotations: [note("mr", 7, "worker")] }))).toEqual([
      ["consumer", "worker", SERVER, 7000n, 7000n],
    ]);
  });

  it("has service and tags in its endpoints", async () => {
    const tag = (key: string, value: unknown, serviceName: string) => ({ key, value, endpoint: { serviceName } });
    const tags = [tag("sa", true, "db"), tag("path", "/x", "front"), tag("thread.name", "t1", "back")];
    const { rows } = await readText(
      JSON.stringify([
        span({ annotations: [...client, ...server], binaryAnnotations: tags }),
        span({ timestamp: 5, duration: 2, annotations: [], binaryAnnotations: [tag("lc", "cache", "back")] }),
      ]),
    );
    expect(rows.map(({ service, thread, start, attributes }) => [service, thread, start, attributes])).toEqual([
      ["front", "", 100_000n, { path: "/x" }],
      ["back", "t1", 110_000n, { "thread.name": "t1" }],
      ["back", "", 5000n, {}],
    ]);
  });
});

describe("texts", () => {
  it("have U+FFFD for a lone surrogate, escaped or in the bytes, and are otherwise unchanged", async () => {
    const name = (inner: Uint8Array) =>
      read(Uint8Array.from([...utf8('[{"traceId":"1","id":"1","name":"'), ...inner, ...utf8('"}]')]));
    const named = async (inner: Uint8Array) => (await name(inner)).rows[0]?.name;
    expect(await named(utf8("a\\ud83db"))).toBe("a\ufffdb");
    expect(await named(utf8("\\ud83d\\ude00"))).toBe("\u{1f600}");
    expect(await named(Uint8Array.from([0x61, 0xed, 0xa0, 0x80, 0x62]))).toBe("a\ufffdb");
    expect(await named(utf8("\ufeff x\\u0000 "))).toBe("\ufeff x\0 ");
  });
});

describe("damage", () => {
  it.each<[what: string, bytes: Uint8Array, codes: string[]]>([
    ["nothing", new Uint8Array(0), ["trace.format"]],
    ["an empty array", utf8("[]"), ["trace.format"]],
    ["other JSON", utf8('{"a":[1,2]}'), ["trace.format"]],
    ["other objects", utf8('[{"a":1}]'), ["trace.format"]],
    ["noise", Uint8Array.from({ length: 10_000 }, (_, i) => (i * 7919) & 255), ["trace.format"]],
    ["brackets", utf8("[".repeat(200_000)), ["trace.cut", "trace.format"]],
    ["no resource", utf8('{"resourceSpans":[]}'), ["trace.empty"]],
    ["wrong types", utf8('[{"traceId":1,"id":{},"name":[],"timestamp":"x"}]'), ["trace.span", "trace.empty"]],
  ])("of %s gives no span and says why", async (_, bytes, codes) => {
    const found = await read(bytes);
    expect([found.spans, found.codes]).toEqual([0, codes]);
  });

  it("leaves out the spans with a field of a wrong type, and spans of id 0", async () => {
    const { rows, codes, diagnostics } = await readText(
      '[{"traceId":"1","id":"1"},{"traceId":"1","id":"xyz"},{"traceId":"1","id":"0"},{"traceId":"1","id":"2","timestamp":"soon"},3,{"traceId":"1","id":"3","name":{}}]',
    );
    expect(rows.map(({ id }) => id)).toEqual([1n, 3n]);
    expect(codes).toEqual(["trace.span", "trace.span", "trace.span"]);
    expect(diagnostics.slice(0, 2).map(({ message }) => message)).toEqual([
      "Zipkin: id is xyz, no id in hex; the span was left out (offset 26)",
      "Zipkin: the id is missing or 0; the span was left out (offset 53)",
    ]);
  });

  it("reads lines after a damaged one", async () => {
    const line = (id: number) => `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"${id}"}]}]}]}`;
    const { rows, codes } = await readText(`${line(1)}\n{"resourceSpans":[{"scopeSpans":[{"spans":[{]}\n${line(2)}\n`);
    expect(rows.map(({ id }) => id)).toEqual([1n, 2n]);
    expect(codes).toEqual(["trace.damaged"]);
  });

  it.each([
    "apctx-jdk17.whole.otlp.json.gz",
    "apctx-jdk17.whole.jaeger.json.gz",
    "apctx-jdk17.whole.zipkin.json.gz",
    "ddctx-jdk17.captured.datadog.json.gz",
    "ddctx-jdk17.whole.otlp.framed.gz",
    "ddctx-jdk17.whole.otlp.pb.gz",
  ])("that cuts %s leaves the spans before, in the same order", async (name) => {
    const bytes = gunzipSync(fixture(name));
    const whole = (await read(bytes)).rows.map(({ id, start, name: of }) => [id, start, of]);
    for (const part of [0.3, 0.66, 0.99]) {
      const { rows, codes } = await read(bytes.subarray(0, Math.floor(bytes.length * part)));
      expect(rows.length).toBeGreaterThan(whole.length * part - 12);
      expect(rows.map(({ id, start, name: of }) => [id, start, of])).toEqual(whole.slice(0, rows.length));
      expect(codes).toEqual(["trace.cut"]);
    }
  });

  it("of the compression leaves the spans before", async () => {
    const packed = gzipSync(
      utf8(`[${Array.from({ length: 5000 }, (_, i) => `{"traceId":"1","id":"${i + 1}"}`).join(",")}]`),
    );
    const { rows, codes } = await read(packed.subarray(0, packed.length - 4000));
    expect(rows.length).toBeGreaterThan(0);
    expect(codes).toEqual(["trace.cut", "trace.packing"]);
  });

  it("by a span that is too long leaves the spans before", async () => {
    const long = `{"traceId":"1","id":"2","name":"${"a".repeat(2 ** 27)}"}`;
    const { rows, codes, diagnostics } = await readText(`[{"traceId":"1","id":"1"},${long},{"traceId":"1","id":"3"}]`);
    expect(rows.map(({ id }) => id)).toEqual([1n]);
    expect(codes).toEqual(["trace.damaged"]);
    expect(diagnostics[0]).toMatchObject({ offset: 26 });
  });

  it("does not follow from depth: a chain of spans has all of them", async () => {
    const count = 20_000;
    const list = Array.from(
      { length: count },
      (_, i) => `{"traceId":"1","id":"${(i + 1).toString(16)}","parentId":"${i.toString(16)}"}`,
    );
    const { rows } = await readText(`[${list.join(",")}]`);
    expect([rows.length, rows.at(-1)!.parent]).toEqual([count, BigInt(count - 1)]);
  });

  it("stops where the table is full", async () => {
    const text = `[${Array.from({ length: 3000 }, (_, i) => `{"traceId":"1","id":"${(i + 1).toString(16)}"}`).join(",")}]`;
    const { spans, codes } = await read(utf8(text), new KeptSpans(2048));
    expect([spans, codes]).toEqual([2048, ["trace.full"]]);
  });

  it("has as many spans as its bytes allow, compressed or not", async () => {
    const [head, span, tail] = ['{"data":[{"spans":[', '{"traceID":"1","spanID":"2"}', "]}]}"];
    const most = 2 ** 17;
    let rows = 0;
    const store = Object.assign(new KeptSpans(), {
      add(batch: Uint8Array) {
        rows += batch.byteLength / SpanRow.BYTES;
        return true;
      },
    });
    const text = gzipSync(`${head}${span}${`,${span}`.repeat(most)}${tail}`);
    const { diagnostics } = await read(text, store);
    expect(rows).toBe(most);
    expect(diagnostics.find(({ code }) => code === "trace.full")?.message).toContain(`of ${text.length} bytes`);
  });
});

it("keeps 256 attributes of a span, of any number", async () => {
  const attributes = Array.from({ length: 5000 }, (_, i) => ({ key: `k${i}`, value: { stringValue: "v" } }));
  const span = { traceId: "1".padStart(32, "0"), spanId: "2".padStart(16, "0"), name: "a", attributes };
  const { rows } = await readText(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  expect(Object.keys(rows[0]!.attributes)).toHaveLength(256);
});

describe("parts without a span", () => {
  const tags = (tag: number) => Buffer.alloc(200, Uint8Array.of(tag, 0));
  const field = (tag: number, content: Buffer) =>
    Buffer.from([tag, (content.length & 0x7f) | 0x80, content.length >> 7, ...content]);
  const json = (head: string, item: string, tail: string) => utf8(`${head}${`${item},`.repeat(100)}${item}${tail}`);
  it.each([
    ["spans without an id", field(0x0a, field(0x12, tags(0x12))), "bare"],
    ["scopes", field(0x0a, tags(0x12)), "bare"],
    ["resources", tags(0x0a), "bare"],
    ["frames", Buffer.alloc(400), "frames"],
    ["objects of Datadog", json('[[{"trace_id":1,"span_id":1},', "{}", "]]"), "json"],
    ["lists of Datadog", json('[[{"trace_id":1,"span_id":1}],', "[]", "]"), "json"],
    ["scopes of OTLP/JSON", json('{"resourceSpans":[{"scopeSpans":[', "{}", "]}]}"), "json"],
    ["members", json('{"a":1,', '"b":{}', "}"), "json"],
    ["documents", utf8("{}\n".repeat(100)), "json"],
  ] as const)("are limited as spans are: %s", async (_, bytes, form) => {
    const most = (limit: number) => {
      const rows = new SpanRows(new KeptSpans(), 1, () => limit);
      const [window, findings] = [new Window(bytesSource(bytes)), new Findings("t")];
      const file =
        form === "json"
          ? new JsonFile(new JsonText(window), rows, findings).read()
          : new ProtobufFile(window, rows, findings).read(form);
      return drive(file, window);
    };
    await most(1000);
    await expect(most(20)).rejects.toThrow(SpansFull);
  });
});

describe("envelopes", () => {
  const TRACE = "5b8efff798038103d269b633813fc60c";
  const SPAN = "eee19b7ec3c1b174";
  const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  const span = { name: "checkout", kind: 2, startTimeUnixNano: "1000", endTimeUnixNano: "3000" };
  const hex = { ...span, traceId: TRACE, spanId: SPAN };
  const bytes = { ...span, traceId: base64(TRACE), spanId: base64(SPAN), parentSpanId: "" };
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] };
  const of = (one: object, scopes = "scopeSpans") => ({ resource, [scopes]: [{ scope: { name: "s" }, spans: [one] }] });
  const process = { serviceName: "shop", tags: [] };
  const stored = { traceID: TRACE, spanID: SPAN, operationName: "checkout", startTime: 1, duration: 2, process };
  const kind = { key: "span.kind", type: "string", value: "server" };
  const jaeger = { ...stored, process: undefined, processID: "p", tags: [kind] };
  const trace = { traceID: TRACE, spans: [jaeger], processes: { p: process } };

  it.each<[string, object]>([
    ["Tempo", { batches: [of(hex)] }],
    ["Tempo, ids in base64", { batches: [of(bytes)] }],
    ["Tempo's version 2", { trace: { resourceSpans: [of(bytes)] }, metrics: {} }],
    ["base64 without padding", { resourceSpans: [of({ ...bytes, spanId: base64(SPAN).replace("=", "") })] }],
    ["Jaeger 2", { result: { resourceSpans: [of(hex)] } }],
    ["OTLP before 0.16", { resourceSpans: [of(hex, "instrumentationLibrarySpans")] }],
    ["one trace of Jaeger", trace],
    ["Jaeger's answer", { data: [trace], total: 0 }],
    ["Jaeger's store", { ...stored, tag: { "span@kind": "server" } }],
    ["a search in Jaeger's store", { took: 1, hits: { total: 1, hits: [{ _source: { ...stored, tags: [kind] } }] } }],
  ])("of %s", async (_, value) => {
    const json = JSON.stringify(value);
    for (const text of [json, JSON.stringify(value, null, 2), `[${json}]`, `${json}\n${json}\n`]) {
      for (const content of [utf8(text), gzipSync(utf8(text))]) {
        const { rows, codes } = await read(content);
        expect(codes).toEqual([]);
        expect(rows.length).toBe(text === `${json}\n${json}\n` ? 2 : 1);
        expect(rows[0]).toMatchObject({
          trace: BigInt(`0x${TRACE}`),
          id: BigInt(`0x${SPAN}`),
          name: "checkout",
          service: "shop",
          kind: "server",
          start: 1000n,
          end: 3000n,
        });
      }
    }
  });

  it("of OTLP before 0.16 in protobuf", async () => {
    const of = (number: number, wire: number, ...bytes: number[]) => [...varint(number * 8 + wire), ...bytes];
    const message = (number: number, bytes: number[]) => of(number, 2, ...varint(bytes.length), ...bytes);
    const spanBytes = [...message(1, [...Buffer.from(TRACE, "hex")]), ...message(2, [...Buffer.from(SPAN, "hex")])];
    const data = message(1, message(1000, message(2, spanBytes)));
    const { rows, codes } = await read(Uint8Array.from(data));
    expect([rows.map(({ id }) => id), codes]).toEqual([[BigInt(`0x${SPAN}`)], []]);
  });

  it("that hold no span are named, and text that is no id is refused", async () => {
    expect((await readText('{"batches":[]}')).codes).toEqual(["trace.empty"]);
    expect((await readText(JSON.stringify({ batches: [of({ ...bytes, spanId: "*" })] }))).codes).toContain(
      "trace.span",
    );
  });
});

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);

describe("spans without times", () => {
  const NONE = BigInt.asIntN(64, BigInt(SpanRow.NO_TIME));
  const otlp = (rest: string) => `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"2"${rest}}]}]}]}`;
  const jaeger = (rest: string) => `{"data":[{"spans":[{"traceID":"1","spanID":"2"${rest}}]}]}`;
  const zipkin = (rest: string) => `[{"traceId":"1","id":"2"${rest}}]`;
  const datadog = (rest: string) => `[[{"trace_id":1,"span_id":2${rest}}]]`;
  const stored = (rest: string) => `{"traceID":"1","spanID":"2","operationName":"a","process":{}${rest}}`;

  it.each([
    ["OTLP", otlp("")],
    ["OTLP", otlp(',"startTimeUnixNano":"0","endTimeUnixNano":"9"')],
    ["Tempo", otlp(',"endTimeUnixNano":"9"').replace("resourceSpans", "batches")],
    ["Jaeger", jaeger(',"duration":5')],
    ["Jaeger's store", stored(',"startTime":0,"duration":5')],
    ["Zipkin", zipkin("")],
    ["Zipkin", zipkin(',"timestamp":0,"duration":5')],
    ["Zipkin's API v1", zipkin(',"annotations":[{"value":"cs","endpoint":{}}]')],
    ["Datadog", datadog(',"duration":5')],
  ])("have none where the start is missing or 0: %s %s", async (_, text) => {
    const { rows, untimed, codes } = await readText(text);
    expect(rows).toMatchObject([{ id: 2n, start: NONE, end: NONE }]);
    expect([untimed.map(({ message }) => message), codes]).toEqual([
      [expect.stringMatching(/: the span has no start, so it has no time \(offset \d+\)$/)],
      [],
    ]);
  });

  it.each([
    ["OTLP", otlp(',"startTimeUnixNano":"7000"')],
    ["OTLP", otlp(',"startTimeUnixNano":"7000","endTimeUnixNano":"6000"')],
    ["Jaeger", jaeger(',"startTime":7')],
    ["Zipkin", zipkin(',"timestamp":7')],
    ["Datadog", datadog(',"start":7000')],
    ["Datadog", datadog(',"start":7000,"duration":-3')],
  ])("are 0 ns long where the duration is missing or below 0: %s %s", async (_, text) => {
    const { rows, untimed } = await readText(text);
    expect(rows).toMatchObject([{ start: 7000n, end: 7000n }]);
    expect(untimed.map(({ message }) => message)).toEqual([
      expect.stringContaining("no end, or ends before it starts"),
    ]);
  });

  it("are said nothing of where the duration is 0", async () => {
    for (const text of [jaeger(',"startTime":7,"duration":0'), otlp(',"startTimeUnixNano":"7","endTimeUnixNano":"7"')])
      expect((await readText(text)).untimed).toEqual([]);
  });
});
