/** A payload in JSON: a string of base64 as long as a recording, of which nothing is kept. */
import { Base64 } from "../bytes/base64.ts";
import type { Steps } from "../bytes/window.ts";
import { ESCAPE_BYTES, escaped, escapeLength } from "./json-escape.ts";
import { type JsonText, plain, QUOTE } from "./json-text.ts";
import type { Field } from "./schema.ts";
import type { Sink } from "./sink.ts";

/** Passes the string that is next, piece by piece. */
export function* passPayload(text: JsonText, field: Field, sink: Sink): Steps {
  const { window } = text;
  const base64 = new Base64();
  let length = 0;
  window.at++;
  for (;;) {
    // What is at hand at least is an escape, or the last bytes of the text.
    yield* window.need(ESCAPE_BYTES);
    const { bytes, at, end } = window;
    const stop = plain(bytes, at, end);
    length += base64.push(bytes.subarray(at, stop)).length;
    window.at = stop;
    if (stop === end) {
      if (window.complete) throw text.broken("the text ends inside a string");
      continue;
    }
    if (bytes[stop] === QUOTE) break;
    if (!(yield* window.need(ESCAPE_BYTES)) && window.held < escapeLength(window.bytes, window.at)) {
      throw text.broken("the text ends inside a string");
    }
    const unit = escaped(window.bytes, window.at, window.end);
    if (unit < 0) throw text.broken("neither a character of a string nor an escape");
    // Some writers escape the slash, which is of the alphabet.
    length += base64.push(Uint8Array.of(unit > 0x7f ? 0 : unit)).length;
    window.at += escapeLength(window.bytes, window.at);
  }
  window.at++;
  base64.end();
  if (!base64.isStandard) {
    sink.note("base64", field, () => base64.fault ?? "base64 of the URL-safe alphabet, or without padding");
  }
  sink.payload(field, length);
}
