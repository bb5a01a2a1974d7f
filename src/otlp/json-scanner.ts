/**
 * JSON (RFC 8259) as far as it takes to find a few strings in a text that does not fit into memory: white space, strings
 * piece by piece, values stepped over. Of what is stepped over only strings and the number of brackets are looked at.
 */

import type { Cursor } from "../bytes/cursor.ts";
import { ESCAPE_BYTES, escaped, escapeLength } from "./json-escape.ts";

/** The text is no JSON, or ends too early; thrown before the byte that is wrong, which is still the next one. */
export class JsonFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];

const UTF8 = new TextEncoder();

const isSpace = (byte: number) => byte === 0x20 || (byte >= 9 && byte <= 13);

export class JsonScanner {
  private readonly cursor: Cursor;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  get position(): number {
    return this.cursor.position;
  }

  fault(message: string): JsonFault {
    return new JsonFault(message, this.cursor.position);
  }

  /** The next byte that is no white space, without passing it; −1 at the end. */
  async peek(): Promise<number> {
    for (;;) {
      if ((await this.cursor.need(1)) === 0) return -1;
      const bytes = this.cursor.rest();
      const at = bytes.findIndex((byte) => !isSpace(byte));
      this.cursor.skip(at < 0 ? bytes.length : at);
      if (at >= 0) return bytes[at] ?? 0;
    }
  }

  /** Passes the next byte that is no white space when it is one of `characters`; which one it was. */
  async expect(characters: string): Promise<string> {
    const byte = await this.peek();
    if (byte < 0) throw this.fault(`the text ends where one of ${characters} is due`);
    const character = String.fromCharCode(byte);
    if (!characters.includes(character)) {
      throw this.fault(`byte ${byte.toString(16).padStart(2, "0")} where one of ${characters} is due`);
    }
    this.cursor.skip(1);
    return character;
  }

  /** The next bytes of the string behind whose opening quote the scanner stands; null behind its end. */
  async piece(): Promise<Uint8Array | null> {
    const there = await this.cursor.need(ESCAPE_BYTES);
    if (there === 0) throw this.fault("the text ends inside a string");
    const bytes = this.cursor.rest();
    if (bytes[0] === QUOTE) {
      this.cursor.skip(1);
      return null;
    }
    let at = plain(bytes, 0);
    if (bytes[at] !== BACKSLASH) {
      if (at === 0) throw this.fault("a control character inside a string");
      this.cursor.skip(at);
      return bytes.subarray(0, at);
    }
    // No escape is shorter than what it stands for.
    const out = new Uint8Array(bytes.length);
    let n = at;
    out.set(bytes.subarray(0, at));
    while (bytes[at] === BACKSLASH && (at === 0 || at + ESCAPE_BYTES <= bytes.length)) {
      const unit = escaped(bytes, at, bytes.length);
      if (unit < 0 && n > 0) break;
      if (unit < 0) throw this.fault("a backslash inside a string that begins no escape");
      n += UTF8.encodeInto(String.fromCharCode(unit), out.subarray(n)).written;
      at += escapeLength(bytes, at);
      const next = plain(bytes, at);
      out.set(bytes.subarray(at, next), n);
      n += next - at;
      at = next;
    }
    this.cursor.skip(at);
    return out.subarray(0, n);
  }

  /** What is left of the open string. */
  async closeString(): Promise<void> {
    while ((await this.piece()) !== null);
  }

  /** The open string to its end, of which no more than about `limit` bytes are kept. */
  async text(limit: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    let kept = 0;
    for (;;) {
      const piece = await this.piece();
      if (piece === null) return text;
      text += decoder.decode(piece.subarray(0, limit - Math.min(limit, kept)), { stream: true });
      kept += piece.length;
    }
  }

  /** Steps over the next value, whatever it is. */
  async skipValue(): Promise<void> {
    const first = await this.peek();
    if (first === QUOTE || OPEN.includes(first)) return this.skipNested();
    for (let n = 0; ; n++) {
      const byte = (await this.cursor.need(1)) === 0 ? -1 : (this.cursor.rest()[0] ?? 0);
      if (byte < 0 || isSpace(byte) || byte === 0x2c || CLOSE.includes(byte)) {
        if (n === 0) throw this.fault("a value is missing");
        return;
      }
      this.cursor.skip(1);
    }
  }

  /** A string, an object, an array. The loop is over all bytes of them, so it waits for nothing but pieces. */
  private async skipNested(): Promise<void> {
    let depth = 0;
    let inString = false;
    let escaped = false;
    while ((await this.cursor.need(1)) > 0) {
      const bytes = this.cursor.rest();
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i] ?? 0;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inString = false;
          else if (byte < 0x20) {
            this.cursor.skip(i);
            throw this.fault("a control character inside a string");
          }
        } else if (byte === QUOTE) inString = true;
        else if (OPEN.includes(byte)) depth++;
        else if (CLOSE.includes(byte)) depth--;
        if (depth > 0 || inString) continue;
        this.cursor.skip(i + 1);
        return;
      }
      this.cursor.skip(bytes.length);
    }
    throw this.fault("the text ends inside a value");
  }

  /** Goes to the next line that begins with {; false where there is none. */
  async nextObjectLine(): Promise<boolean> {
    let ended = false;
    while ((await this.cursor.need(1)) > 0) {
      const bytes = this.cursor.rest();
      if (ended && bytes[0] === OPEN[0]) return true;
      const at = bytes.indexOf(LINE_FEED);
      ended = at >= 0;
      this.cursor.skip(ended ? at + 1 : bytes.length);
    }
    return false;
  }
}

/** Where the text from `at` on comes to a quote, a backslash, a control character or the end of the bytes. */
function plain(bytes: Uint8Array, at: number): number {
  let to = at;
  for (; to < bytes.length; to++) {
    const byte = bytes[to] ?? 0;
    if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
  }
  return to;
}
