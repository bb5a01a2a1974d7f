/**
 * Ids among the attributes of OTLP samples and the labels of pprof (assembly/store/id-names.ts): every spelling of a
 * name, every form of a value, what is no id, and ids beside those of a link.
 */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { carriedIds } from "../../../src/core/carried-ids.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { type OtlpMessage, otlpMessage } from "../../kit/otlp/attributed-message.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";

const TRACE = 0x4bf92f3577b34da6a3ce929d0e0e4736n;
const LOW = BigInt.asUintN(64, TRACE);
const SPAN = 0xf0f067aa0ba902b7n;
const ROOT = 0x8000000000000001n;
const OTHER = 0x00000000000000770000000000000078n;

const hex = (id: bigint, digits: number) => id.toString(16).padStart(digits, "0");
const bytes = (id: bigint, size: number) => Buffer.from(hex(id, 2 * size), "hex").toString("base64");
const text = (stringValue: string) => ({ stringValue });
const list = (value: object) => ({ arrayValue: { values: [value] } });

async function read(sample: OtlpMessage): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "a.json", source: bytesSource(otlpMessage(sample)) }]);
  return core;
}

/** How many samples each id selects. */
function found(core: Core) {
  const samples = (filter: object) => core.select(null, filter).samples;
  return {
    trace: samples({ localRoot: TRACE }),
    span: samples({ span: SPAN }),
    root: samples({ localRoot: ROOT }),
  };
}

describe("names of ids", () => {
  it.each([
    ["trace_id", "span_id"],
    ["trace id", "span id"],
    ["traceID", "spanID"],
    ["TraceId", "SpanId"],
    ["traceid", "spanid"],
    ["trace-id", "span-id"],
    ["trace.id", "span.id"],
    ["otel.trace_id", "otel.span_id"],
    ["dd.trace_id", "dd.span_id"],
    ["datadog.trace_id", "datadog.span_id"],
    ["process.context.label.trace_id", "process.context.label.span_id"],
    ["process.context.label.trace id", "process.context.label.span id"],
  ])("%s and %s", async (trace, span) => {
    const core = await read({ attributes: { [trace]: text(hex(TRACE, 32)), [span]: text(hex(SPAN, 16)) } });
    expect(found(core)).toEqual({ trace: 1, span: 1, root: 0 });
    expect(core.attributeKeys()).toEqual([]);
  });

  it.each([
    "local root span id",
    "datadog.local_root_span_id",
    "local_root_span.id",
    "localRootSpanId",
    "root_span_id",
    "process.context.label.local root span id",
    "profile_id",
    "process.context.label.profile_id",
  ])("%s of a local root", async (key) => {
    expect(found(await read({ attributes: { [key]: text(hex(ROOT, 16)) } }))).toMatchObject({ root: 1 });
  });

  it("the halves of a trace id", async () => {
    const halves = { traceIdHi: { intValue: `${TRACE >> 64n}` }, traceIdLo: { intValue: `${BigInt.asIntN(64, LOW)}` } };
    expect(found(await read({ attributes: halves }))).toMatchObject({ trace: 1 });
  });
});

