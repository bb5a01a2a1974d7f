/**
 * Spans as Datadog's tracers send them to their agent, in msgpack:
 *
 *   v0.4   [ [ span { "trace_id": …, "meta": { … }, … } ] ]
 *   v0.5   [ [ string … ], [ [ span [ service, name, resource, trace_id, span_id, parent_id, start, duration, error,
 *            meta, metrics, type ] ] ] ]                              texts are places in the list of strings
 *
 * A message is held as a whole. How many values it has is counted before they are made: a byte may be a value.
 */
import { decode } from "@msgpack/msgpack";
import { datadogSpan, statedTrace } from "./datadog.ts";
import type { Findings } from "./findings.ts";
import type { Json, JsonObject } from "./json-value.ts";
import { LEFT_OUT, type SpanRows } from "./rows.ts";
import { listOf, NO_ID, SpanFault } from "./span.ts";

/** Values of a message: 5 MB of spans, the most that a tracer sends, have half of them. */
const MOST_VALUES = 1_000_000;
const FIELDS = ["service", "name", "resource", "trace_id", "span_id", "parent_id", "start", "duration", "error"];
const [META, METRICS, TYPE] = [9, 10, 11];

/** Throws SpansFull, and Error for bytes that are no such message. */
export function readMsgpack(bytes: Uint8Array, rows: SpanRows, findings: Findings): void {
  if (valuesIn(bytes) > MOST_VALUES) throw new Error(`more than ${MOST_VALUES} values`);
  const message = jsonOf(decode(bytes, { useBigInt64: true }));
  for (const trace of tracesIn(message)) {
    for (const span of listOf(trace)) {
      rows.visit();
      if (span instanceof Map) addSpan(span, rows, findings);
    }
  }
}

function tracesIn(message: Json): readonly Json[] {
  const all = listOf(message);
  const [strings, traces] = all;
  const isIndexed = all.length === 2 && listOf(strings).some((each) => typeof each === "string");
  if (!isIndexed) return all;
  const text = (place: Json | undefined) => listOf(strings)[Number(place)] ?? "";
  const spanOf = (fields: readonly Json[]): JsonObject => {
    const span: JsonObject = new Map(FIELDS.map((name, i) => [name, i < 3 ? text(fields[i]) : (fields[i] ?? null)]));
    const [meta, metrics] = [META, METRICS].map((i) =>
      fields[i] instanceof Map ? [...(fields[i] as JsonObject)] : [],
    );
    span.set("meta", new Map((meta ?? []).map(([key, value]) => [String(text(key)), text(value)])));
    span.set("metrics", new Map((metrics ?? []).map(([key, value]) => [String(text(key)), value])));
    return span.set("type", text(fields[TYPE]));
  };
  return listOf(traces).map((trace) => listOf(trace).map((fields) => spanOf(listOf(fields))));
}

function addSpan(span: JsonObject, rows: SpanRows, findings: Findings): void {
  try {
    const parsed = datadogSpan(span);
    if (parsed.id === 0n) throw new SpanFault(NO_ID);
    const fault = rows.add(parsed);
    if (fault !== null) findings.note(fault.code, `Datadog: ${fault.message}`);
  } catch (error) {
    if (!(error instanceof SpanFault)) throw error;
    rows.visit(LEFT_OUT);
    rows.addTraceId(statedTrace(span));
    findings.note("trace.span", `Datadog: ${error.message}; the span was left out`);
  }
}

/** A value of the library as one of JSON. */
function jsonOf(value: unknown): Json {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return new Map(Object.entries(value).map(([key, each]) => [key, jsonOf(each)]));
  const isPlain = ["string", "number", "boolean", "bigint"].includes(typeof value);
  return isPlain ? (value as string | number | boolean | bigint) : null;
}

/** Bytes after the first of values of fixed size; 0xc0 to 0xdf. */
const SIZES: ReadonlyMap<number, number> = new Map([
  ...[0xca, 0xce, 0xd2].map((first) => [first, 4] as const),
  ...[0xcb, 0xcf, 0xd3].map((first) => [first, 8] as const),
  ...[0xcc, 0xd0].map((first) => [first, 1] as const),
  ...[0xcd, 0xd1].map((first) => [first, 2] as const),
  ...[1, 2, 4, 8, 16].map((size, i) => [0xd4 + i, size + 1] as const),
]);
/** Bytes of the length after the first byte of texts, bytes, extensions, arrays and objects. */
const LENGTHS: ReadonlyMap<number, number> = new Map(
  [0xc4, 0xc7, 0xd9].flatMap((first) => [1, 2, 4].map((size, i) => [first + i, size] as const)),
);

/** How many values the bytes have, as far as they go. */
function valuesIn(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lengthAt = (at: number, size: number) => {
    if (at + size > bytes.length) return 0;
    if (size === 1) return view.getUint8(at);
    return size === 2 ? view.getUint16(at) : view.getUint32(at);
  };
  let values = 0;
  for (let at = 0; at < bytes.length; ) {
    values++;
    const first = bytes[at++] ?? 0;
    const size = LENGTHS.get(first) ?? 0;
    if (first >= 0xa0 && first <= 0xbf) at += first & 31;
    else if (size > 0) at += size + lengthAt(at, size) + (first >= 0xc7 && first <= 0xc9 ? 1 : 0);
    else if (first === 0xdc || first === 0xde) at += 2;
    else if (first === 0xdd || first === 0xdf) at += 4;
    else at += SIZES.get(first) ?? 0;
  }
  return values;
}
