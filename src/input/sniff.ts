/** Detection of a file's format by its first bytes; names and extensions are not trusted. */
import { startsWith } from "../bytes/byte-order-mark.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import type { Packing } from "../bytes/unpack.ts";
import { isUnusualMessage } from "../otlp/sniff.ts";
import { LOGS_HEAD_BYTES, logsForm } from "../otlp/sniff-logs.ts";
import { isTraceMessage, isTraceText, TRACE, TRACE_HEAD_BYTES } from "../otlp/sniff-trace.ts";
import { type Container, FOREIGN, FORMATS, type Known, PACKINGS } from "./formats.ts";
import { isUnusualPprof } from "./pprof-shape.ts";

export type Sniffed =
  | Known
  | { kind: Packing | Container }
  /** `what` completes "this is …". */
  | { kind: "foreign"; what: string };

/** Number of first bytes that are checked. */
export const HEAD_BYTES = 64;

/** The same for messages that begin with something else than their usual fields. */
const UNUSUAL_HEAD_BYTES = 1 << 16;

/** Formats that are foreign but could be a damaged message. */
export const EMPTY = "empty";
export const JSON_TEXT = "JSON";
export const UNKNOWN = "of an unknown format";

/** No byte is a control character. */
function isTextual(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}

/** `head`: the first bytes of the file, HEAD_BYTES are plenty. */
export function sniff(head: Uint8Array): Sniffed {
  for (const { kind, isIn } of PACKINGS) if (isIn(head)) return { kind };
  for (const { magic, what } of FOREIGN) if (startsWith(head, magic)) return { kind: "foreign", what };
  if (head.length === 0) return { kind: "foreign", what: EMPTY };
  const isText = isTextual(head);
  for (const format of FORMATS) {
    const known = format.known(head, isText);
    if (known !== null) return known;
  }
  // After the formats, because a single character that identifies a text may be a length in any of them.
  const first = head.find((byte) => byte > 32);
  if (first === 0x7b || first === 0x5b) return { kind: "foreign", what: JSON_TEXT };
  if (first === 0x3c) return { kind: "foreign", what: "HTML or XML" };
  return { kind: "foreign", what: isText ? "plain text" : UNKNOWN };
}

/** The same for a source with these first bytes. A text of unknown format is checked line by line. */
export async function sniffSource(source: ByteSource, head: Uint8Array): Promise<Sniffed> {
  const sniffed = sniff(head);
  if (await isTrace(source, head, sniffed)) return { kind: "foreign", what: TRACE };
  const logs = await logsIn(source, head, sniffed);
  if (logs !== null) return logs;
  if (sniffed.kind === "foreign" && sniffed.what === UNKNOWN) {
    const longer = head.length < HEAD_BYTES ? head : await source.slice(0, UNUSUAL_HEAD_BYTES);
    if (isUnusualPprof(longer)) return { kind: "pprof" };
    if (isUnusualMessage(longer)) return { kind: "otlp", form: "protobuf" };
  }
  // Names in a text may have control characters.
  if (sniffed.kind !== "foreign" || head.length === 0 || head.includes(0)) return sniffed;
  for (const { kind, knownByLines } of FORMATS) {
    if (kind !== "otlp" && kind !== "logs" && knownByLines !== undefined && (await knownByLines(source)))
      return { kind };
  }
  return sniffed;
}

/** A message of spans has the shape of one of profiles, as far as a short head shows. */
async function isTrace(source: ByteSource, head: Uint8Array, sniffed: Sniffed): Promise<boolean> {
  const isJson = sniffed.kind === "foreign" && sniffed.what === JSON_TEXT;
  const isMessage = sniffed.kind === "otlp" && sniffed.form !== "json";
  const mayBe = isJson || isMessage || (sniffed.kind === "foreign" && sniffed.what === UNKNOWN);
  if (!mayBe || head.length === 0) return false;
  const longer = head.length < HEAD_BYTES ? head : await source.slice(0, TRACE_HEAD_BYTES);
  return isJson ? isTraceText(longer) : isTraceMessage(longer);
}

/** The same of logs. */
async function logsIn(source: ByteSource, head: Uint8Array, sniffed: Sniffed): Promise<Sniffed | null> {
  const mayBe =
    (sniffed.kind === "otlp" && sniffed.form !== "json") || (sniffed.kind === "foreign" && !isTextual(head));
  if (!mayBe || head.length === 0) return null;
  const form = logsForm(head.length < HEAD_BYTES ? head : await source.slice(0, LOGS_HEAD_BYTES));
  return form === null ? null : { kind: "logs", form };
}
