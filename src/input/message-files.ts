/**
 * Messages, as a file or inside one: OTLP profiles for the recordings they carry or for their own samples, and pprof.
 * Loaded separately, because most users who open a recording do not need it.
 */

import { available, type ByteSource, fill } from "../bytes/byte-source.ts";
import type { MessageLimit } from "../bytes/expansion.ts";
import { MOST_HELD } from "../bytes/stream-source.ts";
import type { FileFormat } from "../core/types.ts";
import { largestMessage, type Message, messagesOf, type NoteFault, tooLong } from "../otlp/framed-messages.ts";
import type { OtlpForm } from "../otlp/messages.ts";
import { Payloads } from "../otlp/payloads.ts";
import { jsonPayloads } from "../otlp/payloads-json.ts";
import { protobufPayloads } from "../otlp/payloads-protobuf.ts";
import { messageOf, messagesOfSamples } from "./others/batch.ts";
import { Faults } from "./others/faults.ts";
import { isAllBefore18, isBefore18, samplesBefore18 } from "./others/otlp-v1-7.ts";
import { readMessages } from "./read-messages.ts";
import type { KnownFile, Reading } from "./reading.ts";

/** Bytes in which a message of v1.7 has its first sample. */
const OLD_HEAD = 4096;

/**
 * Reads the recordings that the profiles of a message carry, because they contain more than the samples made from them;
 * without recordings, reads the samples.
 */
export async function readOtlp(reading: Reading, { name, source, layer }: KnownFile, form: OtlpForm): Promise<boolean> {
  const message = reading.counted(source, layer);
  // A stream is kept until the choice between the two is made: a payload may be declared as a recording and not be one.
  message.hold?.(0, Math.min(MOST_HELD, reading.core.room()));
  reading.held = message;
  const before = reading.readable;
  reading.readable = false;
  // The core reports the same ones when it reads the samples.
  const faults: [string, number | null][] = [];
  const mayHave = reading.expansion.messageLimit();
  if (!mayHave(0)) {
    reading.note(
      name,
      "otlp.messages",
      "otlp: the files before this one have as many messages as their bytes allow",
      0,
    );
    return true;
  }
  const found = new Payloads(
    (fault, offset) => faults.push([fault, offset]),
    (head) => reading.mayBeRecording(head),
    mayHave,
  );
  const payloads = form === "json" ? jsonPayloads(message, found) : protobufPayloads(message, form, found);
  for await (const payload of payloads) {
    const path = `${name}/original_payload[${payload.index}]`;
    if (!(await reading.read(path, payload.source, layer + 1))) return false;
    reading.noteFault(path, "otlp", payload.source);
  }
  const recorded = reading.readable;
  reading.readable ||= before;
  const areKept = message.keeps !== false;
  if (!recorded && found.samples && !areKept) {
    reading.core.beginFile(name, message.byteLength, formatOf(form));
    noteTooLong(noteIn(reading, name), message.byteLength);
  }
  const going = recorded || !found.samples || !areKept || (await readSamples(reading, name, form, message, mayHave));
  message.hold?.(null);
  if (!recorded && found.samples) return going;
  for (const [fault, offset] of faults) reading.note(name, "otlp.damaged", fault, offset);
  if (found.recordings > 0) {
    if (found.samples) reading.core.note({ ...found.samplesLeft(), file: name, chunk: null, offset: null });
    return true;
  }
  // As for foreign files: only a file that the user chose gets a separate entry.
  if (layer === 0) reading.core.beginFile(name, source.byteLength, formatOf(form));
  const severity = layer === 0 ? "error" : "warning";
  const summary = found.summary();
  reading.core.note({ code: "otlp.no-recording", severity, message: summary, file: name, chunk: null, offset: 0 });
  return true;
}

/** How the messages of a format are found in a file. */
interface Messages {
  format: FileFormat;
  /** Nothing in one message is about another one. */
  independent?: true;
  /** Without it, a file is one message. */
  of?(source: ByteSource, note: NoteFault): AsyncGenerator<Message>;
}

/** Reads a file of messages that only have samples. */
export async function readMessageFile(
  reading: Reading,
  { name, source, layer }: KnownFile,
  { of, ...messages }: Messages,
): Promise<boolean> {
  const counted = reading.counted(source, layer);
  const note = noteIn(reading, name);
  const { readable, going } = await readMessages(reading.core, {
    ...messages,
    name,
    messages: () => of?.(counted, note) ?? oneMessage(counted, note),
    bytes: () => source.byteLength,
    breath: (offset) => reading.breathe(offset),
  });
  if (readable) reading.foundReadable();
  return going;
}

/** The one message of a file. */
export async function* oneMessage(source: ByteSource, note: NoteFault): AsyncGenerator<Message> {
  const most = largestMessage(source);
  const length = await available(source, 0, most + 1);
  if (length > most) noteTooLong(note, length);
  else yield { offset: 0, length, fill: (target) => fill(source, 0, target) };
}

function formatOf(form: OtlpForm): FileFormat {
  return form === "json" ? "otlp-json" : "otlp";
}

function noteIn(reading: Reading, file: string): NoteFault {
  return (code, severity, message, offset) => {
    reading.core.note({ code, severity, message, file, chunk: null, offset });
  };
}

/** For a stream that is longer than its kept part. Its samples would have to be read from its start. */
function noteTooLong(note: NoteFault, bytes: number): void {
  note("source.too-long", "error", tooLong(bytes), 0);
}

/** The message of a version before 1.8 as messages of today. */
async function* oldMessages(source: ByteSource, note: NoteFault): AsyncGenerator<Message> {
  const faults = new Faults();
  for await (const { length, fill } of oneMessage(source, note)) {
    const bytes = new Uint8Array(length);
    const message = bytes.subarray(0, await fill(bytes));
    const samples = samplesBefore18(message, faults);
    // The core names the profiles that it does not read.
    if (!isAllBefore18(message)) yield messageOf(message);
    else for (const made of messagesOfSamples(samples)) yield messageOf(made);
  }
  faults.report("otlp", (code, severity, message) => note(code, severity, message, 0));
}

/** Reads the samples of the messages. */
async function readSamples(
  reading: Reading,
  name: string,
  form: OtlpForm,
  source: ByteSource,
  mayHave: MessageLimit,
): Promise<boolean> {
  const isOld = form === "protobuf" && isBefore18(await source.slice(0, OLD_HEAD));
  const { readable, going } = await readMessages(reading.core, {
    name,
    format: formatOf(form),
    messages: (again) => {
      if (isOld) return oldMessages(source, noteIn(reading, name));
      return messagesOf(source, form, again ? () => {} : noteIn(reading, name), mayHave);
    },
    bytes: () => source.byteLength,
    breath: (offset) => reading.breathe(offset),
  });
  if (readable) reading.readable = true;
  return going;
}
