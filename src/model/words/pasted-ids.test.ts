import { describe, expect, it } from "vitest";
import { pastedIds } from "./pasted-ids.ts";

/** Trace id of 128 bits, its lower half, span, parent; the two last have no letter in hex. */
const T = 0x6b00b705000000000cb2a068373f9c72n;
const L = 0x0cb2a068373f9c72n;
const S = 0x00f067aa0ba902b7n;
const P = 0x05e3ac9a4f6e3b90n;
const N = 4264665117096331295n;
const T_HEX = "6b00b705000000000cb2a068373f9c72";
const S_HEX = "00f067aa0ba902b7";
const P_HEX = "05e3ac9a4f6e3b90";

const FORMS: [name: string, text: string, ids: bigint[]][] = [
  ["decimal", "4264665117096331295", [N]],
  ["decimal with space around", "  4264665117096331295\n", [N]],
  ["decimal in groups", "4 264 665 117 096 331 295", [N]],
  ["decimal in quotes", '"4264665117096331295",', [N]],
  ["hex with 0x", "0x3b2f2a6ac6f1b81f", [0x3b2f2a6ac6f1b81fn]],
  ["upper-case hex with 0X", "0X3B2F2A6AC6F1B81F", [0x3b2f2a6ac6f1b81fn]],
  ["bare hex", S_HEX, [S]],
  ["upper-case bare hex", S_HEX.toUpperCase(), [S]],
  ["16 digits", "1234567890123456", [1234567890123456n, 0x1234567890123456n]],
  ["trace id", T_HEX, [T, L]],
  ["upper-case trace id", T_HEX.toUpperCase(), [T, L]],
  ["trace id with 0x", `0x${T_HEX}`, [T, L]],
  ["trace id in decimal", String(2n ** 127n + 5n), [2n ** 127n + 5n, 5n]],
  ["trace id as a negative number", String(5n - 2n ** 127n), [2n ** 127n + 5n, 5n]],
  ["21 digits", "100000000000000000001", [0x100000000000000000001n, 1n, 100000000000000000001n]],
  ["span id in groups of four", "6f3f-8992-c17d-2bd0", [0x6f3f8992c17d2bd0n]],
  ["span id in two groups", "6F3F8992-C17D2BD0", [0x6f3f8992c17d2bd0n]],
  ["span id in bytes", "6f:3f:89:92:c1:7d:2b:d0", [0x6f3f8992c17d2bd0n]],
  ["span id in base64", "bz+JksF9K9A=", [0x6f3f8992c17d2bd0n]],
  ["span id in base64 without its end", "bz+JksF9K9A", [0x6f3f8992c17d2bd0n]],
  ["span id in base64 for addresses", "-_-JksF9K9A", [0xfbff8992c17d2bd0n]],
  [
    "trace id in base64 without its end",
    "S/kvNXezTaajzpKdDg5HNg",
    [0x4bf92f3577b34da6a3ce929d0e0e4736n, 0xa3ce929d0e0e4736n],
  ],
  [
    "JSON of OTLP in base64",
    '{"traceId":"S/kvNXezTaajzpKdDg5HNg==","spanId":"bz+JksF9K9A="}',
    [0x4bf92f3577b34da6a3ce929d0e0e4736n, 0x6f3f8992c17d2bd0n, 0xa3ce929d0e0e4736n],
  ],
  ["log line with a trace id in decimal", `trace_id=${2n ** 127n + 5n} paid`, [2n ** 127n + 5n, 5n]],
  ["UUID", "6b00b705-0000-0000-0cb2-a068373f9c72", [T, L]],
  ["UUID in braces", "{6b00b705-0000-0000-0cb2-a068373f9c72}", [T, L]],
  ["traceparent", `00-${T_HEX}-${S_HEX}-01`, [T, S, L]],
  ["traceparent as a header", `traceparent: 00-${T_HEX}-${S_HEX}-01`, [T, S, L]],
  ["tracestate of Datadog", `tracestate: dd=s:1;p:${S_HEX};t.dm:-4`, [S]],
  ["both W3C headers", `traceparent: 00-${T_HEX}-${S_HEX}-01\ntracestate: dd=s:1;p:${P_HEX}`, [T, S, P, L]],
  ["Datadog headers", `x-datadog-trace-id: ${L}\nx-datadog-parent-id: ${S}\nx-datadog-sampling-priority: 1`, [L, S]],
  [
    "Datadog headers with the upper half",
    `x-datadog-trace-id: ${L}\nx-datadog-parent-id: ${S}\nx-datadog-tags: _dd.p.tid=6b00b70500000000`,
    [T, S, L],
  ],
  ["log line of Datadog", `INFO checkout dd.service=shop dd.trace_id=${T_HEX} dd.span_id=${N} - paid`, [T, N, L]],
  ["log line of Datadog in decimal", `[dd.trace_id=${L} dd.span_id=${N}] paid`, [L, N]],
  ["log line of OpenTelemetry", `trace_id=${T_HEX} span_id=${S_HEX} trace_flags=01 paid`, [T, S, L]],
  ["traceId of Logback", `[shop,traceId=${T_HEX},spanId=${S_HEX}]`, [T, S, L]],
  ["span alone", `span_id=${S_HEX}`, [S]],
  ["local root", `local_root_span_id: ${N}`, [N]],
  ["label of Datadog's pprof", `local root span id: ${N}`, [N]],
  ["JSON", `{"trace_id": "${T_HEX}", "span_id": "${S_HEX}"}`, [T, S, L]],
  ["JSON of Datadog", `{"dd":{"trace_id":"${L}","span_id":"${N}"},"message":"paid"}`, [L, N]],
  ["JSON of OTLP", `{"traceId":"${T_HEX}","spanId":"${S_HEX}","parentSpanId":"${P_HEX}"}`, [T, S, L]],
  ["JSON in one quoted string", `"{'trace.id': '${T_HEX}'}"`, [T, L]],
  ["B3 in one header", `b3: ${T_HEX}-${S_HEX}-1-${P_HEX}`, [T, S, P, L]],
  ["B3 of 64 bits", `${P_HEX}-${S_HEX}-d`, [P, S]],
  [
    "B3 headers",
    `X-B3-TraceId: ${T_HEX}\nX-B3-SpanId: ${S_HEX}\nX-B3-ParentSpanId: ${P_HEX}\nX-B3-Sampled: 1`,
    [T, S, L],
  ],
  ["B3 headers, digits only", "x-b3-traceid: 1234567890123456\nx-b3-spanid: 10", [0x1234567890123456n, 0x10n]],
  ["uber-trace-id", `uber-trace-id: ${T_HEX}:${S_HEX}:${P_HEX}:1`, [T, S, P, L]],
  ["uber-trace-id, shortened and escaped", "uber-trace-id: cb2a068373f9c72%3Af067aa0ba902b7%3A0%3A1", [L, S]],
  ["X-Ray", "X-Amzn-Trace-Id: Root=1-6b00b705-000000000cb2a068373f9c72;Parent=00f067aa0ba902b7;Sampled=1", [T, S, L]],
  ["X-Ray trace id", "1-6b00b705-000000000cb2a068373f9c72", [T, L]],
  ["Datadog's address", `https://app.datadoghq.com/apm/trace/${T_HEX}?graphType=flamegraph&spanID=${N}`, [T, N, L]],
  ["Datadog's address in decimal", `https://app.datadoghq.eu/apm/trace/${L}`, [L]],
  ["Jaeger's address", `http://jaeger:16686/trace/${T_HEX}?uiFind=${S_HEX}`, [T, S, L]],
  ["Zipkin's address", `http://zipkin:9411/zipkin/traces/${T_HEX}`, [T, L]],
  [
    "address of Tempo in Grafana",
    `https://grafana.example/explore?panes=%7B%22a%22:%7B%22datasource%22:%22tempo%22,%22queries%22:%5B%7B%22query%22:%22${T_HEX}%22%7D%5D%7D%7D`,
    [T, L],
  ],
  ["sentence with a trace id", `See trace ${T_HEX} please`, [T, L]],
  ["sentence with a span id", `slow span ${S_HEX}!`, [S]],
];

