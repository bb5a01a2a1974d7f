/**
 * Walks an OTLP profiles message in protobuf for the payloads in it. Four messages are nested,
 *
 *     ProfilesData   1: ResourceProfiles   2: ScopeProfiles   2: Profile   9: original_payload_format
 *                                                                         10: original_payload
 *
 * each field being a tag (number × 8 + wire type) and, of those, a length; everything else is skipped. Field numbers of
 * opentelemetry/proto/profiles/v1development/profiles.proto, where they are since v1.10; before v1.9 those of a payload
 * were one higher, and no payload is found in such a file.
 *
 * A length that goes beyond its message is cut at the message's end, and a field that cannot be read costs the rest of
 * its message: the messages around a fault were consistent up to it.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { CUT, DELIMITED, FIXED_BYTES, TOO_LONG, VARINT, VARINT_BYTES, Varint } from "../bytes/protobuf.ts";
import { StreamSource } from "../bytes/stream-source.ts";
import { Window } from "../bytes/window.ts";
import { FRAME_HEAD_BYTES, type FramedForm, frameHead, isFramed } from "./framing.ts";
import type { OtlpForm } from "./messages.ts";
import { FORMAT_BYTES, type Payload, type Payloads } from "./payloads.ts";

const MESSAGES = ["ProfilesData", "ResourceProfiles", "ScopeProfiles", "Profile"] as const;
/** For each message the field that contains the next one. */
const INTO = [1, 2, 2];
const PROFILE = 3;
const SAMPLES = 2;
const ORIGINAL_PAYLOAD_FORMAT = 9;
const ORIGINAL_PAYLOAD = 10;

/** The recordings in a message, or in framed messages. All faults are reported to `payloads`. */
export async function* protobufPayloads(
  source: ByteSource,
  form: Exclude<OtlpForm, "json">,
  payloads: Payloads,
): AsyncGenerator<Payload> {
  yield* new Walk(new Window(source), payloads).run(isFramed(form) ? form : null);
  payloads.end();
}

class Walk {
  private readonly window: Window;
  private readonly last = new Varint();
  private readonly payloads: Payloads;
  /** Ends of the messages around the window's position, outermost first, never after the one before. */
  private readonly ends: number[] = [];
  /** Up to here, faults are consequences of a reported one. */
  private quiet = 0;

  constructor(window: Window, payloads: Payloads) {
    this.window = window;
    this.payloads = payloads;
  }

  async *run(framed: FramedForm | null): AsyncGenerator<Payload> {
    const { window, ends, payloads } = this;
    for (let count = 0; ; ) {
      this.leave();
      if (ends.length === 0) {
        // At the start, or between two frames.
        if (framed !== null && !(payloads.mayHave(count++) && (await this.enterFrame(framed)))) return;
        if (framed === null) ends.push(Number.POSITIVE_INFINITY);
        continue;
      }
      if (window.held < 2 * VARINT_BYTES) await window.wait(2 * VARINT_BYTES);
      if (window.held === 0) return this.checkEnd();
      const start = window.offset();
      const reason = yield* this.field();
      if (reason === null) continue;
      this.fault(`${reason} in a ${this.message}; the rest of that was left out`, start);
      const end = this.end;
      if (end === Number.POSITIVE_INFINITY) return;
      window.pass(end - window.offset());
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
    while (this.ends.length > 0 && this.window.offset() >= this.end) {
      if (this.ends.length - 1 === PROFILE) this.payloads.endProfile();
      this.ends.pop();
    }
  }

  private async enterFrame(form: FramedForm): Promise<boolean> {
    const { window } = this;
    await window.wait(FRAME_HEAD_BYTES);
    const head = window.held === 0 ? null : frameHead(form, window.rest());
    if (head === null) {
      if (window.held > 0 || window.offset() > window.size) this.checkEnd(window.offset() + window.held + 1);
      return false;
    }
    window.pass(head.bytes);
    this.ends.push(window.offset() + head.length);
    return true;
  }

  /** At the end of the file: whether something was to follow. */
  private checkEnd(wanted = 0): void {
    const { window } = this;
    const open = this.ends.filter((end) => Number.isFinite(end));
    const end = Math.max(wanted, window.offset(), open.at(-1) ?? 0);
    if (end <= window.size) return;
    const inside = open.length === 0 ? "message" : this.message;
    this.payloads.fault(`the file ends inside a ${inside} that goes on to offset ${end}`, window.size);
  }

  /**
   * Reads or skips one field; returns the fault if that is impossible. If the file ends in the field, the next one
   * shows it.
   */
  private async *field(): AsyncGenerator<Payload, string | null> {
    const { window, end } = this;
    const start = window.offset();
    const tag = this.varint();
    if (tag === CUT) return null;
    if (tag === TOO_LONG) return "a tag of more than 10 bytes";
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number === 0) return "field number 0";
    let length = FIXED_BYTES[wire] ?? 0;
    if (wire === VARINT || wire === DELIMITED) {
      const value = this.varint();
      if (value === CUT) return null;
      if (value === TOO_LONG) return `a varint of more than 10 bytes in field ${number}`;
      if (wire === DELIMITED) length = value;
    } else if (length === 0) {
      return `wire type ${wire} of field ${number}`;
    }
    const left = end - window.offset();
    if (left < 0) return `field ${number} after the end`;
    const there = Math.min(length, left);
    if (length > left) {
      const how = `field ${number} of a ${this.message} gives ${length} bytes, ${left} are left of that`;
      this.fault(`${how} and were read`, start);
      this.quiet = end;
    }
    if (wire === DELIMITED) yield* this.value(number, window.offset() + there);
    else window.pass(there);
    return null;
  }

  private async *value(number: number, end: number): AsyncGenerator<Payload> {
    const { window, payloads } = this;
    const depth = this.ends.length - 1;
    if (number === INTO[depth]) {
      this.ends.push(end);
      if (depth + 1 === PROFILE) payloads.beginProfile();
      return;
    }
    const length = end - window.offset();
    if (depth === PROFILE && number === SAMPLES) payloads.samples = true;
    if (depth === PROFILE && number === ORIGINAL_PAYLOAD_FORMAT) {
      const bytes = Math.min(length, FORMAT_BYTES);
      await window.wait(bytes);
      payloads.setFormat(new TextDecoder().decode(window.rest().subarray(0, bytes)));
    } else if (depth === PROFILE && number === ORIGINAL_PAYLOAD) {
      const bytes = window.until(end);
      const payload = await payloads.begin(new StreamSource(bytes), window.offset());
      if (payload !== null) yield payload;
      // A decompressor may still be asking for more: the window is for one at a time.
      await bytes.return(undefined);
    }
    // Skips the rest that its reader left.
    window.pass(end - window.offset());
  }

  /** The next varint, exact below 2⁵³; CUT where the file ends in it, TOO_LONG where it does not end. */
  private varint(): number {
    const { window, last } = this;
    const after = last.read(window.bytes, window.at, window.end);
    // After a varint that the file cuts nothing is left.
    if (after === CUT) window.pass(window.held + 1);
    else window.at = after === TOO_LONG ? window.at + VARINT_BYTES : after;
    if (after < 0) return after;
    return last.isWhole ? Math.min(last.value, Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER;
  }
}
