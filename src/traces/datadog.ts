/**
 * Spans of the payload that Datadog's tracers send to their agent: arrays of spans, ids decimals of 64 bits. The upper
 * half of a trace id is `_dd.p.tid` of one of its spans; that span's row has it, and the tree gives it to all.
 */
import type { Json, JsonObject } from "./json-value.ts";
import {
  decimalId,
  integer,
  NOT_STATED,
  objectOf,
  type ParsedSpan,
  plainText,
  SpanFault,
  sideOf,
  textOf,
} from "./span.ts";

/** Kinds of spans by their type, for tracers that state no kind. */
const KIND_OF = new Map([
  ["http", "client"],
  ["web", "server"],
]);
const UPPER_HALF = /^[0-9a-fA-F]{1,16}$/;

export function datadogSpan(span: JsonObject): ParsedSpan {
  const meta = objectOf(span.get("meta"));
  const attributes = new Map<string, Json>([...(meta ?? []), ...(objectOf(span.get("metrics")) ?? [])]);
  const kind = plainText(attributes.get("span.kind")).toLowerCase();
  return {
    trace: traceOf(span),
    id: decimalId(span.get("span_id"), "span_id"),
    parent: decimalId(span.get("parent_id"), "parent_id"),
    name: textOf(span.get("name")),
    service: textOf(span.get("service")),
    resource: typeof span.get("resource") === "string" ? textOf(span.get("resource")) : null,
    kind,
    side: sideOf(kind || (KIND_OF.get(textOf(span.get("type"))) ?? "")),
    status: span.get("error") === 1 ? 2 : 0,
    start: integer(span.get("start"), "start"),
    duration: span.has("duration") ? integer(span.get("duration"), "duration") : NOT_STATED,
    instance: "",
    attributes,
  };
}

/** The id of a trace that a span states in full; 0n where a half of it is missing or damaged. */
export function statedTrace(span: JsonObject): bigint {
  try {
    const trace = traceOf(span);
    return trace >> 64n === 0n ? 0n : trace;
  } catch (error) {
    if (!(error instanceof SpanFault)) throw error;
    return 0n;
  }
}

function traceOf(span: JsonObject): bigint {
  const upper = textOf(objectOf(span.get("meta"))?.get("_dd.p.tid"));
  const high = UPPER_HALF.test(upper) ? BigInt(`0x${upper}`) : 0n;
  return (high << 64n) | decimalId(span.get("trace_id"), "trace_id");
}
