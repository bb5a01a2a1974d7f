/**
 * Walks an OTLP profiles message in protobuf for the payloads in it. Four messages stand inside each other,
 *
 *     ProfilesData   1: ResourceProfiles   2: ScopeProfiles   2: Profile   9: original_payload_format
 *                                                                         10: original_payload
 *
 * each field being a tag (number × 8 + wire type) and, of those, a length; everything else is stepped over. Field numbers
 * of opentelemetry/proto/profiles/v1development/profiles.proto, where they stand since v1.10; before v1.9 those of a
 * payload were one higher, and such a file has none for us.
 *
 * A length that goes on behind its message is cut at the message's end, and a field that cannot be read costs the rest
 * of its message: what is around a fault was consistent until there.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { Cursor } from "../bytes/cursor.ts";
import { StreamSource } from "../bytes/stream-source.ts";
import { FORMAT_BYTES, type Payload, type Payloads } from "./payloads.ts";

const MESSAGES = ["ProfilesData", "ResourceProfiles", "ScopeProfiles", "Profile"] as const;
/** Of each message the field that holds the next one. */
const INTO = [1, 2, 2];
const PROFILE = 3;
const SAMPLES = 2;
const ORIGINAL_PAYLOAD_FORMAT = 9;
const ORIGINAL_PAYLOAD = 10;
/** Wire type of what has a length. */
const LENGTH_DELIMITED = 2;
/** Bytes of the values that have none and are no varint, by wire type. */
const FIXED: Partial<Record<number, number>> = { 1: 8, 5: 4 };
/** Of a varint, ten: https://protobuf.dev/programming-guides/encoding/#varints; a tag and a length are two. */
const VARINT_BYTES = 10;

/**
 * The recordings in a message, or in `framed` ones, each of them behind its length in 4 bytes, big-endian. Everything
 * that is wrong goes to `payloads`.
 */
export async function* protobufPayloads(
  source: ByteSource,
  framed: boolean,
  payloads: Payloads,
): AsyncGenerator<Payload> {
  yield* new Walk(new Cursor(source), payloads).run(framed);
  payloads.end();
}

class Walk {
  private readonly cursor: Cursor;
  private readonly payloads: Payloads;
  /** Ends of the messages that the cursor is in, outermost first, none behind the one before. */
  private readonly ends: number[] = [];
  /** Up to here faults are those that follow from one that was told. */
  private quiet = 0;

  constructor(cursor: Cursor, payloads: Payloads) {
    this.cursor = cursor;
    this.payloads = payloads;
  }

  async *run(framed: boolean): AsyncGenerator<Payload> {
    const { cursor, ends } = this;
    for (;;) {
      this.leave();
      if (ends.length === 0) {
        // At the start, or between two frames.
        if (framed && !(await this.enterFrame())) return;
        if (!framed) ends.push(Number.POSITIVE_INFINITY);
        continue;
      }
      if (cursor.left < 2 * VARINT_BYTES) await cursor.need(2 * VARINT_BYTES);
      if (cursor.left === 0) return this.checkEnd();
      const start = cursor.position;
      const reason = yield* this.field();
      if (reason === null) continue;
      this.fault(`${reason} in a ${this.message}; the rest of that was left out`, start);
      const end = this.end;
      if (end === Number.POSITIVE_INFINITY) return;
      cursor.skip(end - cursor.position);
    }
  }

  private get end(): number {
    return this.ends.at(-1) ?? 0;
  }

  private get message(): string {
    return MESSAGES[this.ends.length - 1] ?? "";
  }

  private fault(message: string, offset: number): void {
    if (offset >= this.quiet) this.payloads.fault(message, offset);
  }

  /** Leaves the messages that end here. */
  private leave(): void {
    while (this.ends.length > 0 && this.cursor.position >= this.end) {
      if (this.ends.length - 1 === PROFILE) this.payloads.endProfile();
      this.ends.pop();
    }
  }

  private async enterFrame(): Promise<boolean> {
    const { cursor } = this;
    const there = await cursor.need(4);
    if (there < 4) {
      if (there > 0 || cursor.position > cursor.size) this.checkEnd(cursor.position + 4);
      return false;
    }
    const bytes = cursor.rest();
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    cursor.skip(4);
    this.ends.push(cursor.position + length);
    return true;
  }

  /** At the end of the file: whether something was to follow. */
  private checkEnd(wanted = 0): void {
    const { cursor } = this;
    const open = this.ends.filter((end) => Number.isFinite(end));
    const end = Math.max(wanted, cursor.position, open.at(-1) ?? 0);
    if (end <= cursor.size) return;
    const inside = open.length === 0 ? "message" : this.message;
    this.payloads.fault(`the file ends inside a ${inside} that goes on to offset ${end}`, cursor.size);
  }

  /** Reads or steps over one field; what is wrong when it cannot be. That the file ends in it shows at the next one. */
  private async *field(): AsyncGenerator<Payload, string | null> {
    const { cursor, end } = this;
    const start = cursor.position;
    const tag = this.varint();
    if (cursor.overrun) return null;
    if (tag === null) return "a tag of more than 10 bytes";
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number === 0) return "field number 0";
    let length = FIXED[wire] ?? 0;
    if (wire === 0 || wire === LENGTH_DELIMITED) {
      const value = this.varint();
      if (cursor.overrun) return null;
      if (value === null) return `a varint of more than 10 bytes in field ${number}`;
      if (wire === LENGTH_DELIMITED) length = value;
    } else if (length === 0) {
      return `wire type ${wire} of field ${number}`;
    }
    const left = end - cursor.position;
    if (left < 0) return `field ${number} behind the end`;
    const there = Math.min(length, left);
    if (length > left) {
      const how = `field ${number} of a ${this.message} gives ${length} bytes, ${left} are left of that`;
      this.fault(`${how} and were read`, start);
      this.quiet = end;
    }
    if (wire === LENGTH_DELIMITED) yield* this.value(number, cursor.position + there);
    else cursor.skip(there);
    return null;
  }

  private async *value(number: number, end: number): AsyncGenerator<Payload> {
    const { cursor, payloads } = this;
    const depth = this.ends.length - 1;
    if (number === INTO[depth]) {
      this.ends.push(end);
      if (depth + 1 === PROFILE) payloads.beginProfile();
      return;
    }
    const length = end - cursor.position;
    if (depth === PROFILE && number === SAMPLES) payloads.samples = true;
    if (depth === PROFILE && number === ORIGINAL_PAYLOAD_FORMAT) {
      const bytes = Math.min(length, FORMAT_BYTES);
      await cursor.need(bytes);
      payloads.setFormat(new TextDecoder().decode(cursor.rest().subarray(0, bytes)));
    } else if (depth === PROFILE && number === ORIGINAL_PAYLOAD) {
      const bytes = cursor.until(end);
      const payload = await payloads.begin(new StreamSource(bytes), cursor.position);
      if (payload !== null) yield payload;
      // A decompressor may still be asking for more: the cursor is for one at a time.
      await bytes.return(undefined);
    }
    // What its reader left of it.
    cursor.skip(end - cursor.position);
  }

  /** Exact below 2⁵³, and nothing that long is there; null where it does not end. */
  private varint(): number | null {
    let value = 0;
    for (let i = 0, scale = 1; i < VARINT_BYTES; i++, scale *= 128) {
      const byte = this.cursor.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return Math.min(value, Number.MAX_SAFE_INTEGER);
    }
    return null;
  }
}
