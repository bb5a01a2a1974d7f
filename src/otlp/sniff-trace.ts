/**
 * Detection of trace files by their first bytes, to distinguish them from profiles and to read them beside a recording.
 * In protobuf the resource, the scope and the first span precede each other:
 *
 *   TracesData     0a len ResourceSpans
 *   ResourceSpans  0a len resource, 12 len ScopeSpans
 *   ScopeSpans     0a len scope, 12 len Span
 *   Span           0a 10 trace id, 12 08 span id
 *
 * In Datadog's msgpack an array of traces is an array of objects with texts as keys (v0.4), or follows an array of
 * texts (v0.5). In JSON it is the keys that count, as OTLP, Jaeger, Zipkin and Datadog name them. A log is a trace file
 * if a span is printed among its first lines.
 */
import { formOf } from "./sniff-logs.ts";

/** Number of first bytes that are checked: a resource has room in them. */
export const TRACE_HEAD_BYTES = 4096;

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

const JSON_KEYS =
  /"(?:resourceSpans|resource_spans|batches|scopeSpans|instrumentationLibrarySpans|TraceID|traceID|traceId|trace_id|spanID|span_id)"\s*:/;
const PROFILE_KEYS = /"(?:resourceProfiles|resource_profiles|stackTable|stack_table)"\s*:/;

/** Number of first bytes of a log that are checked: a service prints a lot before its first request. */
export const LOG_HEAD_BYTES = 1 << 18;

/** First members of a span in JSON: of OTLP, as Python's SDK prints it, and Go's. */
export const JSON_SPAN =
  /"(?:resourceSpans|scopeSpans)"\s*:\s*\[|"name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"context"\s*:\s*\{\s*"trace_id"\s*:|"Name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"SpanContext"\s*:\s*\{/;
const NODE_SPAN = /^ {2}traceId: '[0-9a-f]{32}',\r?$/m;
/** In a line of Java's logging exporter: trace, span and kind. */
export const JAVA_SPAN = /' : ([0-9a-f]{32}) ([0-9a-f]{16}) (INTERNAL|SERVER|CLIENT|PRODUCER|CONSUMER) \[tracer: /;

/** Whether a text is a log in which spans are printed. `head`: its first LOG_HEAD_BYTES, or all of it. */
export function isTraceLog(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return !PROFILE_KEYS.test(text) && [JSON_SPAN, NODE_SPAN, JAVA_SPAN].some((span) => span.test(text));
}

/** Members of a record of a log, which no span has at its top. */
const LOG_KEYS = ["level", "log.level", "levelname", "severity", "severityText", "msg", "message", "@timestamp"];

/** Whether an object is a record of a log: it may have the ids of a span. `has`: whether it has a member. */
export function isLogRecord(has: (key: string) => boolean): boolean {
  return LOG_KEYS.some(has);
}

/** Whether a text is JSON with spans. `head`: its first TRACE_HEAD_BYTES, or all of it. */
export function isTraceText(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\ufeff?\s*[[{]/.test(text) && JSON_KEYS.test(text) && !PROFILE_KEYS.test(text) && !isLogText(text);
}

/** Whether the first line of a text is a record of a log in JSON. */
function isLogText(text: string): boolean {
  const [first = ""] = text.trimStart().split("\n", 1);
  try {
    const object: object = JSON.parse(first) ?? {};
    return isLogRecord((key) => Object.hasOwn(object, key));
  } catch {
    return false;
  }
}

/** Whether a message is one of spans, bare or after its length. False if its first span is beyond `head`. */
export function isTraceMessage(head: Uint8Array): boolean {
  const isSpan = (at: number) => {
    const id = at + 2 + TRACE_ID_BYTES;
    return head[at] === 0x0a && head[at + 1] === TRACE_ID_BYTES && head[id] === 0x12 && head[id + 1] === SPAN_ID_BYTES;
  };
  return formOf(head, isSpan) !== null;
}

/** Whether bytes are spans in msgpack, as Datadog's tracers send them. */
export function isTraceMsgpack(head: Uint8Array): boolean {
  const inArray = afterHead(head, 0, 0x90, 0xdc);
  const inside = inArray < 0 ? -1 : afterHead(head, inArray, 0x90, 0xdc);
  if (inside < 0) return false;
  const inSpan = afterHead(head, inside, 0x80, 0xde);
  return inSpan < 0 ? head[0] === 0x92 && isText(head[inside]) : isText(head[inSpan]);
}

/** The place after the head of an array or an object; −1 where there is none. */
function afterHead(head: Uint8Array, at: number, short: number, long: number): number {
  const first = head[at] ?? 0;
  if (first > short && first <= short + 15) return at + 1;
  if (first !== long && first !== long + 1) return -1;
  return at + (first === long ? 3 : 5);
}

function isText(first = 0): boolean {
  return (first >= 0xa0 && first <= 0xbf) || (first >= 0xd9 && first <= 0xdb);
}
