/**
 * Detection of trace files by their first bytes, to distinguish them from profiles and to read them beside a recording.
 * In protobuf the resource, the scope and the first span precede each other:
 *
 *   TracesData     0a len ResourceSpans
 *   ResourceSpans  0a len resource, 12 len ScopeSpans
 *   ScopeSpans     0a len scope, 12 len Span
 *   Span           0a 10 trace id, 12 08 span id
 *
 * In JSON it is the keys that count, as OTLP, Jaeger, Zipkin and Datadog name them.
 */
import { Varint } from "../bytes/protobuf.ts";
import { FRAME_HEAD_BYTES, frameHead } from "./framing.ts";

/** Number of first bytes that are checked: a resource has room in them. */
export const TRACE_HEAD_BYTES = 4096;

const FIRST = 0x0a;
const SECOND = 0x12;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
/** Messages around a span below TracesData: ResourceSpans and ScopeSpans. */
const AROUND = 2;

const JSON_KEYS =
  /"(?:resourceSpans|resource_spans|batches|scopeSpans|instrumentationLibrarySpans|traceID|traceId|trace_id|spanID|span_id)"\s*:/;
const PROFILE_KEYS = /"(?:resourceProfiles|resource_profiles|stackTable|stack_table)"\s*:/;

/** Whether a text is JSON with spans. `head`: its first TRACE_HEAD_BYTES, or all of it. */
export function isTraceText(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\ufeff?\s*[[{]/.test(text) && JSON_KEYS.test(text) && !PROFILE_KEYS.test(text);
}

/** Whether a message is one of spans, bare or after its length. False if its first span is beyond `head`. */
export function isTraceMessage(head: Uint8Array): boolean {
  if (beginsWithSpan(head, 0)) return true;
  const frame = head.length < FRAME_HEAD_BYTES ? null : frameHead("frames", head);
  return frame !== null && beginsWithSpan(head, frame.bytes);
}

function beginsWithSpan(head: Uint8Array, start: number): boolean {
  const length = new Varint();
  let at = start;
  /** Skips the tag and the length of a field. */
  const enter = (tag: number): boolean => {
    if (head[at] !== tag) return false;
    at = length.read(head, at + 1, head.length);
    return at > 0;
  };
  if (!enter(FIRST)) return false;
  for (let level = 0; level < AROUND; level++) {
    // Resource or scope, which may be missing.
    if (head[at] === FIRST) {
      if (!enter(FIRST)) return false;
      at += length.value;
    }
    if (!enter(SECOND)) return false;
  }
  if (head[at] !== FIRST || head[at + 1] !== TRACE_ID_BYTES) return false;
  at += 2 + TRACE_ID_BYTES;
  return head[at] === SECOND && head[at + 1] === SPAN_ID_BYTES;
}
