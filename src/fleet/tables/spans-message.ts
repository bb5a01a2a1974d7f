/** Spans of a data set as a message of OTLP traces (`TracesData` of trace/v1), which the page opens as a trace file. */
import { Bytes } from "./protobuf-bytes.ts";

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
  const message = new Bytes();
  for (const service of new Set(named.map((span) => span.service))) {
    message.message(1, (resourceSpans) => {
      if (service !== null) resourceSpans.message(1, (resource) => attribute(resource, 1, "service.name", service));
      resourceSpans.message(2, (scope) => {
        for (const span of named) if (span.service === service) scope.message(2, (bytes) => writeSpan(bytes, span));
      });
    });
  }
  return message.taken();
}

function writeSpan(bytes: Bytes, { trace, id, parent, name, kind, status, thread, start, end }: SpanRow): void {
  bytes.delimited(1, trace!);
  bytes.delimited(2, bigEndian(id));
  if (parent !== 0n) bytes.delimited(4, bigEndian(parent));
  if (name !== null) bytes.text(5, name);
  bytes.number(6, Math.max(0, KINDS.indexOf(kind ?? "")));
  if (start !== 0n) {
    bytes.fixed64(7, start);
    bytes.fixed64(8, end);
  }
  if (thread !== null) attribute(bytes, 9, "thread.name", thread);
  const code = STATUSES.indexOf(status ?? "");
  if (code > 0) bytes.message(15, (inner) => inner.number(3, code));
}

function attribute(bytes: Bytes, field: number, key: string, value: string): void {
  bytes.message(field, (pair) => {
    pair.text(1, key);
    pair.message(2, (any) => any.text(1, value));
  });
}

export function bigEndian(id: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, id));
  return bytes;
}
