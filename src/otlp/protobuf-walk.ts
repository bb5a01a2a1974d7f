/**
 * Walks a message in protobuf (https://protobuf.dev/programming-guides/encoding/). The few outer messages are read
 * field by field as bytes arrive; the messages in them must be loaded as a whole, so that plain loops can read them.
 * The walk is strict where receivers are, and reports everything that they have to tolerate.
 */

import { CUT, DELIMITED, FIXED_BYTES, FIXED32, FIXED64, VARINT, VARINT_BYTES, Varint } from "../bytes/protobuf.ts";
import { isUtf8 } from "../bytes/utf8.ts";
import { Broken, LONGEST_VALUE, type Steps, type Window } from "../bytes/window.ts";
import { type Field, type MessageType, TYPES } from "./schema.ts";
import type { Sink } from "./sink.ts";

/** Messages inside a message, as protobuf's own parsers limit them. */
const MAX_DEPTH = 100;

export class ProtobufWalk {
  private readonly window: Window;
  private readonly sink: Sink;
  /** The window's bytes, and the next one, as a place in them. */
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private readonly last = new Varint();

  constructor(window: Window, sink: Sink) {
    this.window = window;
    this.sink = sink;
  }

  /** Reads a message that ends at an offset, or with the file. Throws Broken. */
  *read(end = Number.POSITIVE_INFINITY): Steps {
    yield* this.streamed(TYPES.ProfilesData, end);
  }

  private *streamed(type: MessageType, end: number): Steps {
    const { window, sink } = this;
    let seen = 0;
    while (window.offset() < end) {
      if (window.held < 2 * VARINT_BYTES) yield* window.need(2 * VARINT_BYTES);
      if (window.held === 0) {
        if (end === Number.POSITIVE_INFINITY) return;
        throw this.broken(`the data ends, ${type.name} goes on to byte ${end}`, window.offset());
      }
      const start = window.offset();
      const limit = Math.min(window.end, end - window.offset(0));
      this.bytes = window.bytes;
      this.at = window.at;
      const { field, wire } = this.tag(type, limit);
      if (field !== null) seen = this.once(field, seen);
      if (wire !== DELIMITED) {
        if (field === null) this.pass(wire, limit);
        else this.scalar(field, limit);
        window.at = this.at;
        continue;
      }
      const length = this.length(limit);
      window.at = this.at;
      const stop = window.offset() + length;
      const what = field === null ? `a field of ${type.name}` : field.name;
      if (stop > end) {
        throw this.broken(`${what} ends at byte ${stop}, the ${type.name} that it is in at byte ${end}`, start);
      }
      const isNested = field?.message?.streamed === true;
      if (isNested) {
        sink.open(field);
        yield* this.streamed(field.message, stop);
        sink.close();
      } else if (field === null || field.kind === "payload") {
        if (field !== null) sink.payload(field, length);
        if (!(yield* window.skip(length))) throw this.ends(what, stop);
      } else {
        if (length > LONGEST_VALUE && !window.complete) {
          throw this.broken(`${what} has ${length} bytes, more than ${LONGEST_VALUE}`, start);
        }
        if (!(yield* window.need(length))) throw this.ends(what, stop);
        this.bytes = window.bytes;
        this.at = window.at;
        this.delimited(field, this.at + length, 1);
        window.at = this.at;
      }
    }
  }

  /** All fields of a loaded message that ends at the position `end`. */
  private fields(type: MessageType, end: number, depth: number): void {
    let seen = 0;
    while (this.at < end) {
      const { field, wire } = this.tag(type, end);
      if (field !== null) seen = this.once(field, seen);
      if (wire === DELIMITED) {
        const start = this.at;
        const stop = this.length(end) + this.at;
        if (stop > end) {
          const what = field?.name ?? "a field";
          const ends = `${what} ends at byte ${this.window.offset(stop)}`;
          throw this.broken(
            `${ends}, the ${type.name} that it is in at byte ${this.window.offset(end)}`,
            this.offset(start),
          );
        }
        if (field === null) this.at = stop;
        else this.delimited(field, stop, depth);
      } else if (field === null) this.pass(wire, end);
      else this.scalar(field, end);
    }
  }

  /** A tag, and the field that it is of; null where that is unknown or not to be read as it is. */
  private tag(type: MessageType, end: number): { field: Field | null; wire: number } {
    const start = this.at;
    this.varint(end);
    const wire = this.last.low & 7;
    const number = Math.floor(this.last.value / 8);
    if (number === 0 || wire === 3 || wire === 4 || wire > FIXED32) {
      throw this.broken(`field ${number} of wire type ${wire} in a ${type.name}`, this.offset(start));
    }
    const field = type.byNumber[number];
    if (field === undefined) {
      this.sink.note("unknown-field", null, () => `${type.name} has no field ${number} (wire type ${wire})`);
      return { field: null, wire };
    }
    if (wire === field.wire || (field.repeated && wire === DELIMITED)) return { field, wire };
    const isOld = type === TYPES.Sample && ((number === 3 && wire === DELIMITED) || (number === 4 && wire === VARINT));
    const layout = isOld ? ": the layout of v1.8 and v1.9, which had values 2, attribute_indices 3, link_index 4" : "";
    this.sink.note(
      isOld ? "old-layout" : "wire-type",
      field,
      () => `wire type ${wire} where ${field.wire} is due${layout}`,
    );
    return { field: null, wire };
  }

