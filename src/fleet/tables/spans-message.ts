/** Spans of a data set as a message of OTLP traces (`TracesData` of trace/v1), which the page opens as a trace file. */
import { WireWriter } from "../../bytes/wire-writer.ts";
import { TAGS } from "../../otlp/tags.ts";

/** A row of the table of spans. Ids are signed, 0 for none; times are nanoseconds since 1970, 0 for none. */
export interface SpanRow {
  trace: Uint8Array | null;
  id: bigint;
  parent: bigint;
  service: string | null;
  name: string | null;
  kind: string | null;
  status: string | null;
  thread: string | null;
  start: bigint;
  end: bigint;
  /** It is of a trace file, and not of a recording. */
  isOfFile: boolean;
}

const { AnyValue, KeyValue, Resource } = TAGS;
/** Tags of trace/v1: of TracesData, ResourceSpans, ScopeSpans, Span and Status. */
const RESOURCE_SPANS = 0x0a;
const ResourceSpans = { resource: 0x0a, scope_spans: 0x12 };
const SCOPE_SPANS = 0x12;
const Span = {
  ...{ trace_id: 0x0a, span_id: 0x12, parent_span_id: 0x22, name: 0x2a, kind: 0x30 },
  ...{ start_time_unix_nano: 0x39, end_time_unix_nano: 0x41, attributes: 0x4a, status: 0x7a },
};
const STATUS_CODE = 0x18;

/** By their numbers in OTLP. */
const KINDS = ["", "internal", "server", "client", "producer", "consumer"];
const STATUSES = ["", "ok", "error"];

/** Each span once: that of a trace file rather than that of a recording. */
export function eachOnce(spans: readonly SpanRow[]): SpanRow[] {
  const found = new Map<bigint, SpanRow>();
  for (const span of spans)
    if (!found.has(span.id) || (span.isOfFile && !found.get(span.id)!.isOfFile)) found.set(span.id, span);
  return [...found.values()];
}

/** Null if there is nothing to write. Spans of a service are a Resource. */
export function tracesMessage(spans: readonly SpanRow[]): Uint8Array<ArrayBuffer> | null {
  const named = spans.filter(({ trace }) => trace !== null);
  if (named.length === 0) return null;
  const to = new WireWriter();
  for (const service of new Set(named.map((span) => span.service))) {
    to.message(RESOURCE_SPANS, () => {
      if (service !== null)
        to.message(ResourceSpans.resource, () => putAttribute(to, Resource.attributes, "service.name", service));
      to.message(ResourceSpans.scope_spans, () => {
        for (const span of named) if (span.service === service) to.message(SCOPE_SPANS, () => putSpan(to, span));
      });
    });
  }
  return to.taken();
}

function putSpan(to: WireWriter, { trace, id, parent, name, kind, status, thread, start, end }: SpanRow): void {
  to.delimited(Span.trace_id, trace!);
  to.delimited(Span.span_id, bigEndian(id));
  if (parent !== 0n) to.delimited(Span.parent_span_id, bigEndian(parent));
  if (name !== null) to.text(Span.name, name);
  to.field(Span.kind, Math.max(0, KINDS.indexOf(kind ?? "")));
  if (start !== 0n) {
    to.fixed(Span.start_time_unix_nano, start);
    to.fixed(Span.end_time_unix_nano, end);
  }
  if (thread !== null) putAttribute(to, Span.attributes, "thread.name", thread);
  const code = STATUSES.indexOf(status ?? "");
  if (code > 0) to.message(Span.status, () => to.field(STATUS_CODE, code));
}

/** A KeyValue whose value is a text. */
export function putAttribute(to: WireWriter, tag: number, key: string, value: string): void {
  to.message(tag, () => {
    to.text(KeyValue.key, key);
    to.message(KeyValue.value, () => to.text(AnyValue.string_value, value));
  });
}

/** Numbers of 64 bits one after the other: ids, and halves of them. */
export function bigEndian(...longs: bigint[]): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(8 * longs.length));
  for (const [i, long] of longs.entries()) bytes.setBigUint64(8 * i, BigInt.asUintN(64, long));
  return new Uint8Array(bytes.buffer);
}
