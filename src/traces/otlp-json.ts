/**
 * Spans of OTLP in JSON (opentelemetry/proto/trace/v1/trace.proto, with protobuf's mapping to JSON). As that mapping
 * demands, members may have the names of the .proto instead.
 */
import type { Json, JsonObject } from "./json-value.ts";
import { byteId, byteTrace, integer, listOf, objectOf, type ParsedSpan, plainText, textOf } from "./span.ts";

/** Names of the members of Span.SpanKind, by number. */
export const KINDS: readonly string[] = ["", "internal", "server", "client", "producer", "consumer"];
const STATUS = new Map<Json | undefined, number>([
  [1, 1],
  [2, 2],
  ["STATUS_CODE_OK", 1],
  ["STATUS_CODE_ERROR", 2],
]);

/** A Span; its service and instance are those of the resource. */
export function otlpSpan(span: JsonObject): ParsedSpan {
  const start = integer(span.get("startTimeUnixNano") ?? span.get("start_time_unix_nano"), "startTimeUnixNano");
  return {
    trace: byteTrace(span.get("traceId") ?? span.get("trace_id"), "traceId"),
    id: byteId(span.get("spanId") ?? span.get("span_id"), "spanId"),
    parent: byteId(span.get("parentSpanId") ?? span.get("parent_span_id"), "parentSpanId"),
    name: textOf(span.get("name")),
    service: "",
    resource: null,
    kind: kindOf(span.get("kind")),
    status: STATUS.get(objectOf(span.get("status"))?.get("code")) ?? 0,
    start,
    duration: integer(span.get("endTimeUnixNano") ?? span.get("end_time_unix_nano"), "endTimeUnixNano") - start,
    instance: "",
    attributes: keyValues(span.get("attributes")),
  };
}

function kindOf(kind: Json | undefined): string {
  if (typeof kind === "number") return KINDS[kind] ?? "";
  const name = textOf(kind)
    .replace(/^SPAN_KIND_/, "")
    .toLowerCase();
  return name === "unspecified" ? "" : name;
}

/** Attributes as a list of KeyValue. */
export function keyValues(list: Json | undefined): Map<string, Json> {
  const attributes = new Map<string, Json>();
  for (const item of listOf(list)) {
    const pair = objectOf(item);
    if (pair !== undefined) attributes.set(textOf(pair.get("key")), anyValue(pair.get("value")));
  }
  return attributes;
}

/** An AnyValue: integers are texts in JSON. */
function anyValue(value: Json | undefined): Json {
  const [member] = objectOf(value) ?? [];
  if (member === undefined) return null;
  const [kind, content] = member;
  if ((kind === "intValue" || kind === "int_value") && typeof content === "string" && /^-?\d{1,19}$/.test(content))
    return BigInt(content);
  if (kind === "arrayValue" || kind === "array_value") return listOf(objectOf(content)?.get("values")).map(anyValue);
  if (kind === "kvlistValue" || kind === "kvlist_value") return keyValues(objectOf(content)?.get("values"));
  return content;
}

/** Service and instance of a Resource. */
export function processOf(attributes: ReadonlyMap<string, Json>): { service: string; instance: string } {
  return {
    service: plainText(attributes.get("service.name")),
    instance: plainText(attributes.get("service.instance.id")) || plainText(attributes.get("runtime-id")),
  };
}
