/**
 * The messages of an OTLP file one after the other, as protobuf: the file itself, frames behind a length of 4 bytes
 * (big-endian), or JSON, which may be many lines with a message each.
 */

import { available, type ByteSource, fill } from "../bytes/byte-source.ts";
import { MOST_HELD } from "../bytes/stream-source.ts";
import { Broken, drive, Window } from "../bytes/window.ts";
import type { Severity } from "../core/types.ts";
import { JsonText } from "./json-text.ts";
import { JsonWalk } from "./json-walk.ts";
import type { OtlpForm } from "./messages.ts";
import { TooMuch, Transcoder } from "./transcode.ts";

export interface Message {
  /** Where it stands in the file. */
  offset: number;
  length: number;
  /** Fills a target of `length` bytes; returns how many there were. */
  fill(target: Uint8Array): Promise<number>;
}

/** Gets what is wrong with the framing or the JSON, and at which byte. */
export type NoteFault = (code: string, severity: Severity, message: string, offset: number) => void;

const LENGTH_BYTES = 4;
/** Wasm memory ends here, and no message is larger. */
const LARGEST = 2 ** 32 - 1;

/** The longest message that is read. Bytes of a stream are kept until all of its message are there. */
export function largestMessage(source: ByteSource): number {
  return source.ahead === undefined ? LARGEST : MOST_HELD;
}

/** What is wrong with a message of which `bytes` were seen, and what helps. */
export function tooLong(bytes: number): string {
  return (
    `a message of at least ${bytes} bytes (offset 0); of a packed or piped input at most ${MOST_HELD} are kept, ` +
    "and its samples were not read: unpack it to a file and open that"
  );
}

const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;

export function messagesOf(source: ByteSource, form: OtlpForm, note: NoteFault): AsyncGenerator<Message> {
  if (form === "json") return jsonMessages(source, note);
  return form === "frames" ? frames(source, note) : single(source);
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

async function* frames(source: ByteSource, note: NoteFault): AsyncGenerator<Message> {
  for (let at = 0; ; ) {
    const head = await source.slice(at, at + LENGTH_BYTES);
    if (head.length === 0) return;
    const wanted = head.length < LENGTH_BYTES ? 0 : new DataView(head.buffer, head.byteOffset).getUint32(0);
    const length = await available(source, at + LENGTH_BYTES, wanted);
    if (head.length < LENGTH_BYTES || length < wanted) {
      const short = head.length < LENGTH_BYTES ? "inside the length of a message" : `${wanted - length} bytes early`;
      note("otlp.frame.cut", "error", `otlp: the file ends ${short}; what there is was read`, at);
    }
    if (length > 0) yield messageAt(source, at + LENGTH_BYTES, length);
    at += LENGTH_BYTES + length;
  }
}

async function* jsonMessages(source: ByteSource, note: NoteFault): AsyncGenerator<Message> {
  const window = new Window(source);
  await drive(passMark(window), window);
  const text = new JsonText(window);
  while ((await drive(text.next(), window)) >= 0) {
    const offset = window.offset();
    const transcoder = new Transcoder();
    let broken: Broken | null = null;
    try {
      await drive(new JsonWalk(text, transcoder).read(), window);
    } catch (error) {
      if (error instanceof Broken) broken = error;
      else if (error instanceof TooMuch) broken = new Broken("JSON", error.message, window.offset());
      else throw error;
    }
    for (const { slip, times, first, says } of transcoder.oddities.values()) {
      const values = times === 1 ? "one value" : `${times} values`;
      note(`otlp.json.${slip}`, "warning", `otlp: JSON: ${values} ${says}; the first: ${first}`, offset);
    }
    const bytes = transcoder.message();
    if (bytes.length > 0) yield { offset, length: bytes.length, fill: async (target) => copy(bytes, target) };
    if (broken === null) continue;
    const fault = `otlp: JSON: ${broken.message}; the message was read as far as it goes`;
    note("otlp.damaged", "error", `${fault} (offset ${broken.offset})`, broken.offset);
    if (!(await nextObjectLine(window))) return;
  }
}

function copy(bytes: Uint8Array, target: Uint8Array): number {
  target.set(bytes);
  return bytes.length;
}

/** Passes a byte order mark. */
function* passMark(window: Window) {
  yield* window.need(3);
  const [a, b, c] = window.bytes.subarray(window.at, window.at + 3);
  if (a === 0xef && b === 0xbb && c === 0xbf) window.at += 3;
}

/** Goes to the next line that begins with {; false where there is none. */
async function nextObjectLine(window: Window): Promise<boolean> {
  for (let ended = false; await drive(window.need(1), window); ) {
    if (ended && window.bytes[window.at] === OPEN_BRACE) return true;
    const at = window.bytes.indexOf(LINE_FEED, window.at);
    ended = at >= 0 && at < window.end;
    window.at = ended ? at + 1 : window.end;
  }
  return false;
}
