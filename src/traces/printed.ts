/**
 * Spans as the exporters of OpenTelemetry's SDKs print them for people:
 *
 *   { "name", "context": { "trace_id": "0x…" }, "start_time": "2026-…Z" }     Python's ConsoleSpanExporter
 *   { "Name", "SpanContext": { "TraceID" }, "StartTime": "2026-…Z" }          Go's stdouttrace
 *   { resource: …, traceId: '…', id: '…', timestamp: 17…, duration: 250.9 }   JavaScript's ConsoleSpanExporter
 *   'name' : trace span KIND [tracer: scope:version] AttributesMap{data={…}}  Java's LoggingSpanExporter
 */
import { JAVA_SPAN } from "../otlp/sniff-trace.ts";
import type { Json, JsonObject } from "./json-value.ts";
import { KINDS, processOf } from "./otlp-json.ts";
import {
  byteId,
  byteTrace,
  integer,
  isoTime,
  listOf,
  NOT_STATED,
  objectOf,
  type ParsedSpan,
  plainText,
  textOf,
} from "./span.ts";

const STATUS = new Map([
  ["OK", 1],
  ["ERROR", 2],
]);
/** Node's SpanKind begins with INTERNAL = 0, OTLP's with UNSPECIFIED. */
const NODE_KINDS = KINDS.slice(1);

const statusOf = (code: Json | undefined) => STATUS.get(textOf(code).toUpperCase()) ?? 0;

export function pythonSpan(span: JsonObject): ParsedSpan {
  const context = objectOf(span.get("context"));
  const resource = objectOf(span.get("resource"));
  return {
    trace: byteTrace(unprefixed(context?.get("trace_id")), "trace_id"),
    id: byteId(unprefixed(context?.get("span_id")), "span_id"),
    parent: byteId(unprefixed(span.get("parent_id")), "parent_id"),
    name: textOf(span.get("name")),
    kind: textOf(span.get("kind")).replace("SpanKind.", "").toLowerCase(),
    status: statusOf(objectOf(span.get("status"))?.get("status_code")),
    ...timesOf(span.get("start_time"), span.get("end_time")),
    // Before 1.9 the resource was its attributes.
    ...processOf(objectOf(resource?.get("attributes")) ?? resource ?? new Map()),
    resource: null,
    attributes: objectOf(span.get("attributes")) ?? new Map(),
  };
}

export function goSpan(span: JsonObject): ParsedSpan {
  const context = objectOf(span.get("SpanContext"));
  return {
    trace: byteTrace(context?.get("TraceID"), "TraceID"),
    id: byteId(context?.get("SpanID"), "SpanID"),
    parent: byteId(objectOf(span.get("Parent"))?.get("SpanID"), "Parent.SpanID"),
    name: textOf(span.get("Name")),
    kind: KINDS[Number(integer(span.get("SpanKind"), "SpanKind"))] ?? "",
    status: statusOf(objectOf(span.get("Status"))?.get("Code")),
    ...timesOf(span.get("StartTime"), span.get("EndTime")),
    ...processOf(goAttributes(span.get("Resource"))),
    resource: null,
    attributes: goAttributes(span.get("Attributes")),
  };
}

/** µs, of which a double has fractions. */
export function nodeSpan(span: JsonObject): ParsedSpan {
  const duration = span.get("duration");
  const parent = objectOf(span.get("parentSpanContext"));
  return {
    trace: byteTrace(span.get("traceId"), "traceId"),
    id: byteId(span.get("id"), "id"),
    parent: byteId(parent?.get("spanId") ?? span.get("parentId"), "parentSpanContext.spanId"),
    name: textOf(span.get("name")),
    kind: NODE_KINDS[Number(integer(span.get("kind"), "kind"))] ?? "",
    status: Number(integer(objectOf(span.get("status"))?.get("code"), "code")),
    start: integer(span.get("timestamp"), "timestamp") * 1000n,
    duration: typeof duration === "number" ? BigInt(Math.round(duration * 1000)) : NOT_STATED,
    ...processOf(objectOf(objectOf(span.get("resource"))?.get("attributes")) ?? new Map()),
    resource: null,
    attributes: objectOf(span.get("attributes")) ?? new Map(),
  };
}

const JAVA_DATA = /^(?:\w+\{data=)?\{(.*?)\}(?:, capacity=\d+, totalAddedValues=\d+\})?$/;

/** The span of a line of Java's logging exporter, which has no times, no parent and no process; null of another. */
export function javaSpan(line: string): ParsedSpan | null {
  const found = JAVA_SPAN.exec(line);
  if (found === null) return null;
  const [, trace, id, kind = ""] = found;
  const name = line.slice(line.indexOf("'") + 1, found.index);
  const data = line.slice(line.indexOf("] ", found.index) + 2).trimEnd();
  // Values have no quotes: a comma ends one where a key and = follow it.
  const pairs = (JAVA_DATA.exec(data)?.[1] ?? "").split(/, (?=[\w.-]+=)/).map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1).replace(/^"(.*)"$/, "$1")] as const;
  });
  return {
    ...{ trace: BigInt(`0x${trace}`), id: BigInt(`0x${id}`), parent: 0n, name, kind: kind.toLowerCase(), status: 0 },
    ...{ start: 0n, duration: NOT_STATED, service: "", instance: "", resource: null },
    attributes: new Map(pairs.filter(([key]) => key !== "")),
  };
}

function timesOf(start: Json | undefined, end: Json | undefined): Pick<ParsedSpan, "start" | "duration"> {
  const [from, to] = [isoTime(start, "the start"), isoTime(end, "the end")];
  return { start: from, duration: to === 0n ? NOT_STATED : to - from };
}

const unprefixed = (id: Json | undefined) => (typeof id === "string" ? id.replace(/^0x/, "") : id);

/** A list of { "Key", "Value": { "Type", "Value" } }. */
function goAttributes(list: Json | undefined): Map<string, Json> {
  const pairs = listOf(list).flatMap((each) => objectOf(each) ?? []);
  return new Map(
    pairs.map((pair) => [plainText(pair.get("Key")), objectOf(pair.get("Value"))?.get("Value") ?? null] as const),
  );
}
