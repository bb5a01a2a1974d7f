/**
 * Splitting of an OTLP file into messages in protobuf: the file is one message, several framed ones (framing.ts), or
 * JSON with one message or a message per line.
 */

import { available, type ByteSource, fill } from "../bytes/byte-source.ts";
import type { MessageLimit } from "../bytes/expansion.ts";
import { MOST_HELD } from "../bytes/stream-source.ts";
import { Broken, drive, Window } from "../bytes/window.ts";
import type { Severity } from "../core/types.ts";
import { delimitedVersion, FRAME_HEAD_BYTES, type FramedForm, frameHead, isFramed, KNOWN_VERSION } from "./framing.ts";
import { JsonText } from "./json-text.ts";
import { JsonWalk } from "./json-walk.ts";
import type { OtlpForm } from "./messages.ts";
import { TooMuch, Transcoder } from "./transcode.ts";

export interface Message {
  /** Where it is in the file. */
  offset: number;
  length: number;
  /** Fills a target of `length` bytes; returns how many there were. */
  fill(target: Uint8Array): Promise<number>;
}

/** Receives faults of the framing or the JSON, with their byte offsets. */
export type NoteFault = (code: string, severity: Severity, message: string, offset: number) => void;

/** Wasm memory ends here, and no message is larger. */
const LARGEST = 2 ** 32 - 1;

function noteTooMany(note: NoteFault, count: number, at: number): void {
  const read = `${count.toLocaleString("en")} of them were read`;
  note("otlp.messages", "error", `otlp: more messages than its bytes allow (offset ${at}); ${read}`, at);
}

/** The longest message that is read. Bytes of a stream are kept until its message is complete. */
export function largestMessage(source: ByteSource): number {
  return source.ahead === undefined ? LARGEST : MOST_HELD;
}

/** Message of a fault, for a message of which `bytes` were read, and advice. */
export function tooLong(bytes: number): string {
  return (
    `a message of at least ${bytes} bytes (offset 0); of a compressed or piped input at most ${MOST_HELD} are kept, ` +
    "and its samples were not read: decompress it to a file and open that"
  );
}

export function messagesOf(
  source: ByteSource,
  form: OtlpForm,
  note: NoteFault,
  mayHave: MessageLimit,
): AsyncGenerator<Message> {
  if (form === "json") return jsonMessages(source, note, mayHave);
  return isFramed(form) ? frames(source, form, note, mayHave) : single(source);
}

function messageAt(source: ByteSource, offset: number, length: number): Message {
  return { offset, length, fill: (target) => fill(source, offset, target) };
}

async function* single(source: ByteSource): AsyncGenerator<Message> {
  const length = await available(source, 0, largestMessage(source));
  // A larger file is refused by its size.
  const size = source.ahead === undefined ? source.byteLength : length;
  if (length > 0) yield messageAt(source, 0, size);
}

async function* frames(
  source: ByteSource,
  form: FramedForm,
  note: NoteFault,
  mayHave: MessageLimit,
): AsyncGenerator<Message> {
  for (let at = 0, count = 0; ; count++) {
    const bytes = await source.slice(at, at + FRAME_HEAD_BYTES);
    if (bytes.length === 0) return;
    if (!mayHave(count)) return noteTooMany(note, count, at);
    noteVersion(form, bytes, at, note);
    const head = frameHead(form, bytes);
    const start = at + (head === null ? bytes.length : head.bytes);
    const wanted = head?.length ?? 0;
    const length = await available(source, start, wanted);
    if (head === null || length < wanted) {
      const short = head === null ? "inside the length of a message" : `${wanted - length} bytes early`;
      note("otlp.frame.cut", "error", `otlp: the file ends ${short}; the available part was read`, at);
    }
    if (length > 0) yield messageAt(source, start, length);
    at = start + length;
  }
}

function noteVersion(form: FramedForm, bytes: Uint8Array, at: number, note: NoteFault): void {
  const version = form === "delimited" ? delimitedVersion(bytes) : null;
  if (version === null || version === KNOWN_VERSION) return;
  const what = `otlp: the file has version ${version} of its format, and was read as version ${KNOWN_VERSION}`;
  note("otlp.file-version", "warning", what, at);
}

async function* jsonMessages(source: ByteSource, note: NoteFault, mayHave: MessageLimit): AsyncGenerator<Message> {
  const window = new Window(source);
  const text = new JsonText(window);
  await drive(text.passMark(), window);
  for (let count = 0; (await drive(text.next(), window)) >= 0; count++) {
    const offset = window.offset();
    if (!mayHave(count)) return noteTooMany(note, count, offset);
    const transcoder = new Transcoder();
    let broken: Broken | null = null;
    try {
      await drive(new JsonWalk(text, transcoder).read(), window);
    } catch (error) {
      if (error instanceof Broken) broken = error;
      else if (error instanceof TooMuch) broken = new Broken("JSON", error.message, window.offset());
      else throw error;
    }
    for (const { code, times, first, says } of transcoder.diagnostics.values()) {
      const values = times === 1 ? "one value" : `${times} values`;
      const severity = code === "earlier-key" ? "error" : "warning";
      note(`otlp.json.${code}`, severity, `otlp: JSON: ${values} ${says}; the first: ${first}`, offset);
    }
    const bytes = transcoder.message();
    if (bytes.length > 0) yield { offset, length: bytes.length, fill: async (target) => copy(bytes, target) };
    if (broken === null) continue;
    const fault = `otlp: JSON: ${broken.message}; the part before that was read`;
    note("otlp.damaged", "error", `${fault} (offset ${broken.offset})`, broken.offset);
    if (!(await drive(text.nextObjectLine(), window))) return;
  }
}

function copy(bytes: Uint8Array, target: Uint8Array): number {
  target.set(bytes);
  return bytes.length;
}
