/**
 * Detection by more than the first bytes: they are those of several kinds of messages, or of no kind, where unknown
 * fields, samples or a dictionary precede the other fields. A text of unknown format is checked line by line.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { fitOf } from "../bytes/protobuf-fit.ts";
import { fitsOf, MESSAGE_HEAD_BYTES } from "../otlp/message-fit.ts";
import { LOGS_HEAD_BYTES, logsForm } from "../otlp/sniff-logs.ts";
import {
  isTraceLog,
  isTraceMessage,
  isTraceMsgpack,
  isTraceText,
  LOG_HEAD_BYTES,
  TRACE_HEAD_BYTES,
} from "../otlp/sniff-trace.ts";
import { FORMATS } from "./formats.ts";
import { headOf, otherFormatOf } from "./others/detect.ts";
import { notRead } from "./others/instead.ts";
import { PPROF } from "./pprof-shape.ts";
import { EMPTY, HEAD_BYTES, isTextual, JSON_TEXT, type Sniffed, TRACE, UNKNOWN } from "./sniffed.ts";

/** `sniffed`: by the first bytes, `head`. */
export async function sniffFurther(source: ByteSource, head: Uint8Array, sniffed: Sniffed): Promise<Sniffed> {
  if (sniffed.kind === "foreign" && sniffed.what !== EMPTY) {
    const looked = await headOf(source);
    const known = otherFormatOf(looked);
    if (known !== null) return { kind: known };
    const foreign = notRead(looked.head, looked.text);
    if (foreign !== null) return { kind: "foreign", what: foreign.what, instead: foreign.instead };
  }
  if (await isTrace(source, head, sniffed)) return TRACE;
  const logs = await logsIn(source, head, sniffed);
  const message = (await bestFit(source, head, logs ?? sniffed)) ?? logs;
  if (message !== null) return message;
  // Names in a text may have control characters.
  if (sniffed.kind !== "foreign" || head.includes(0)) return sniffed;
  if (isTraceLog(await source.slice(0, LOG_HEAD_BYTES))) return TRACE;
  for (const [kind, { knownByLines }] of Object.entries(FORMATS))
    if (knownByLines !== undefined && (await knownByLines(source))) return { kind } as Sniffed;
  return sniffed;
}

/** The message that more bytes fit better than what the first ones show; null if there is none. */
async function bestFit(source: ByteSource, head: Uint8Array, sniffed: Sniffed): Promise<Sniffed | null> {
  const isForm = "form" in sniffed ? ["protobuf", "frames"].includes(sniffed.form) : sniffed.kind === "pprof";
  if (!isForm && sniffed.kind !== "foreign") return null;
  const longer = head.length < HEAD_BYTES ? head : await source.slice(0, MESSAGE_HEAD_BYTES);
  if (isTextual(longer)) return null;
  const { form, profiles, logs, traces } = fitsOf(longer);
  const found: { known: Sniffed; fit: number }[] = [
    { known: { kind: "pprof" }, fit: fitOf(PPROF, longer, 0, Number.POSITIVE_INFINITY) },
    { known: { kind: "otlp", form }, fit: profiles },
    { known: { kind: "logs", form }, fit: logs },
    { known: TRACE, fit: traces },
  ];
  const best = found.reduce((most, each) => (each.fit > most.fit ? each : most));
  const own = found.find(({ known }) => JSON.stringify(known) === JSON.stringify(sniffed));
  return best.fit > (own?.fit ?? 0) ? best.known : null;
}

/** A message of spans has the shape of one of profiles, as far as a short head shows. */
async function isTrace(source: ByteSource, head: Uint8Array, sniffed: Sniffed): Promise<boolean> {
  // Its first bytes may have no control character.
  if (sniffed.kind === "foreign" && isTraceMsgpack(head)) return true;
  const isJson = sniffed.kind === "foreign" && sniffed.what === JSON_TEXT;
  const isMessage = sniffed.kind === "otlp" && sniffed.form !== "json";
  const mayBe = isJson || isMessage || (sniffed.kind === "foreign" && sniffed.what === UNKNOWN);
  if (!mayBe) return false;
  const longer = head.length < HEAD_BYTES ? head : await source.slice(0, TRACE_HEAD_BYTES);
  return isJson ? isTraceText(longer) : isTraceMessage(longer);
}

/** The form of logs, whose message has the shape of one of profiles, as far as a short head shows; null for others. */
async function logsIn(source: ByteSource, head: Uint8Array, sniffed: Sniffed): Promise<Sniffed | null> {
  const mayBe =
    (sniffed.kind === "otlp" && sniffed.form !== "json") || (sniffed.kind === "foreign" && !isTextual(head));
  if (!mayBe) return null;
  const form = logsForm(head.length < HEAD_BYTES ? head : await source.slice(0, LOGS_HEAD_BYTES));
  return form === null ? null : { kind: "logs", form };
}
