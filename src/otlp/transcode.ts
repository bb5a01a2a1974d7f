/**
 * Transcoder of OTLP/JSON into protobuf, which the core reads: a sink of the walk in src/otlp/. Numbers keep all their
 * 64 bits.
 */
import { FIXED64 } from "../bytes/protobuf.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { type Field, fieldOf } from "./schema.ts";
import type { EncodingCode, Sink } from "./sink.ts";
import { tagOf } from "./tags.ts";

const PROFILES = fieldOf("ScopeProfiles", "profiles");
const SAMPLES = fieldOf("Profile", "samples");
const VALUES = fieldOf("Sample", "values");

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
  private readonly out = new WireWriter();
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
    return this.out.bytes;
  }

  open(field: Field): void {
    this.endPacked();
    if (field === PROFILES) {
      this.profile = { at: this.out.size, depth: this.starts.length };
      this.isEarlier = false;
    }
    this.beginContent(field);
    this.lacksValues = field === SAMPLES;
  }

  close(): void {
    this.endPacked();
    // JSON states the layout by its keys: an empty list of values tells the reader (assembly/read/otlp/layout.ts).
    if (this.lacksValues) this.out.text(tagOf(VALUES), "");
    this.lacksValues = false;
    this.endContent();
    if (this.isEarlier && this.starts.length === this.profile.depth) {
      this.out.size = this.profile.at;
      this.isEarlier = false;
    }
  }

  private beginContent(field: Field): void {
    this.refuseMore(0);
    this.starts.push(this.out.open(tagOf(field)));
  }

  private endPacked(): void {
    if (this.packed === null) return;
    this.packed = null;
    this.endContent();
  }

  private endContent(): void {
    this.out.close(this.starts.pop() ?? 0);
  }

  number(field: Field, low: number, high: number): void {
    this.refuseMore(0);
    if (field !== this.packed) {
      this.endPacked();
      if (field.repeated) this.beginContent(field);
      else this.out.varint(tagOf(field));
      this.packed = field.repeated ? field : null;
      if (field === VALUES) this.lacksValues = false;
    }
    if (field.wire === FIXED64) this.out.fixed64(low, high);
    else this.out.varint(low, high);
  }

  text(field: Field, bytes: Uint8Array, start: number, end: number): void {
    this.endPacked();
    this.refuseMore(end - start);
    this.out.delimited(tagOf(field), bytes.subarray(start, end));
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

  private refuseMore(bytes: number): void {
    if (this.out.size + bytes > MOST) throw new TooMuch(`the message has more than ${MOST} bytes as protobuf`);
  }
}
