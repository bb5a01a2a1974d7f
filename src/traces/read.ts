/** Reads a trace file into the table of spans: told by content, compressed or not, in pieces. */

import { BYTE_ORDER_MARK, startsWith } from "../bytes/byte-order-mark.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { drive, LONGEST_VALUE, type Steps, Window } from "../bytes/window.ts";
import type { Diagnostic } from "../core/types.ts";
import { type Opened, opened } from "../input/classify.ts";
import { JsonText, OPEN_ARRAY, OPEN_OBJECT } from "../otlp/json-text.ts";
import { isTraceMsgpack } from "../otlp/sniff-trace.ts";
import { Findings, type TraceFormat } from "./findings.ts";
import { JsonFile } from "./json-file.ts";
import { ProtobufFile, protobufForm } from "./otlp-protobuf.ts";
import { SpanRows, type SpanStore, SpansFull } from "./rows.ts";

export interface TraceFile {
  name: string;
  /** Null for a file of no trace format. */
  format: TraceFormat | null;
  /** Spans that were read; a file without a span is no trace file. */
  spans: number;
  diagnostics: Diagnostic[];
}

/** Bytes by which a message of protobuf is recognised. */
const HEAD_BYTES = 4096;
const JSON_START = /^\ufeff?\s*(?:\{\s*["}]|\[\s*["{[\]])/;
/** Spans that a file may have in any case, and beyond those its bytes for each. A compressed span has ten or more. */
const FREE_SPANS = 2 ** 17;
const BYTES_PER_SPAN = 2;

/**
 * Reads all spans of a file into `store`. `number` is that of the file, from 1 on. A damaged file gives the spans that
 * are sound, and diagnostics; this function does not throw for what a file contains.
 */
export async function readTraceFile(
  name: string,
  file: ByteSource | Opened,
  store: SpanStore,
  number: number,
  rest?: () => Promise<void>,
): Promise<TraceFile> {
  const findings = new Findings(name);
  const { input, source, packings } = "packings" in file ? file : await opened(file, rest);
  const rows = new SpanRows(store, number, () => Math.max(FREE_SPANS, input.byteLength / BYTES_PER_SPAN));
  const window = new Window(source);
  await window.wait(HEAD_BYTES);
  const format = await readWindow(window, rows, findings);
  rows.flush();
  for (const { stream } of packings) {
    const { fault, byteLength } = stream;
    if (fault !== null) findings.note("trace.packing", `${fault}; ${rows.count} spans before were read`, byteLength);
  }
  await input.inspect();
  for (const { message, offset } of input.faults) findings.note("trace.unreadable", message, offset);
  if (rows.isFull) {
    const size = `of this file of ${input.byteLength} bytes`;
    findings.note("trace.full", `no room for more spans after ${rows.count} ${size}; reading stopped`);
  }
  if (format === null)
    findings.note("trace.format", "this is no trace file of OTLP, Jaeger, Zipkin or Datadog, and no log with spans");
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
    await untilFull(new ProtobufFile(window, rows, findings).read(form), window);
    return "otlp";
  }
  if (isTraceMsgpack(head)) return readMessagePack(window, rows, findings);
  if (head.includes(0)) return null;
  const isLog = !JSON_START.test(new TextDecoder().decode(head));
  const reader = new JsonFile(new JsonText(window), rows, findings, isLog);
  await untilFull(reader.read(), window);
  return reader.format;
}

/** Most traces are not in msgpack: the code for it is fetched when one is. */
async function readMessagePack(window: Window, rows: SpanRows, findings: Findings): Promise<TraceFormat> {
  try {
    if (await window.wait(LONGEST_VALUE)) throw new Error(`a message of more than ${LONGEST_VALUE} bytes`);
    const { readMsgpack } = await import("./msgpack.ts");
    readMsgpack(window.rest(), rows, findings);
  } catch (error) {
    if (!(error instanceof SpansFull))
      findings.note("trace.damaged", `msgpack: ${(error as Error).message}; ${rows.count} spans before were read`);
  }
  return "datadog";
}

/** Runs a reader to its end, or until there is no room for another span. */
async function untilFull(reader: Steps, window: Window): Promise<void> {
  try {
    await drive(reader, window);
  } catch (error) {
    if (!(error instanceof SpansFull)) throw error;
  }
}

/** The first character that is neither white space nor a byte order mark. */
function firstOf(head: Uint8Array): number | undefined {
  const start = startsWith(head, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  return head.subarray(start).find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
}

const isBracket = (byte: number | undefined) => byte === OPEN_OBJECT || byte === OPEN_ARRAY;
