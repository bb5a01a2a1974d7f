/** OTLP profiles held to all rules: whatever a receiver would refuse, tolerate or lose is in the report. */

import { type ByteSource, bytesSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import { unpacked } from "../bytes/unpack.ts";
import { Broken, drive, run, type Steps, Window } from "../bytes/window.ts";
import { EMPTY, JSON_TEXT, type Sniffed, sniff, UNKNOWN } from "../input/sniff.ts";
import { type OtlpForm, walkMessages } from "../otlp/messages.ts";
import { type Report, RuleDiagnostics } from "./diagnostics.ts";
import { Message } from "./message.ts";
import { RULES, ruleOf } from "./rules/rules.ts";
import { BROKEN_JSON, BROKEN_PROTOBUF, FRAMED, NOT_OTLP, PACKED } from "./rules/wire.ts";

export type { Report, RuleDiagnostic } from "./diagnostics.ts";

/** What is looked at to tell what a file is. */
const HEAD_BYTES = 64;

const NOWHERE = () => "";

/** The report of a file: a message in protobuf or JSON, several as the Collector's file exporter writes them, packed or not. */
export async function validate(from: Uint8Array | ByteSource): Promise<Report> {
  const diagnostics = new RuleDiagnostics();
  const packed: StreamSource[] = [];
  const input = from instanceof Uint8Array ? bytesSource(from) : from;
  const expansion = new Expansion(input);
  let source = input;
  let sniffed = sniff(await source.slice(0, HEAD_BYTES));
  while (sniffed.kind === "gzip" || sniffed.kind === "zstd" || sniffed.kind === "lz4") {
    const { kind } = sniffed;
    diagnostics.add(PACKED, NOWHERE, () => `the file is packed as ${kind}`);
    const stream = unpacked(kind, source, expansion);
    packed.push(stream);
    source = stream;
    sniffed = sniff(await source.slice(0, HEAD_BYTES));
  }
  const form = formOf(sniffed);
  if (form !== null) {
    const window = new Window(from instanceof Uint8Array && packed.length === 0 ? from : source);
    await drive(checked(window, form, diagnostics), window);
  } else if (packed.every(({ fault }) => fault === null)) {
    diagnostics.add(NOT_OTLP, NOWHERE, () => `this is ${nameOf(sniffed)}`);
  }
  for (const { fault } of packed) if (fault !== null) diagnostics.add(NOT_OTLP, NOWHERE, () => fault);
  return diagnostics.report();
}

/** The report of what is known to be protobuf, frames of it or JSON, without waiting. */
export function validateBytes(bytes: Uint8Array, form: OtlpForm): Report {
  const diagnostics = new RuleDiagnostics();
  run(checked(new Window(bytes), form, diagnostics));
  return diagnostics.report();
}

/** What to read a file as; null where it is surely something else. */
function formOf(sniffed: Sniffed): OtlpForm | null {
  if (sniffed.kind === "otlp") return sniffed.form;
  if (sniffed.kind !== "foreign") return null;
  if (sniffed.what === JSON_TEXT) return "json";
  // Protobuf has no magic: what is wrong with it may be its first bytes.
  return sniffed.what === UNKNOWN || sniffed.what === EMPTY ? "protobuf" : null;
}

function nameOf(sniffed: Sniffed): string {
  if (sniffed.kind === "jfr") return "a JFR recording, of which `convert` makes OTLP profiles";
  if (sniffed.kind === "zip") return "a zip archive: its files are messages, if any are";
  return sniffed.kind === "foreign" ? sniffed.what : sniffed.kind;
}

function* checked(window: Window, form: OtlpForm, diagnostics: RuleDiagnostics): Steps {
  let message: Message | null = null;
  let count = 0;
  let start = 0;
  const finish = () => {
    if (message === null) return;
    message.byteLength = window.offset() - start;
    checkMessage(message, diagnostics);
  };
  const nextMessage = (): Message => {
    finish();
    start = window.offset();
    const prefix = count === 0 ? "" : `message[${count}].`;
    count++;
    message = new Message((slip, where, says) => diagnostics.add(ruleOf(slip), where, says), prefix);
    return message;
  };
  try {
    yield* walkMessages(window, form, nextMessage);
    finish();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const rule = error.encoding === "JSON" ? BROKEN_JSON : BROKEN_PROTOBUF;
    const where = message as Message | null;
    diagnostics.add(
      rule,
      () => where?.here() ?? "",
      () => `${error.message}, at byte ${error.offset}`,
    );
  }
  if (form === "frames" || count > 1) {
    diagnostics.add(
      FRAMED,
      NOWHERE,
      () => `${count} message${count === 1 ? "" : "s"} ${form === "json" ? "in lines" : "in frames"}`,
    );
  }
}

function checkMessage(message: Message, diagnostics: RuleDiagnostics): void {
  if (message.isMisread) return;
  for (const rule of RULES) rule.check?.(message, (where, says) => diagnostics.add(rule, where, says));
}
