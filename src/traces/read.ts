/** Reads a trace file into the table of spans: told by content, compressed or not, in pieces. */

import { BYTE_ORDER_MARK, startsWith } from "../bytes/byte-order-mark.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { InputSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { Packing } from "../bytes/unpack.ts";
import { drive, Window } from "../bytes/window.ts";
import type { Diagnostic } from "../core/types.ts";
import { PACKINGS } from "../input/formats.ts";
import { JsonText, OPEN_ARRAY, OPEN_OBJECT } from "../otlp/json-text.ts";
import { Findings, type TraceFormat } from "./findings.ts";
import { JsonFile } from "./json-file.ts";
import { ProtobufFile, protobufForm } from "./otlp-protobuf.ts";
import { SpanRows, type SpanStore } from "./rows.ts";

export interface TraceFile {
  name: string;
  /** Null for a file of no trace format. */
  format: TraceFormat | null;
  /** Spans that were read; a file without a span is no trace file. */
  spans: number;
  diagnostics: Diagnostic[];
}

/** Compressions around each other; more are a trap. */
const LAYERS = 3;
/** Bytes by which a message of protobuf is recognised. */
const HEAD_BYTES = 4096;

/**
 * Reads all spans of a file into `store`. `number` is that of the file, from 1 on. A damaged file gives the spans that
 * are sound, and diagnostics; this function does not throw for what a file contains.
 */
export async function readTraceFile(
  name: string,
  file: ByteSource,
  store: SpanStore,
  number: number,
  rest?: () => Promise<void>,
): Promise<TraceFile> {
  const findings = new Findings(name);
  const rows = new SpanRows(store, number);
  const input = new InputSource(file, rest);
  const { source, packings } = await unwrapped(input);
  const window = new Window(source);
  await window.wait(HEAD_BYTES);
  const format = await readWindow(window, rows, findings);
  rows.flush();
  for (const { fault, byteLength } of packings) {
    if (fault !== null) findings.note("trace.packing", `${fault}; ${rows.count} spans before were read`, byteLength);
  }
  await input.inspect();
  for (const { message, offset } of input.faults) findings.note("trace.unreadable", message, offset);
  if (rows.isFull) findings.note("trace.full", `the table of spans is full after ${rows.count} spans of this file`);
  if (format === null) findings.note("trace.format", "this is no trace file of OTLP, Jaeger, Zipkin or Datadog");
  else if (rows.count === 0) findings.note("trace.empty", "this trace file contains no span");
  findings.end();
  return { name, format, spans: rows.count, diagnostics: findings.list };
}

async function readWindow(window: Window, rows: SpanRows, findings: Findings): Promise<TraceFormat | null> {
  const head = window.rest();
  const first = firstOf(head);
  // White space before JSON may also be the first tag of a message, and the bracket its length.
  const form = first === head[0] && isBracket(first) ? null : protobufForm(head, !isBracket(first));
  if (form !== null) {
    await drive(new ProtobufFile(window, rows, findings).read(form), window);
    return "otlp";
  }
  if (!isBracket(first)) return null;
  const reader = new JsonFile(new JsonText(window), rows, findings);
  await drive(reader.read(), window);
  return reader.format;
}

/** The first character that is neither white space nor a byte order mark. */
function firstOf(head: Uint8Array): number | undefined {
  const start = startsWith(head, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  return head.subarray(start).find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
}

const isBracket = (byte: number | undefined) => byte === OPEN_OBJECT || byte === OPEN_ARRAY;

/** Takes compressions off. */
async function unwrapped(file: ByteSource): Promise<{ source: ByteSource; packings: StreamSource[] }> {
  const expansion = new Expansion(file);
  const packings: StreamSource[] = [];
  let source: ByteSource = file;
  while (packings.length < LAYERS) {
    const head = await source.slice(0, 64);
    const packing = PACKINGS.find(({ kind, isIn }) => kind !== "zip" && kind !== "multipart" && isIn(head))?.kind;
    if (packing === undefined) break;
    const stream = (await import("../bytes/unpack.ts")).unpacked(packing as Packing, source, expansion);
    packings.push(stream);
    source = stream;
  }
  return { source, packings };
}
