/** Validator of OTLP profiles: the report has everything that a receiver would refuse, tolerate or lose. */

import { type ByteSource, bytesSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import { Broken, drive, run, type Steps, Window } from "../bytes/window.ts";
import { classified, isPacking, tooDeep } from "../input/classify.ts";
import { formatOf } from "../input/formats.ts";
import { EMPTY, JSON_TEXT, type Sniffed, UNKNOWN } from "../input/sniffed.ts";
import { isFramed } from "../otlp/framing.ts";
import { type OtlpForm, walkMessages } from "../otlp/messages.ts";
import { type Report, RuleDiagnostics } from "./diagnostics.ts";
import { Message } from "./message.ts";
import type { ReceiverName } from "./receiver-names.ts";
import { RECEIVERS, type Receiver } from "./rules/receivers.ts";
import type { Rule } from "./rules/rule.ts";
import { RULES, ruleOf } from "./rules/rules.ts";
import { BROKEN_JSON, BROKEN_PROTOBUF, FRAMED, NOT_OTLP, PACKED } from "./rules/wire.ts";

export type { Report, RuleDiagnostic } from "./diagnostics.ts";
export type { ReceiverName } from "./receiver-names.ts";

export interface ValidateOptions {
  /** Receivers whose rules are checked, too. */
  for?: readonly ReceiverName[];
}

const NOWHERE = () => "";

/**
 * The report of a file: a message in protobuf or JSON, several as the Collector's file exporter or Jeffrey writes them,
 * compressed or not.
 */
export async function validate(from: Uint8Array | ByteSource, options: ValidateOptions = {}): Promise<Report> {
  const receivers = receiversOf(options);
  const diagnostics = new RuleDiagnostics(receivers);
  const input = from instanceof Uint8Array ? bytesSource(from) : from;
  const { source, sniffed, packings } = await classified(input, new Expansion(input));
  for (const { packing } of packings) diagnostics.add(PACKED, NOWHERE, () => `the file is compressed with ${packing}`);
  const form = formOf(sniffed);
  if (form !== null) {
    const window = new Window(from instanceof Uint8Array && packings.length === 0 ? from : source);
    await drive(checked(window, form, diagnostics, receivers), window);
  } else if (packings.every(({ stream }) => stream.fault === null)) {
    diagnostics.add(NOT_OTLP, NOWHERE, () => `this is ${nameOf(sniffed)}`);
  }
  for (const { stream } of packings) {
    const { fault } = stream;
    if (fault !== null) diagnostics.add(NOT_OTLP, NOWHERE, () => fault);
  }
  return diagnostics.report();
}

/** The report of a file known to be protobuf, frames of it or JSON, without waiting. */
export function validateBytes(bytes: Uint8Array, form: OtlpForm, options: ValidateOptions = {}): Report {
  const receivers = receiversOf(options);
  const diagnostics = new RuleDiagnostics(receivers);
  run(checked(new Window(bytes), form, diagnostics, receivers));
  return diagnostics.report();
}

function receiversOf({ for: names = [] }: ValidateOptions): Receiver[] {
  return RECEIVERS.filter(({ name }) => names.includes(name));
}

/** The encoding to read a file as; null if it is surely another format. */
function formOf(sniffed: Sniffed): OtlpForm | null {
  if (sniffed.kind === "otlp") return sniffed.form;
  if (sniffed.kind !== "foreign") return null;
  if (sniffed.what === JSON_TEXT) return "json";
  // Protobuf has no magic: even its first bytes may be damaged.
  return sniffed.what === UNKNOWN || sniffed.what === EMPTY ? "protobuf" : null;
}

function nameOf(sniffed: Sniffed): string {
  const what = formatOf(sniffed.kind)?.what;
  if (what !== undefined) return `${what} \`convert\` makes OTLP profiles`;
  if (sniffed.kind === "zip") return "a zip archive: only the files in it can be messages";
  if ("what" in sniffed) return sniffed.what;
  return isPacking(sniffed.kind) ? tooDeep(sniffed.kind) : sniffed.kind;
}

function* checked(window: Window, form: OtlpForm, diagnostics: RuleDiagnostics, receivers: readonly Receiver[]): Steps {
  const rules: readonly Rule[] = [...RULES, ...receivers.flatMap((receiver) => receiver.rules)];
  let message: Message | null = null;
  let count = 0;
  let start = 0;
  const finish = () => {
    if (message === null) return;
    message.byteLength = window.offset() - start;
    checkMessage(message, rules, diagnostics);
  };
  const nextMessage = (): Message => {
    finish();
    start = window.offset();
    const prefix = count === 0 ? "" : `message[${count}].`;
    count++;
    message = new Message((code, where, says) => diagnostics.add(ruleOf(code), where, says), prefix);
    message.isJson = form === "json";
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
  if (isFramed(form) || count > 1) {
    diagnostics.add(
      FRAMED,
      NOWHERE,
      () => `${count} message${count === 1 ? "" : "s"} ${form === "json" ? "in lines" : "in frames"}`,
    );
  }
}

function checkMessage(message: Message, rules: readonly Rule[], diagnostics: RuleDiagnostics): void {
  if (message.isMisread) return;
  for (const rule of rules) rule.check?.(message, (where, says) => diagnostics.add(rule, where, says));
}