describe("pastedIds", () => {
  it.each(FORMS)("reads %s", (_, text, ids) => {
    expect(pastedIds(text)?.ids).toEqual(ids);
  });

  it("keeps the trace id, and leads from a span to the trace only where the text names one", () => {
    expect(pastedIds(`00-${T_HEX}-${S_HEX}-01`)).toMatchObject({ trace: T, wholeTrace: true });
    expect(pastedIds(`dd.trace_id=${L} dd.span_id=${N}`)).toMatchObject({ trace: null, wholeTrace: true });
    expect(pastedIds(`dd.span_id=${N}`)).toMatchObject({ trace: null, wholeTrace: false });
    expect(pastedIds(String(N))).toMatchObject({ form: "id", trace: null, wholeTrace: false });
  });

  it.each([
    "",
    "checkout",
    "POST /checkout",
    "GET /api/v2/orders/{orderId}",
    "tenant=acme",
    "order_id=1234567890",
    "parent_id=12",
    "/java\\.util/",
    "0",
    "0x0",
    "00000000000000000000000000000000",
    "18446744073709551616",
    "2026-11-22 12:58:12.123",
    "java.util.concurrent.ThreadPoolExecutor",
    "Application",
    "Base64Utils",
    "checkout-v8",
    "RetryTemplateFactoryAg",
    "1234-5678-9012-3456",
    "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "12:58:12",
    String(2n ** 128n),
    String(-(2n ** 127n) - 1n),
    "dd.span_id=0 dd.trace_id=0",
    "%",
  ])("finds none in %j", (text) => {
    expect(pastedIds(text)).toBeNull();
  });

  it.each([
    ["Application", null],
    ["checkout-v8", BigInt(`0x${Buffer.from("checkout-v8", "base64url").toString("hex")}`)],
    ["1234-5678-9012-3456", 0x1234567890123456n],
  ])("takes %s for an id only where one was asked for", (text, id) => {
    expect(pastedIds(text)).toBeNull();
    expect(pastedIds(text, true)?.ids[0] ?? null).toBe(id);
  });

  it("takes no longer for a text that nearly matches than for any other", () => {
    for (const part of ["a", "0", "-", "1-", "trace_id=", "a:", "x-b3-"]) {
      expect(pastedIds(part.repeat(1_000_000))?.ids ?? []).toEqual([]);
    }
  });
});
