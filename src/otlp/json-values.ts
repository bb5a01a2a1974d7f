/** Values of OTLP/JSON that are not messages, from a text to a sink. */
import { Base64 } from "../bytes/base64.ts";
import { hexDigit } from "./json-escape.ts";
import { type JsonText, QUOTE } from "./json-text.ts";
import type { Field } from "./schema.ts";
import type { Sink } from "./sink.ts";

/** Names of special doubles. */
const DOUBLES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    "-Infinity": Number.NEGATIVE_INFINITY,
  }),
);

export class JsonValues {
  private readonly text: JsonText;
  private readonly sink: Sink;
  /** Where a double is taken apart. */
  private readonly halves = new DataView(new ArrayBuffer(8));

  constructor(text: JsonText, sink: Sink) {
    this.text = text;
    this.sink = sink;
  }

  /** Passes the next value, or reports the expected one if it does not fit the field. */
  read(field: Field): string | null {
    switch (field.kind) {
      case "string":
        return this.string(field);
      case "bytes":
        return field.hexDigits > 0 ? this.id(field) : this.bytes(field);
      case "payload":
        return "a string";
      case "bool":
        return this.bool(field);
      case "double":
        return this.double(field);
      default:
        return this.integer(field);
    }
  }

  private string(field: Field): string | null {
    const { text, sink } = this;
    if (text.peek() !== QUOTE) return "a string";
    text.readString();
    if (!text.isSound) {
      sink.note("not-utf8", field, () => `half a surrogate pair, or bytes that are not UTF-8: ${text.quoted()}`);
    }
    sink.text(field, text.string, text.start, text.stop);
    return null;
  }

  private bool(field: Field): string | null {
    const { text, sink } = this;
    const isTrue = text.takeWord("true");
    if (!isTrue && !text.takeWord("false")) return "true or false";
    sink.number(field, isTrue ? 1 : 0, 0);
    return null;
  }

  private integer(field: Field): string | null {
    const { text, sink } = this;
    const { number, window } = text;
    const isQuoted = text.peek() === QUOTE;
    const start = isQuoted ? window.at + 1 : window.at;
    if (!number.scan(window.bytes, start, window.end) || !number.isInteger) return "an integer";
    const { stop } = number;
    if (isQuoted && window.bytes[stop] !== QUOTE) return "an integer";
    window.at = isQuoted ? stop + 1 : stop;
    const bits = field.kind === "int32" || field.kind === "uint32" ? 32 : 64;
    if (isQuoted && bits === 32) {
      sink.note("integer-as-string", field, () => `"${text.since(start, stop)}" for a number`);
    }
    if (number.fits(bits, field.kind === "int32" || field.kind === "int64")) {
      number.complement();
      sink.number(field, number.low, number.high);
    } else {
      sink.note("out-of-range", field, () => `${text.since(start, stop)} does not fit ${field.kind}`);
      sink.number(field, 0, 0);
    }
    return null;
  }

  private double(field: Field): string | null {
    const { text, sink, halves } = this;
    const { window, number } = text;
    const isQuoted = text.peek() === QUOTE;
    const start = window.at;
    let value: number | undefined;
    if (isQuoted) {
      text.readString();
      value = DOUBLES.get(text.content());
    } else if (number.scan(window.bytes, start, window.end)) {
      value = Number(text.content(window.bytes, start, number.stop));
      window.at = number.stop;
    }
    if (value === undefined) {
      window.at = start;
      return "a number, NaN, Infinity or -Infinity";
    }
    halves.setFloat64(0, value);
    sink.number(field, halves.getUint32(4), halves.getUint32(0));
    return null;
  }

  /** Hex of either case; the empty string is no id. */
  private id(field: Field): string | null {
    const { text, sink } = this;
    if (text.peek() !== QUOTE) return "a string";
    text.readString();
    const digits = text.string.subarray(text.start, text.stop);
    const id = fromHex(digits);
    if (id !== null) {
      sink.text(field, id, 0, id.length);
      return null;
    }
    const base64 = new Base64();
    const decoded = base64.push(digits);
    base64.end();
    const isBase64 = base64.fault === null && 2 * decoded.length === field.hexDigits;
    const is = isBase64 ? "base64" : "no hex";
    sink.note("id-not-hex", field, () => `${text.quoted()} is ${is}; ${field.hexDigits} hex digits are due`);
    if (isBase64) sink.text(field, decoded, 0, decoded.length);
    return null;
  }

  private bytes(field: Field): string | null {
    const { text, sink } = this;
    if (text.peek() !== QUOTE) return "a string";
    text.readString();
    const base64 = new Base64();
    const decoded = base64.push(text.string.subarray(text.start, text.stop));
    base64.end();
    if (!base64.isStandard) {
      sink.note("base64", field, () => `${text.quoted()} is no base64 of the standard alphabet with padding`);
    }
    sink.text(field, decoded, 0, decoded.length);
    return null;
  }
}

/** Bytes from hex digits of either case; null if they are not hex. */
function fromHex(digits: Uint8Array): Uint8Array | null {
  if (digits.length % 2 !== 0) return null;
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = hexDigit(digits[2 * i] ?? 0);
    const low = hexDigit(digits[2 * i + 1] ?? 0);
    if (high < 0 || low < 0) return null;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}
