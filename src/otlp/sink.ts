/**
 * The receiver of the fields that a walk over a message finds, in protobuf or JSON: a validator's columns, a reader's
 * store.
 */
import type { Field } from "./schema.ts";

/**
 * Codes of diagnostics about the encoding: forms that writers should not write. The walk continues: it takes the
 * intended value if that is clear, and leaves the value out otherwise; among the items of a repeated field the default
 * replaces it.
 */
export type EncodingCode =
  | "unknown-field"
  | "wire-type"
  /** Samples with the field numbers of v1.8 and v1.9: none of their values can be trusted. */
  | "old-layout"
  /** A key that the field had in earlier versions; its value is given. */
  | "old-key"
  /** A key of a layout before v1.8; its value is not given. */
  | "earlier-key"
  /** The name of the .proto for a key; its value is given. */
  | "snake-case"
  /** A field that may come once comes again: the last one holds, messages are merged. */
  | "again"
  | "too-deep"
  /**
   * Bytes that are no UTF-8, or half a surrogate pair: the string is given with U+FFFD in JSON, as it is in protobuf.
   */
  | "not-utf8"
  /** A number that its type does not hold: 0 is given. */
  | "out-of-range"
  | "wrong-type"
  /** An id in base64 is given, anything else is not. */
  | "id-not-hex"
  /** Base64 of another alphabet or without padding is given. */
  | "base64"
  | "integer-as-string"
  | "null"
  | "byte-order-mark";

export interface Sink {
  /** Into a message that is the value of a field of the current one. The first message is entered already. */
  open(field: Field): void;
  close(): void;
  /** A number of the current message, as two unsigned halves of 64 bits in two's complement; a double's as they are. */
  number(field: Field, low: number, high: number): void;
  /** A string or bytes of the current message. The bytes are only good until this returns. */
  text(field: Field, bytes: Uint8Array, start: number, end: number): void;
  /** Bytes that are of no use to anybody here: how many there are. */
  payload(field: Field, length: number): void;
  /** A diagnostic about a field of the current message or of the message itself; before its value is given. */
  note(code: EncodingCode, field: Field | null, says: () => string): void;
}
