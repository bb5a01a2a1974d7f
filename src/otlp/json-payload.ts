/** Skipping of a payload in JSON: a string of base64 as long as a recording, of which nothing is kept. */
import { Base64 } from "../bytes/base64.ts";
import type { Steps } from "../bytes/window.ts";
import type { JsonText } from "./json-text.ts";
import type { Field } from "./schema.ts";
import type { Sink } from "./sink.ts";

/** Passes the string that is next, piece by piece. */
export function* passPayload(text: JsonText, field: Field, sink: Sink): Steps {
  const { window } = text;
  const base64 = new Base64();
  let length = 0;
  window.at++;
  for (;;) {
    const piece = yield* text.piece();
    if (piece === null) break;
    length += base64.push(piece).length;
  }
  base64.end();
  if (!base64.isStandard) {
    sink.note("base64", field, () => base64.fault ?? "base64 of the URL-safe alphabet, or without padding");
  }
  sink.payload(field, length);
}