  /** Notes a field that comes again; `seen` has a bit for every field of the message so far. */
  private once(field: Field, seen: number): number {
    const again = field.owner.oneof ? seen !== 0 : !field.repeated && (seen >> field.slot) & 1;
    if (again) {
      const what = field.owner.oneof ? "a second member of the oneof" : "a field that may occur once is repeated";
      this.sink.note("again", field, () => `${what}: the last one holds`);
    }
    return seen | (1 << field.slot);
  }

  /** The value of wire type 0 or 1 of a field. */
  private scalar(field: Field, end: number): void {
    if (field.wire === FIXED64) this.fixed64(field, end);
    else {
      this.varint(end);
      this.integer(field);
    }
  }

  /** The value of wire type 2 of a field, up to the place `stop`. */
  private delimited(field: Field, stop: number, depth: number): void {
    const { bytes, sink } = this;
    if (field.message !== null) {
      sink.open(field);
      if (depth < MAX_DEPTH) this.fields(field.message, stop, depth + 1);
      else sink.note("too-deep", null, () => `more than ${MAX_DEPTH} nested messages`);
      sink.close();
    } else if (field.wire === FIXED64) {
      if ((stop - this.at) % 8 !== 0) {
        throw this.broken(`packed ${field.name} of ${stop - this.at} bytes, no multiple of 8`, this.offset(this.at));
      }
      while (this.at < stop) this.fixed64(field, stop);
    } else if (field.wire === VARINT) {
      while (this.at < stop) {
        const byte = bytes[this.at] ?? 0;
        if (byte < 0x80) {
          this.at++;
          sink.number(field, byte, 0);
        } else {
          this.varint(stop);
          this.integer(field);
        }
      }
    } else {
      const start = this.at;
      if (field.kind === "string" && !isUtf8(bytes, start, stop)) {
        const text = () => JSON.stringify(new TextDecoder().decode(bytes.subarray(start, Math.min(stop, start + 60))));
        sink.note("not-utf8", field, () => `bytes that are not UTF-8, at byte ${this.offset(start)}: ${text()}`);
      }
      sink.text(field, bytes, start, stop);
    }
    this.at = stop;
  }

  /** The last varint as a value of the field. */
  private integer(field: Field): void {
    const { low, high } = this.last;
    const isFit = field.kind === "int32" ? (high | 0) === low >> 31 : field.kind !== "uint32" || high === 0;
    if (!isFit) {
      const value = (BigInt(high) << 32n) | BigInt(low);
      const signed = field.kind === "int32" ? BigInt.asIntN(64, value) : value;
      this.sink.note("out-of-range", field, () => `${signed} does not fit ${field.kind}`);
    }
    this.sink.number(field, isFit ? low : 0, isFit ? high : 0);
  }

  private fixed64(field: Field, end: number): void {
    if (this.at + 8 > end) throw this.broken(`${field.name} is cut`, this.offset(this.at));
    this.sink.number(field, this.fixed32(), this.fixed32());
  }

  private fixed32(): number {
    const { bytes, at } = this;
    this.at += 4;
    const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    return (low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
  }

  /** Steps over a value that is not length-delimited. */
  private pass(wire: number, end: number): void {
    if (wire === VARINT) {
      this.varint(end);
      return;
    }
    const length = FIXED_BYTES[wire] ?? 0;
    if (this.at + length > end) throw this.broken("a field of fixed size is cut", this.offset(this.at));
    this.at += length;
  }

  /** A varint as a length; exact below 2⁵³, and nothing that long is there. */
  private length(end: number): number {
    this.varint(end);
    return this.last.value;
  }

  private varint(end: number): void {
    const start = this.at;
    const after = this.last.read(this.bytes, start, end);
    if (after === CUT) throw this.broken("a varint is cut", this.offset(start));
    if (after < 0 || !this.last.isWhole) throw this.broken("a varint of more than 64 bits", this.offset(start));
    this.at = after;
  }

  private offset(at: number): number {
    return this.window.offset(at);
  }

  private broken(text: string, offset: number): Broken {
    return new Broken("protobuf", text, offset);
  }

  private ends(what: string, stop: number): Broken {
    return this.broken(`the data ends, ${what} goes on to byte ${stop}`, this.window.offset(this.window.end));
  }
}
