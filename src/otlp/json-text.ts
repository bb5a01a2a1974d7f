/**
 * Tokenizer of JSON (RFC 8259) over a window. A value that `whole` has loaded is read in plain calls; only `whole`
 * waits for more bytes. Invalid JSON throws Broken with its offset.
 */

import { BYTE_ORDER_MARK, startsWith } from "../bytes/byte-order-mark.ts";
import { isUtf8 } from "../bytes/utf8.ts";
import { Broken, LONGEST_VALUE, type Steps, type Window } from "../bytes/window.ts";
import { ESCAPE_BYTES, escaped, escapeLength } from "./json-escape.ts";
import { JsonNumber } from "./json-number.ts";

export const QUOTE = 0x22;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

const LINE_FEED = 0x0a;

const UTF8 = new TextEncoder();

/** Bytes that `piece` unescapes at once. */
const LONGEST_ESCAPED = 1 << 12;
/** Of skipped values. */
const MAX_DEPTH = 1000;
/** In UTF-8: the replacement of half a surrogate pair. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];

const isSpace = (byte: number | undefined) => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;

export class JsonText {
  readonly window: Window;
  /** The last number. */
  readonly number = new JsonNumber();
  /** The last string without quotes and escapes: bytes [start, stop) of `string`, until the next one is read. */
  string: Uint8Array = new Uint8Array(0);
  start = 0;
  stop = 0;
  /** Whether the last string is well-formed: as UTF-8, and every surrogate of its escapes one of a pair. */
  isSound = true;
  private scratch = new Uint8Array(256);

  constructor(window: Window) {
    this.window = window;
  }

  /** The next byte that is not white space, without consuming it; −1 if no such byte is loaded. */
  peek(): number {
    const { window } = this;
    const { bytes, end } = window;
    let at = window.at;
    while (at < end && isSpace(bytes[at])) at++;
    window.at = at;
    return at < end ? (bytes[at] ?? 0) : -1;
  }

  /** As `peek`, but −1 only at the end of the file. */
  *next(): Steps<number> {
    for (;;) {
      const byte = this.peek();
      if (byte >= 0 || this.window.complete) return byte;
      yield;
    }
  }

  /** Passes the next byte when it is this one. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.window.at++;
    return true;
  }

  expect(byte: number): void {
    if (!this.take(byte)) throw this.unexpected(`${String.fromCharCode(byte)} is due`);
  }

  /** Passes a byte order mark, which may be the first thing in the text; whether there was one. */
  *passMark(): Steps<boolean> {
    const { window } = this;
    yield* window.need(BYTE_ORDER_MARK.length);
    if (!startsWith(window.bytes.subarray(window.at, window.end), BYTE_ORDER_MARK)) return false;
    window.at += BYTE_ORDER_MARK.length;
    return true;
  }

  /** Skips to the next line that begins with {; false if there is no such line. */
  *nextObjectLine(): Steps<boolean> {
    const { window } = this;
    for (let ended = false; yield* window.need(1); ) {
      if (ended && window.bytes[window.at] === OPEN_OBJECT) return true;
      const at = window.bytes.indexOf(LINE_FEED, window.at);
      ended = at >= 0 && at < window.end;
      window.at = ended ? at + 1 : window.end;
    }
    return false;
  }

  /** Loads the whole next value, or its available part if the file ends in it. */
  *whole(): Steps {
    if (this.window.complete) return;
    yield* this.next();
    const extent = new Extent();
    const { window } = this;
    for (let seen = 0; ; ) {
      seen = extent.pass(window.bytes, window.at + seen, window.end) - window.at;
      if (extent.ended || window.complete) return;
      if (seen > LONGEST_VALUE) throw this.broken(`a value of more than ${LONGEST_VALUE} bytes`);
      yield;
    }
  }

  /**
   * The next bytes of a string that is not held as a whole, without its escapes: after the opening quote, until null is
   * returned and the closing quote is passed. They are a view, or a copy where there are escapes. Each escaped half of
   * a surrogate pair becomes U+FFFD.
   */
  *piece(): Steps<Uint8Array | null> {
    const { window } = this;
    yield* window.need(ESCAPE_BYTES);
    const { bytes, at: from, end } = window;
    if (from === end) throw this.broken("the text ends inside a string");
    if (bytes[from] === QUOTE) {
      window.at++;
      return null;
    }
    let at = plain(bytes, from, end);
    if (at > from || bytes[at] !== BACKSLASH) {
      if (at === from) throw this.broken("a control character inside a string");
      window.at = at;
      return bytes.subarray(from, at);
    }
    // No escape is shorter than its character.
    const out = new Uint8Array(Math.max(ESCAPE_BYTES, Math.min(end - from, LONGEST_ESCAPED)));
    let n = 0;
    while (bytes[at] === BACKSLASH && n + ESCAPE_BYTES <= out.length && (at === from || at + ESCAPE_BYTES <= end)) {
      const unit = escaped(bytes, at, end);
      if (unit < 0 && n > 0) break;
      if (unit < 0) throw this.broken("a backslash inside a string that does not start an escape");
      n += UTF8.encodeInto(String.fromCharCode(unit), out.subarray(n)).written;
      at += escapeLength(bytes, at);
      const stop = plain(bytes, at, Math.min(end, at + out.length - n));
      out.set(bytes.subarray(at, stop), n);
      n += stop - at;
      at = stop;
    }
    window.at = at;
    return out.subarray(0, n);
  }

  /** The open string to its end, of which about `limit` bytes are kept. */
  *prefix(limit: number): Steps<string> {
    const decoder = new TextDecoder();
    let text = "";
    for (let kept = 0; ; ) {
      const piece = yield* this.piece();
      if (piece === null) return text;
      text += decoder.decode(piece.subarray(0, limit - Math.min(limit, kept)), { stream: true });
      kept += piece.length;
    }
  }

  /** Passes the next value without holding it. Only its strings and brackets are checked. */
  *pass(): Steps {
    const first = yield* this.next();
    const { window } = this;
    if (first === QUOTE || first === OPEN_OBJECT || first === OPEN_ARRAY) {
      for (const extent = new Extent(); !extent.ended; ) {
        if (!(yield* window.need(1))) throw this.broken("the text ends inside a value");
        window.at = extent.pass(window.bytes, window.at, window.end);
        if (extent.control >= 0) throw this.broken("a control character inside a string", extent.control);
      }
      return;
    }
    for (let n = 0; ; n++, window.at++) {
      const byte = (yield* window.need(1)) ? (window.bytes[window.at] ?? 0) : -1;
      if (byte >= 0 && !isSpace(byte) && byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_ARRAY) continue;
      if (n === 0) throw this.broken("a value is missing");
      return;
    }
  }

  /** Passes a string, which is then in `string`. */
  readString(): void {
    this.expect(QUOTE);
    const { window } = this;
    const { bytes } = window;
    const from = window.at;
    const to = plain(bytes, from, window.end);
    if (bytes[to] === QUOTE && to < window.end) {
      this.string = bytes;
      this.start = from;
      this.stop = to;
      this.isSound = isUtf8(bytes, from, to);
      window.at = to + 1;
    } else this.readEscaped(from, to);
  }

  private readEscaped(from: number, firstStop: number): void {
    const { window } = this;
    const { bytes, end } = window;
    let used = 0;
    let start = from;
    let stop = firstStop;
    let isPaired = true;
    for (;;) {
      // Nothing is longer unescaped: 6 bytes are 3 at most.
      if (used + stop - start + ESCAPE_BYTES > this.scratch.length) this.grow(used + stop - start + ESCAPE_BYTES);
      this.scratch.set(bytes.subarray(start, stop), used);
      used += stop - start;
      if (stop >= end) throw this.broken("the text ends inside a string", end);
      if (bytes[stop] === QUOTE) break;
      if (bytes[stop] !== BACKSLASH) throw this.broken("a control character inside a string", stop);
      const unit = escaped(bytes, stop, end);
      if (unit < 0) throw this.broken("a backslash inside a string that does not start an escape", stop);
      start = stop + escapeLength(bytes, stop);
      if (unit >> 11 !== 0x1b) used = this.put(unit, used);
      else {
        const low = unit < 0xdc00 ? escaped(bytes, start, end) : -1;
        if (low >> 10 === 0x37) {
          used = this.put(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00), used);
          start += ESCAPE_BYTES;
        } else {
          isPaired = false;
          this.scratch.set(REPLACEMENT, used);
          used += REPLACEMENT.length;
        }
      }
      stop = plain(bytes, start, end);
    }
    this.string = this.scratch;
    this.start = 0;
    this.stop = used;
    this.isSound = isUtf8(this.scratch, 0, used) && isPaired;
    window.at = stop + 1;
  }

  private grow(wanted: number): void {
    const larger = new Uint8Array(2 * wanted);
    larger.set(this.scratch);
    this.scratch = larger;
  }

  /** A code point as UTF-8; where it ends. */
  private put(point: number, used: number): number {
    const { scratch } = this;
    let at = used;
    if (point < 0x80) scratch[at++] = point;
    else {
      if (point < 0x800) scratch[at++] = 0xc0 | (point >> 6);
      else {
        if (point < 0x1_0000) scratch[at++] = 0xe0 | (point >> 12);
        else {
          scratch[at++] = 0xf0 | (point >> 18);
          scratch[at++] = 0x80 | ((point >> 12) & 0x3f);
        }
        scratch[at++] = 0x80 | ((point >> 6) & 0x3f);
      }
      scratch[at++] = 0x80 | (point & 0x3f);
    }
    return at;
  }

  /** Passes a number, which is then in `number`. */
  readNumber(): void {
    const { window, number } = this;
    if (this.peek() < 0 || !number.scan(window.bytes, window.at, window.end)) throw this.unexpected("a value is due");
    window.at = number.stop;
  }

  /** The last string, or other bytes, as text. */
  content(bytes: Uint8Array = this.string, start = this.start, stop = this.stop): string {
    return new TextDecoder().decode(bytes.subarray(start, stop));
  }

  /** The last string for a message. */
  quoted(): string {
    return JSON.stringify(shortened(this.content()));
  }

  /** Loaded bytes, for a message. */
  since(start: number, stop: number): string {
    return shortened(this.content(this.window.bytes, start, stop));
  }

  /** Passes a word, `true`, `false` or `null`, when it is next. */
  takeWord(word: string): boolean {
    const { window } = this;
    this.peek();
    if (window.held < word.length) return false;
    for (let i = 0; i < word.length; i++) if (window.bytes[window.at + i] !== word.charCodeAt(i)) return false;
    window.at += word.length;
    return true;
  }

  /** Passes the next value, of any type. */
  skip(depth = 0): void {
    if (depth > MAX_DEPTH) throw this.broken(`more than ${MAX_DEPTH} nested values`);
    const first = this.peek();
    if (first === QUOTE) this.readString();
    else if (first === OPEN_OBJECT) {
      for (let more = this.enter(CLOSE_OBJECT); more; more = this.goesOn(CLOSE_OBJECT)) {
        this.readString();
        this.expect(COLON);
        this.skip(depth + 1);
      }
    } else if (first === OPEN_ARRAY) {
      for (let more = this.enter(CLOSE_ARRAY); more; more = this.goesOn(CLOSE_ARRAY)) this.skip(depth + 1);
    } else if (!this.takeWord("true") && !this.takeWord("false") && !this.takeWord("null")) this.readNumber();
  }

  /** Passes the bracket before the next byte; whether the object or array has anything in it. */
  enter(close: number): boolean {
    this.window.at++;
    return !this.take(close);
  }

  /** Behind an item: passes the comma, or the bracket that closes; whether another item follows. */
  goesOn(close: number): boolean {
    if (this.take(COMMA)) return true;
    if (!this.take(close)) throw this.unexpected(`a comma or ${String.fromCharCode(close)} is due`);
    return false;
  }

  unexpected(due: string): Broken {
    const byte = this.peek();
    if (byte < 0) return this.broken(`the text ends where ${due}`);
    const is = byte > SPACE && byte < 0x7f ? String.fromCharCode(byte) : `byte 0x${byte.toString(16).padStart(2, "0")}`;
    return this.broken(`${is} stands where ${due}`);
  }

  broken(text: string, at = this.window.at): Broken {
    return new Broken("JSON", text, this.window.offset(at));
  }
}

/**
 * End of the plain part of the string from `at` on: the next quote, backslash, control character or the end of the
 * bytes.
 */
export function plain(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) break;
  }
  return at;
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** How far a value goes, found piece by piece. Looks at nothing but strings and brackets. */
class Extent {
  ended = false;
  /** Place of a control character inside a string, which JSON does not have; the first one of the last `pass`. */
  control = -1;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  /** Goes on with bytes [from, end); how far it came. A number's end is the byte after it. */
  pass(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    this.control = -1;
    for (; at < end && !this.ended; at++) {
      const byte = bytes[at] ?? 0;
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) {
          this.inString = false;
          this.ended = this.depth === 0;
        } else if (byte < SPACE && this.control < 0) this.control = at;
      } else if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.ended = --this.depth <= 0;
      else if (this.depth === 0 && (byte === COMMA || isSpace(byte))) this.ended = true;
    }
    return at;
  }
}
