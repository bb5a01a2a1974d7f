/** A JSON value in memory. Integers beyond 2⁵³ are bigints: ids of Datadog are decimals that no double holds. */
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, type JsonText, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "../otlp/json-text.ts";

export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

/** Values inside each other that are read; deeper ones are null. */
const DEEPEST = 32;
const HALF = 2 ** 21;

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads the next value, which `text.whole` has loaded. Throws Broken. */
export function jsonValue(text: JsonText, depth = 0): Json {
  const first = text.peek();
  if (first === QUOTE) return jsonString(text);
  if (first === OPEN_OBJECT) {
    if (depth === DEEPEST) return skipped(text);
    const object: JsonObject = new Map();
    for (let more = text.enter(CLOSE_OBJECT); more; more = text.goesOn(CLOSE_OBJECT)) {
      text.peek();
      const key = jsonString(text);
      text.expect(COLON);
      object.set(key, jsonValue(text, depth + 1));
    }
    return object;
  }
  if (first === OPEN_ARRAY) {
    if (depth === DEEPEST) return skipped(text);
    const items: Json[] = [];
    for (let more = text.enter(CLOSE_ARRAY); more; more = text.goesOn(CLOSE_ARRAY))
      items.push(jsonValue(text, depth + 1));
    return items;
  }
  if (text.takeWord("true")) return true;
  if (text.takeWord("false")) return false;
  if (text.takeWord("null")) return null;
  return jsonNumber(text);
}

function skipped(text: JsonText): null {
  text.skip();
  return null;
}

function jsonNumber(text: JsonText): number | bigint {
  const start = text.window.at;
  text.readNumber();
  const { number, window } = text;
  if (!number.isInteger) return Number(DECODER.decode(window.bytes.subarray(start, number.stop)));
  if (number.isAbove64)
    return BigInt(DECODER.decode(window.bytes.subarray(start, number.stop)).slice(0, LONGEST_INTEGER));
  if (number.high < HALF) {
    const size = number.high * 2 ** 32 + number.low;
    return number.isNegative ? -size : size;
  }
  const size = (BigInt(number.high) << 32n) | BigInt(number.low);
  return number.isNegative ? -size : size;
}

/** Characters of an integer that are converted: its low bits are of no use beyond. */
const LONGEST_INTEGER = 64;

/** The next string. Half a surrogate pair becomes U+FFFD, whether it is escaped or in the bytes. */
export function jsonString(text: JsonText): string {
  text.readString();
  const bytes = text.string.subarray(text.start, text.stop);
  return DECODER.decode(text.isSound ? bytes : withoutSurrogates(bytes));
}

/** The bytes with U+FFFD in place of surrogates, which are ED A0..BF xx where a writer encoded them nevertheless. */
function withoutSurrogates(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  for (let at = copy.indexOf(0xed); at >= 0; at = copy.indexOf(0xed, at + 1)) {
    const isSurrogate = (copy[at + 1] ?? 0) >> 5 === 5 && (copy[at + 2] ?? 0) >> 6 === 2;
    if (isSurrogate) copy.set(REPLACEMENT, at);
  }
  return copy;
}

/** U+FFFD in UTF-8. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];
