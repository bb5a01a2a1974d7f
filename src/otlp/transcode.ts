/**
 * Transcoder of OTLP/JSON into protobuf, which the core reads: a sink of the walk in src/otlp/. Numbers keep all their
 * 64 bits. Every length is five bytes long, so that contents need not be moved; readers of protobuf accept that.
 */
import { type Field, fieldOf } from "./schema.ts";
import type { EncodingCode, Sink } from "./sink.ts";

/** Room for a tag and a number, or a length. */
const NUMBER_BYTES = 20;
const LENGTH_BYTES = 5;
const PROFILES = fieldOf("ScopeProfiles", "profiles");
const SAMPLES = fieldOf("Profile", "samples");
const VALUES = fieldOf("Sample", "values");
const DELIMITED = 2;
const FIXED64 = 1;

/** The diagnostics that a reader gets, in words; the other codes have a meaning that is plain. */
export const JSON_FAULTS: Partial<Record<EncodingCode, string>> = {
  "wrong-type": "of another type than they should be, left out",
  "out-of-range": "that their type does not hold, read as 0",
  "id-not-hex": "that are no id of their length in hex; those in base64 were taken, others left out",
  "too-deep": "inside too many others, left out",
  "old-key": "under keys of v1.8 and before",
  "earlier-key": "under keys of v1.7 and before, which are not read; their profiles were left out",
};

/** Diagnostics of one code: how many, and the first of them. */
export interface JsonDiagnostic {
  code: EncodingCode;
  times: number;
  first: string;
  says: string;
}

/** The message in protobuf is longer than the limit of kept bytes. */
export class TooMuch extends Error {}

/** Bytes of one message as protobuf. */
const MOST = 2 ** 30;

export class Transcoder implements Sink {
  readonly diagnostics = new Map<EncodingCode, JsonDiagnostic>();
  private bytes = new Uint8Array(1 << 16);
  private view = new DataView(this.bytes.buffer);
  private size = 0;
  /** Where the contents of the open messages start, outermost first. */
  private readonly starts: number[] = [];
  /** The open message is a sample, and no value of it has come. */
  private lacksValues = false;
  /** Where the latest profile begins, and in how many messages. */
  private profile = { at: 0, depth: 0 };
  /** The latest profile has a key of an earlier layout. */
  private isEarlier = false;
  /** The field whose numbers are being packed; its content is open. */
  private packed: Field | null = null;

  /** The message so far; whatever is still open ends here. */
  message(): Uint8Array {
    this.endPacked();
    while (this.starts.length > 0) this.endContent();
    return this.bytes.subarray(0, this.size);
  }

  open(field: Field): void {
    this.endPacked();
    if (field === PROFILES) {
      this.profile = { at: this.size, depth: this.starts.length };
      this.isEarlier = false;
    }
    this.beginContent(field);
    this.lacksValues = field === SAMPLES;
  }

  close(): void {
    this.endPacked();
    // JSON states the layout by its keys: an empty list of values tells the reader (assembly/read/otlp/layout.ts).
    if (this.lacksValues) {
      this.need(NUMBER_BYTES);
      this.beginContent(VALUES);
      this.endContent();
    }
    this.lacksValues = false;
    this.endContent();
    if (this.isEarlier && this.starts.length === this.profile.depth) {
      this.size = this.profile.at;
      this.isEarlier = false;
    }
  }

  private beginContent(field: Field): void {
    this.need(NUMBER_BYTES);
    this.tag(field, DELIMITED);
    this.size += LENGTH_BYTES;
    this.starts.push(this.size);
  }

  private endPacked(): void {
    if (this.packed === null) return;
    this.packed = null;
    this.endContent();
  }

  private endContent(): void {
    const start = this.starts.pop() ?? 0;
    let length = this.size - start;
    for (let i = start - LENGTH_BYTES; i < start - 1; i++) {
      this.bytes[i] = (length & 0x7f) | 0x80;
      length >>>= 7;
    }
    this.bytes[start - 1] = length;
  }

  number(field: Field, low: number, high: number): void {
    this.need(2 * NUMBER_BYTES);
    if (field !== this.packed) {
      this.endPacked();
      if (field.repeated) this.beginContent(field);
      else this.tag(field, field.wire);
      this.packed = field.repeated ? field : null;
      if (field === VALUES) this.lacksValues = false;
    }
    if (field.wire === FIXED64) {
      this.view.setUint32(this.size, low, true);
      this.view.setUint32(this.size + 4, high, true);
      this.size += 8;
    } else this.varint(low, high);
  }

  text(field: Field, bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.endPacked();
    this.need(NUMBER_BYTES + length);
    this.tag(field, DELIMITED);
    this.varint(length, 0);
    this.bytes.set(bytes.subarray(start, end), this.size);
    this.size += length;
  }

  /** Recordings are looked for elsewhere (payloads.ts). */
  payload(): void {}

  note(code: EncodingCode, _: Field | null, says: () => string): void {
    if (code === "earlier-key") this.isEarlier = true;
    const what = JSON_FAULTS[code];
    if (what === undefined) return;
    const known = this.diagnostics.get(code);
    if (known === undefined) this.diagnostics.set(code, { code, times: 1, first: says(), says: what });
    else known.times++;
  }

  private tag(field: Field, wire: number): void {
    this.varint((field.number << 3) | wire, 0);
  }

  /** 64 bits in two halves. */
  private varint(low: number, high: number): void {
    let l = low >>> 0;
    let h = high >>> 0;
    while (h !== 0 || l >= 0x80) {
      this.bytes[this.size++] = (l & 0x7f) | 0x80;
      l = ((l >>> 7) | (h << 25)) >>> 0;
      h >>>= 7;
    }
    this.bytes[this.size++] = l;
  }

  private need(n: number): void {
    if (this.size + n <= this.bytes.length) return;
    if (this.size + n > MOST) throw new TooMuch(`the message has more than ${MOST} bytes as protobuf`);
    const larger = new Uint8Array(Math.min(MOST, 2 * (this.size + n)));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}
