/**
 * Spans of Zipkin: an array of spans; times in µs, ids in hex. A client and its server may share a span: each reports a
 * half with the same id. In API v1 the annotations of a span say which halves it has, and one object may have both:
 *
 *   annotations        cs … cr of the client · sr … ss of the server · ms of a producer · mr of a consumer
 *   binaryAnnotations  tags · lc, with the endpoint of a span that is none of these · ca, sa, ma: the other side
 */
import * as SpanRow from "../../assembly/abi/rows/span-row.ts";
import type { Json, JsonObject } from "./json-value.ts";
import {
  hexId,
  hexTrace,
  integer,
  listOf,
  micros,
  microsLong,
  NOT_STATED,
  objectOf,
  type ParsedSpan,
  textOf,
} from "./span.ts";

/** Annotations of API v1 at the start and at the end of a half. */
const HALVES = [
  { kind: "client", starts: "cs", ends: "cr" },
  { kind: "server", starts: "sr", ends: "ss" },
  { kind: "producer", starts: "ms", ends: "ws" },
  { kind: "consumer", starts: "mr", ends: "" },
];
const ENDPOINTS = new Set(["lc", "ca", "sa", "ma"]);

/** The span of an object, or both halves that an object of API v1 may have. */
export function zipkinSpans(span: JsonObject): ParsedSpan[] {
  const notes = listOf(span.get("annotations")).flatMap((each) => objectOf(each) ?? []);
  const isFirstVersion = span.has("binaryAnnotations") || notes.some((note) => note.has("endpoint"));
  if (isFirstVersion) return halvesOf(span, notes);
  const kind = textOf(span.get("kind")).toLowerCase();
  return [parsed(span, kind, serviceIn(span.get("localEndpoint")), objectOf(span.get("tags")) ?? new Map())];
}

function halvesOf(span: JsonObject, notes: readonly JsonObject[]): ParsedSpan[] {
  const tags = listOf(span.get("binaryAnnotations")).flatMap((each) => objectOf(each) ?? []);
  const noteOf = (value: string) => notes.find((note) => note.get("value") === value);
  const halves = HALVES.flatMap(({ kind, starts, ends }) => {
    const [start, end] = [noteOf(starts), noteOf(ends)];
    const first = start ?? end;
    return first === undefined ? [] : [{ kind, first, start, end, service: serviceIn(first.get("endpoint")) }];
  });
  if (halves.length === 0) {
    const local = tags.find((tag) => tag.get("key") === "lc") ?? tags[0] ?? notes[0];
    return [parsed(span, "", serviceIn(local?.get("endpoint")), tagsOf(tags))];
  }
  const isTimed = integer(span.get("timestamp"), "timestamp") > 0n;
  return halves.map(({ kind, first, start, end, service }, i) => {
    const own = tags.filter((tag) => halves.length === 1 || serviceIn(tag.get("endpoint")) === service);
    const half = parsed(span, kind, service, tagsOf(own));
    // The times of the object are those of the half that began the span. A server that has none did not begin it.
    if (kind === "server" && (i > 0 || !isTimed)) half.side = SpanRow.SIDE_SHARED;
    const at = micros(first.get("timestamp"), "annotations.timestamp");
    const length = start && end ? micros(end.get("timestamp"), "annotations.timestamp") - at : NOT_STATED;
    if (i > 0 || !isTimed) half.start = at;
    if (i > 0 || half.duration <= 0n) half.duration = length;
    return half;
  });
}

function tagsOf(list: readonly JsonObject[]): Map<string, Json> {
  const tags = list.map((tag): [string, Json] => [textOf(tag.get("key")), tag.get("value") ?? null]);
  return new Map(tags.filter(([key]) => !ENDPOINTS.has(key)));
}

function serviceIn(endpoint: Json | undefined): string {
  return textOf(objectOf(endpoint)?.get("serviceName"));
}

function parsed(span: JsonObject, kind: string, service: string, tags: ReadonlyMap<string, Json>): ParsedSpan {
  return {
    trace: hexTrace(span.get("traceId"), "traceId"),
    id: hexId(span.get("id"), "id"),
    parent: hexId(span.get("parentId"), "parentId"),
    name: textOf(span.get("name")),
    service,
    resource: null,
    kind,
    ...(span.get("shared") === true && { side: SpanRow.SIDE_SHARED }),
    status: tags.has("error") ? 2 : 0,
    start: micros(span.get("timestamp"), "timestamp"),
    duration: microsLong(span.get("duration"), "duration"),
    instance: "",
    attributes: tags,
  };
}
