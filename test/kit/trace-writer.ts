/** Traces in the formats of trace files, written without code of the reader. */

export interface WrittenSpan {
  trace: bigint;
  id: bigint;
  parent: bigint;
  name: string;
  /** In ns; Jaeger and Zipkin get whole microseconds. */
  start: bigint;
  duration: bigint;
  thread: string;
  kind: "server" | "client" | "internal";
}

const KINDS = { internal: 1, server: 2, client: 3 };
const U64 = (1n << 64n) - 1n;
const hex = (id: bigint, digits: number) => id.toString(16).padStart(digits, "0");

/** JSON with bigints as numbers. */
function json(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(json).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${json(each)}`)}}`;
}

const pair = (key: string, value: string) => ({ key, value: { stringValue: value } });

function otlpJson(spans: readonly WrittenSpan[]): string {
  const rows = spans.map((span) => ({
    traceId: hex(span.trace, 32),
    spanId: hex(span.id, 16),
    parentSpanId: span.parent === 0n ? "" : hex(span.parent, 16),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: String(span.start),
    endTimeUnixNano: String(span.start + span.duration),
    attributes: [pair("thread.name", span.thread)],
  }));
  const resource = { attributes: [pair("service.name", "shop"), pair("service.instance.id", "i1")] };
  return json({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "test" }, spans: rows }] }] });
}

function jaeger(spans: readonly WrittenSpan[]): string {
  const rows = spans.map((span) => ({
    traceID: hex(span.trace, 1),
    spanID: hex(span.id, 1),
    operationName: span.name,
    references:
      span.parent === 0n ? [] : [{ refType: "CHILD_OF", traceID: hex(span.trace, 1), spanID: hex(span.parent, 1) }],
    startTime: span.start / 1000n,
    duration: span.duration / 1000n,
    tags: [
      { key: "span.kind", type: "string", value: span.kind },
      { key: "thread.name", type: "string", value: span.thread },
    ],
    processID: "p1",
  }));
  const tags = [{ key: "service.instance.id", type: "string", value: "i1" }];
  return json({ data: [{ traceID: "1", spans: rows, processes: { p1: { serviceName: "shop", tags } } }] });
}

function zipkin(spans: readonly WrittenSpan[]): string {
  return json(
    spans.map((span) => ({
      traceId: hex(span.trace, 32),
      id: hex(span.id, 16),
      ...(span.parent !== 0n && { parentId: hex(span.parent, 16) }),
      name: span.name,
      kind: span.kind.toUpperCase(),
      timestamp: span.start / 1000n,
      duration: span.duration / 1000n,
      localEndpoint: { serviceName: "shop" },
      tags: { "thread.name": span.thread, "service.instance.id": "i1" },
    })),
  );
}

function datadog(spans: readonly WrittenSpan[]): string {
  const rows = spans.map((span) => ({
    service: "shop",
    name: span.name,
    trace_id: span.trace & U64,
    span_id: span.id,
    parent_id: span.parent,
    start: span.start,
    duration: span.duration,
    meta: {
      "thread.name": span.thread,
      "span.kind": span.kind,
      "runtime-id": "i1",
      "_dd.p.tid": hex(span.trace >> 64n, 16),
    },
  }));
  return json([rows.slice(0, 1), rows.slice(1)]);
}

// ---- protobuf ----

function varint(value: bigint): number[] {
  const out: number[] = [];
  let left = value;
  for (; left > 127n; left >>= 7n) out.push(Number(left & 127n) | 128);
  return [...out, Number(left)];
}

const delimited = (field: number, bytes: readonly number[]) => [
  ...varint(BigInt((field << 3) | 2)),
  ...varint(BigInt(bytes.length)),
  ...bytes,
];
const text = (field: number, value: string) => delimited(field, [...new TextEncoder().encode(value)]);
const number = (field: number, value: number) => [...varint(BigInt(field << 3)), ...varint(BigInt(value))];
const fixed64 = (field: number, value: bigint) => [
  (field << 3) | 1,
  ...new Uint8Array(BigUint64Array.of(value & U64).buffer),
];
const id = (field: number, value: bigint, bytes: number) =>
  delimited(field, [...Buffer.from(hex(value, 2 * bytes), "hex")]);
const attribute = (field: number, key: string, value: string) =>
  delimited(field, [...text(1, key), ...delimited(2, text(1, value))]);

function otlpProtobuf(spans: readonly WrittenSpan[]): Uint8Array {
  const rows = spans.flatMap((span) =>
    delimited(2, [
      ...id(1, span.trace, 16),
      ...id(2, span.id, 8),
      ...(span.parent === 0n ? [] : id(4, span.parent, 8)),
      ...text(5, span.name),
      ...number(6, KINDS[span.kind]),
      ...fixed64(7, span.start),
      ...fixed64(8, span.start + span.duration),
      ...attribute(9, "thread.name", span.thread),
    ]),
  );
  const resource = [...attribute(1, "service.name", "shop"), ...attribute(1, "service.instance.id", "i1")];
  const scope = [...delimited(1, text(1, "test")), ...rows];
  return Uint8Array.from(delimited(1, [...delimited(1, resource), ...delimited(2, scope)]));
}

/** Messages of two halves, each after its length. */
function framed(spans: readonly WrittenSpan[]): Uint8Array {
  const middle = spans.length >> 1;
  return Buffer.concat(
    [spans.slice(0, middle), spans.slice(middle)].flatMap((part) => {
      const message = otlpProtobuf(part);
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, message.length);
      return [length, message];
    }),
  );
}

const utf8 = (written: string) => new TextEncoder().encode(written);

/** A file of each format, by its name. */
export const TRACE_WRITERS: Readonly<Record<string, (spans: readonly WrittenSpan[]) => Uint8Array>> = {
  "otlp-json": (spans) => utf8(otlpJson(spans)),
  "otlp-jsonl": (spans) => utf8(spans.map((span) => `${otlpJson([span])}\n`).join("")),
  "otlp-pb": otlpProtobuf,
  "otlp-framed": framed,
  jaeger: (spans) => utf8(jaeger(spans)),
  zipkin: (spans) => utf8(zipkin(spans)),
  datadog: (spans) => utf8(datadog(spans)),
};