describe("forms of ids", () => {
  it.each<[string, object, object]>([
    ["upper case", text(hex(TRACE, 32).toUpperCase()), text(hex(SPAN, 16).toUpperCase())],
    ["bytes", { bytesValue: bytes(TRACE, 16) }, { bytesValue: bytes(SPAN, 8) }],
    ["bytes of digits", { bytesValue: Buffer.from(hex(TRACE, 32)).toString("base64") }, text(hex(SPAN, 16))],
    ["a list of a text", list(text(hex(TRACE, 32))), list(text(hex(SPAN, 16)))],
    ["a list of bytes", list({ bytesValue: bytes(TRACE, 16) }), list({ bytesValue: bytes(SPAN, 8) })],
    ["decimal text", text(hex(TRACE, 32)), text(String(SPAN))],
    ["a negative number", text(hex(TRACE, 32)), { intValue: String(BigInt.asIntN(64, SPAN)) }],
    ["a list of a number", text(hex(TRACE, 32)), list({ intValue: String(BigInt.asIntN(64, SPAN)) })],
  ])("%s", async (_, trace, span) => {
    expect(found(await read({ attributes: { trace_id: trace, span_id: span } }))).toMatchObject({ trace: 1, span: 1 });
  });

  it.each<[string, object]>([
    ["words", text("checkout")],
    ["a word of hex digits", text("cafe")],
    ["zeros", text("0".repeat(32))],
    ["a number 0", { intValue: "0" }],
    ["an empty text", text("")],
    ["three bytes", { bytesValue: "YWJj" }],
    ["several ids", { arrayValue: { values: [text(hex(TRACE, 32)), text(hex(OTHER, 32))] } }],
    ["an empty list", { arrayValue: { values: [] } }],
    ["a list of a list", list(list(text(hex(TRACE, 32))))],
    ["pairs", { kvlistValue: { values: [{ key: "id", value: text(hex(TRACE, 32)) }] } }],
    ["a truth", { boolValue: true }],
    ["33 digits", text(`${hex(TRACE, 32)}0`)],
  ])("%s: none", async (_, value) => {
    const core = await read({ attributes: { trace_id: value, "span id": value } });
    expect(core.profiles()[0]).toMatchObject({ samplesWithSpan: 0, samplesWithRoot: 0 });
    expect(core.attributeKeys().length).toBeGreaterThan(0);
  });
});

describe("a Link", () => {
  const link = { traceId: bytes(TRACE, 16), spanId: bytes(SPAN, 8) };

  it("is stronger than attributes, which stay", async () => {
    const core = await read({
      link,
      attributes: { trace_id: text(hex(OTHER, 32)), span_id: text("00000000000000aa") },
    });
    expect(found(core)).toMatchObject({ trace: 1, span: 1 });
    expect(core.select(null, { span: 0xaan }).samples).toBe(0);
    expect(core.attributeKeys().toSorted()).toEqual(["span_id", "trace_id"]);
  });

  it("without a span has that of the attributes", async () => {
    const core = await read({ link: { traceId: link.traceId }, attributes: { span_id: text(hex(SPAN, 16)) } });
    expect(found(core)).toMatchObject({ trace: 1, span: 1 });
  });

  it.each<[string, object]>([
    ["a text", text(hex(ROOT, 16))],
    ["a decimal text", text(String(ROOT))],
    ["a number", { intValue: String(BigInt.asIntN(64, ROOT)) }],
    ["bytes", { bytesValue: bytes(ROOT, 8) }],
  ])("of a trace, beside a local root as %s: both select the sample, and are known", async (_, value) => {
    const core = await read({ link, attributes: { "datadog.local_root_span_id": value } });
    expect(found(core)).toEqual({ trace: 1, span: 1, root: 1 });
    const { roots } = carriedIds(new HeldCore(core));
    expect([roots.get(ROOT), roots.get(LOW)]).toEqual([ROOT, TRACE]);
    expect(core.select(null, { not: { localRoot: ROOT } }).samples).toBe(0);
    expect(core.select(null, { localRoot: [1n, 2n, 3n, 4n, 5n, ROOT] }).samples).toBe(1);
    expect(core.select(null, { localRoot: ROOT ^ 2n }).samples).toBe(0);
  });
});

describe("pprof", () => {
  it("has the same names, and a root beside a trace", async () => {
    const core = await emptyCore();
    const labels = {
      "process.context.label.trace_id": hex(TRACE, 32),
      spanId: BigInt.asIntN(64, SPAN),
      "datadog.local_root_span_id": hex(ROOT, 16),
    };
    const message = pprofOf({ types: [["cpu", "count"]], samples: [{ stack: ["a"], values: [1], labels }] });
    await readInputs(core, [{ name: "a.pprof", source: bytesSource(message) }]);
    expect(found(core)).toEqual({ trace: 1, span: 1, root: 1 });
  });
});
