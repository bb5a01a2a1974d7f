/**
 * Detection of messages whose first bytes are those of several kinds, or of no kind: unknown fields, samples or a
 * dictionary may precede the other fields. Each kind is compared with a longer head.
 */
import { FIXED32 } from "../bytes/protobuf.ts";
import { bytesOf, fitOf } from "../bytes/protobuf-fit.ts";
import { F64, L, type Message, V } from "../bytes/protobuf-shape.ts";
import { frameHead } from "./framing.ts";
import { PROFILES_DATA } from "./sniff.ts";

/** Number of first bytes that are compared. */
export const MESSAGE_HEAD_BYTES = 1 << 16;

const SCOPE: Message = [null, L, L, L, V];
const RESOURCE: Message = [null, L, V, L];
/** Field instrumentation_library_spans of ResourceSpans, which has the same fields inside. */
export const FORMER_SCOPES = 1000;

/** TracesData, with these ids in its spans. */
function tracesWith(traceId: number, spanId: number): Message {
  const span: Message = [null, traceId, spanId, L, L, L, V, F64, F64, L, V, L, V, L, V, L, FIXED32];
  const scopeSpans: Message = [null, SCOPE, span, L];
  return [null, Object.assign([null, RESOURCE, scopeSpans, L], { [FORMER_SCOPES]: scopeSpans })];
}

export const TRACES_DATA = tracesWith(L, L);
const [TRACE_ID, SPAN_ID] = [bytesOf(16), bytesOf(8)];
/** Ids of other lengths are names of metrics. */
const SURE_TRACES = tracesWith(TRACE_ID, SPAN_ID);
const RECORD: Message = [null, F64, V, L, null, L, L, V, FIXED32, TRACE_ID, SPAN_ID, F64, L];
const LOGS_DATA: Message = [null, [null, RESOURCE, [null, SCOPE, RECORD, L], L]];

/** How well the bytes fit each kind, from 0 to 1, in this form. */
export interface Fits {
  form: "protobuf" | "frames";
  profiles: number;
  logs: number;
  traces: number;
}

export function fitsOf(head: Uint8Array): Fits {
  // No tag begins with a zero, as lengths below 16 MiB do. Others are tags rather than lengths.
  const first = head[0] === 0 ? frameHead("frames", head) : null;
  const [start, end] = first === null ? [0, Number.POSITIVE_INFINITY] : [first.bytes, first.bytes + first.length];
  const [profiles, logs, traces] = [PROFILES_DATA, LOGS_DATA, SURE_TRACES].map((shape) => {
    return fitOf(shape, head, start, end);
  }) as [number, number, number];
  return { form: first === null ? "protobuf" : "frames", profiles, logs, traces };
}
