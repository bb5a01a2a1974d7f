/**
 * Spans of Zipkin's API v2: an array of spans; times in µs, ids in hex. A client and its server may share a span: each
 * reports a half with the same id.
 */
import * as SpanRow from "../../assembly/abi/rows/span-row.ts";
import type { JsonObject } from "./json-value.ts";
import { hexId, hexTrace, micros, objectOf, type ParsedSpan, textOf } from "./span.ts";

const SIDES = new Map([
  ["CLIENT", SpanRow.SIDE_CLIENT],
  ["SERVER", SpanRow.SIDE_SERVER],
]);

export function zipkinSpan(span: JsonObject): ParsedSpan {
  const tags = objectOf(span.get("tags")) ?? new Map();
  return {
    trace: hexTrace(span.get("traceId"), "traceId"),
    id: hexId(span.get("id"), "id"),
    parent: hexId(span.get("parentId"), "parentId"),
    name: textOf(span.get("name")),
    service: textOf(objectOf(span.get("localEndpoint"))?.get("serviceName")),
    resource: null,
    kind: textOf(span.get("kind")).toLowerCase(),
    side: span.get("shared") === true ? SpanRow.SIDE_SHARED : (SIDES.get(textOf(span.get("kind")).toUpperCase()) ?? 0),
    status: tags.has("error") ? 2 : 0,
    start: micros(span.get("timestamp"), "timestamp"),
    duration: micros(span.get("duration"), "duration"),
    instance: "",
    attributes: tags,
  };
}
