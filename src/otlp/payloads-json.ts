/**
 * Walks OTLP/JSON profiles for the payloads in them: resourceProfiles[].scopeProfiles[].profiles[], where
 * originalPayload is base64 and may precede or follow originalPayloadFormat. Keys are those of protobuf's JSON mapping,
 * and the field names of the proto file, which the Collector accepts, too. One message or any number of them, a line
 * each, as the Collector's file exporter writes them. After a fault the next line that begins with { is the next
 * message; the bytes between are lost.
 */

import { Base64 } from "../bytes/base64.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { StreamSource } from "../bytes/stream-source.ts";
import { Broken, drive, type Steps, Window } from "../bytes/window.ts";
import { CLOSE_ARRAY, JsonText, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./json-text.ts";
import { FORMAT_BYTES, type Payload, type Payloads } from "./payloads.ts";

/** For each message the keys of the array with the next one. */
const INTO = [["resourceProfiles", "resource_profiles"], ["scopeProfiles", "scope_profiles"], ["profiles"]] as const;
const PROFILE = 3;
const FORMAT = ["originalPayloadFormat", "original_payload_format"];
const PAYLOAD = ["originalPayload", "original_payload"];
/** The longest of them has 23. */
const KEY_BYTES = 32;

/** The recordings in a file of messages. All faults are reported to `payloads`. */
export async function* jsonPayloads(source: ByteSource, payloads: Payloads): AsyncGenerator<Payload> {
  const text = new JsonText(new Window(source));
  const walk = new Walk(text, payloads);
  await walk.run(text.passMark());
  let count = 0;
  for (let more = true; more; ) {
    try {
      more = (await walk.run(text.next())) >= 0 && payloads.mayHave(count++);
      if (more) yield* walk.message(0);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      payloads.endProfile();
      payloads.fault(`JSON: ${error.message}`, error.offset);
      more = await walk.run(text.nextObjectLine());
    }
  }
  payloads.end();
}

class Walk {
  private readonly text: JsonText;
  private readonly payloads: Payloads;

  constructor(text: JsonText, payloads: Payloads) {
    this.text = text;
    this.payloads = payloads;
  }

  /** Runs a step of the text, which may wait for bytes. */
  run<T>(steps: Steps<T>): Promise<T> {
    return drive(steps, this.text.window);
  }

  /** Passes the next byte that is no white space when it is one of `characters`; which one it was. */
  private async expect(characters: string): Promise<string> {
    const { text } = this;
    const byte = await this.run(text.next());
    const character = String.fromCharCode(byte);
    if (byte < 0 || !characters.includes(character)) throw text.unexpected(`one of ${characters} is due`);
    text.window.at++;
    return character;
  }

  /** One message of the four inside each other; `depth` 0 is ProfilesData. */
  async *message(depth: number): AsyncGenerator<Payload> {
    const { text } = this;
    await this.expect("{");
    if (depth === PROFILE) this.payloads.beginProfile();
    let first = true;
    while ((await this.expect(first ? '"}' : ",}")) !== "}") {
      if (!first) await this.expect('"');
      first = false;
      const key = await this.run(text.prefix(KEY_BYTES));
      await this.expect(":");
      if (depth === PROFILE) yield* this.profileField(key);
      else if (INTO[depth]?.some((into) => into === key)) yield* this.messages(depth + 1);
      else await this.run(text.pass());
    }
    if (depth === PROFILE) this.payloads.endProfile();
  }

  private async *messages(depth: number): AsyncGenerator<Payload> {
    const { text } = this;
    // null is the form of an absent field in JSON's mapping.
    if ((await this.run(text.next())) !== OPEN_ARRAY) return this.run(text.pass());
    await this.expect("[");
    if ((await this.run(text.next())) === CLOSE_ARRAY) {
      await this.expect("]");
      return;
    }
    do {
      if ((await this.run(text.next())) === OPEN_OBJECT) yield* this.message(depth);
      else await this.run(text.pass());
    } while ((await this.expect(",]")) === ",");
  }

  private async *profileField(key: string): AsyncGenerator<Payload> {
    const { text, payloads } = this;
    // "sample" was its name until v1.8.
    if (key === "samples" || key === "sample") payloads.samples = true;
    const isFormat = FORMAT.includes(key);
    const isPayload = PAYLOAD.includes(key);
    if ((!isFormat && !isPayload) || (await this.run(text.next())) !== QUOTE) return this.run(text.pass());
    const offset = text.window.offset();
    await this.expect('"');
    if (isFormat) {
      payloads.setFormat(await this.run(text.prefix(FORMAT_BYTES)));
      return;
    }
    const string = new OpenString(text);
    const bytes = string.bytes();
    const payload = await payloads.begin(new StreamSource(bytes), offset);
    if (payload !== null) yield payload;
    // A decompressor may still be asking for more: the text is for one reader at a time.
    await bytes.return(undefined);
    await string.close();
  }
}

/** A string of base64, read by two: by whom the payload is for, and to its end by the walk. */
class OpenString {
  private readonly text: JsonText;
  private open = true;

  constructor(text: JsonText) {
    this.text = text;
  }

  /** Throws where it is no base64. A fault of the JSON is left for `close` to find again. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const base64 = new Base64();
    for (;;) {
      const piece = await this.piece();
      if (piece === null) break;
      yield base64.push(piece);
      if (base64.fault !== null) throw new Error(base64.fault);
    }
    if (this.open) return;
    base64.end();
    if (base64.fault !== null) throw new Error(base64.fault);
  }

  private async piece(): Promise<Uint8Array | null> {
    try {
      const piece = await drive(this.text.piece(), this.text.window);
      if (piece === null) this.open = false;
      return piece;
    } catch (error) {
      if (error instanceof Broken) return null;
      throw error;
    }
  }

  /** Moves past the closing quote. */
  async close(): Promise<void> {
    const { text } = this;
    while (this.open) if ((await drive(text.piece(), text.window)) === null) this.open = false;
  }
}
