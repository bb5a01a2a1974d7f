/**
 * Walks OTLP/JSON profiles for the payloads in them: resourceProfiles[].scopeProfiles[].profiles[], where
 * originalPayload is base64 and may stand before originalPayloadFormat or behind it. Keys are those of protobuf's JSON
 * mapping, and the field names of the proto file, which the Collector takes too. One message or any number of them, a
 * line each, as the Collector's file exporter writes them. Behind a fault the next line that begins with { is the next
 * message; what stands between is lost.
 */

import { Base64 } from "../bytes/base64.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { Cursor } from "../bytes/cursor.ts";
import { StreamSource } from "../bytes/stream-source.ts";
import { JsonFault, JsonScanner } from "./json-scanner.ts";
import { FORMAT_BYTES, type Payload, type Payloads } from "./payloads.ts";

/** Of each message the keys of the array that holds the next one. */
const INTO = [["resourceProfiles", "resource_profiles"], ["scopeProfiles", "scope_profiles"], ["profiles"]] as const;
const PROFILE = 3;
const FORMAT = ["originalPayloadFormat", "original_payload_format"];
const PAYLOAD = ["originalPayload", "original_payload"];
/** The longest of them has 23. */
const KEY_BYTES = 32;

const QUOTE = 0x22;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The recordings in a file of messages. Everything that is wrong goes to `payloads`. */
export async function* jsonPayloads(source: ByteSource, payloads: Payloads): AsyncGenerator<Payload> {
  const cursor = new Cursor(source);
  await cursor.need(BYTE_ORDER_MARK.length);
  if (BYTE_ORDER_MARK.every((byte, i) => cursor.rest()[i] === byte)) cursor.skip(BYTE_ORDER_MARK.length);
  const text = new JsonScanner(cursor);
  const walk = new Walk(text, payloads);
  for (let more = true; more; ) {
    try {
      more = (await text.peek()) >= 0;
      if (more) yield* walk.message(0);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      payloads.endProfile();
      payloads.fault(`JSON: ${error.message}`, error.offset);
      more = await text.nextObjectLine();
    }
  }
  payloads.end();
}

class Walk {
  private readonly text: JsonScanner;
  private readonly payloads: Payloads;

  constructor(text: JsonScanner, payloads: Payloads) {
    this.text = text;
    this.payloads = payloads;
  }

  /** One message of the four inside each other; `depth` 0 is ProfilesData. */
  async *message(depth: number): AsyncGenerator<Payload> {
    const { text } = this;
    await text.expect("{");
    if (depth === PROFILE) this.payloads.beginProfile();
    let first = true;
    while ((await text.expect(first ? '"}' : ",}")) !== "}") {
      if (!first) await text.expect('"');
      first = false;
      const key = await text.text(KEY_BYTES);
      await text.expect(":");
      if (depth === PROFILE) yield* this.profileField(key);
      else if (INTO[depth]?.some((into) => into === key)) yield* this.messages(depth + 1);
      else await text.skipValue();
    }
    if (depth === PROFILE) this.payloads.endProfile();
  }

  private async *messages(depth: number): AsyncGenerator<Payload> {
    const { text } = this;
    // null is what JSON's mapping calls a field that is not there.
    if ((await text.peek()) !== 0x5b) return text.skipValue();
    await text.expect("[");
    if ((await text.peek()) === 0x5d) {
      await text.expect("]");
      return;
    }
    do {
      if ((await text.peek()) === 0x7b) yield* this.message(depth);
      else await text.skipValue();
    } while ((await text.expect(",]")) === ",");
  }

  private async *profileField(key: string): AsyncGenerator<Payload> {
    const { text, payloads } = this;
    // "sample" was its name until v1.8.
    if (key === "samples" || key === "sample") payloads.samples = true;
    const isFormat = FORMAT.includes(key);
    const isPayload = PAYLOAD.includes(key);
    if ((!isFormat && !isPayload) || (await text.peek()) !== QUOTE) return text.skipValue();
    const offset = text.position;
    await text.expect('"');
    if (isFormat) {
      payloads.setFormat(await text.text(FORMAT_BYTES));
      return;
    }
    const string = new OpenString(text);
    const bytes = string.bytes();
    const payload = await payloads.begin(new StreamSource(bytes), offset);
    if (payload !== null) yield payload;
    // A decompressor may still be asking for more: the scanner is for one at a time.
    await bytes.return(undefined);
    await string.close();
  }
}

/** A string of base64, read by two: by whom the payload is for, and to its end by the walk. */
class OpenString {
  private readonly text: JsonScanner;
  private open = true;

  constructor(text: JsonScanner) {
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
      const piece = await this.text.piece();
      if (piece === null) this.open = false;
      return piece;
    } catch (error) {
      if (error instanceof JsonFault) return null;
      throw error;
    }
  }

  /** Goes behind the closing quote. */
  async close(): Promise<void> {
    if (this.open) await this.text.closeString();
  }
}
