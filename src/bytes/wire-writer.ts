/** Writer of protobuf's wire format; Thrift's compact protocol has its varints. Tags are number × 8 + wire type. */
import { ByteWriter, high, low } from "./byte-writer.ts";
import { VARINT_BYTES } from "./protobuf.ts";

export class WireWriter extends ByteWriter {
  /** 64 bits as two halves. */
  varint(low: number, high = 0): void {
    this.need(VARINT_BYTES);
    const { room } = this;
    low >>>= 0;
    high >>>= 0;
    while (high !== 0) {
      room[this.size++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    while (low >= 0x80) {
      room[this.size++] = (low & 0x7f) | 0x80;
      low >>>= 7;
    }
    room[this.size++] = low;
  }

  /** The numbers of the rows [from, to) of a list. */
  varints(rows: Uint32Array, from: number, to: number, numbers: Uint32Array): void {
    this.need(VARINT_BYTES * (to - from));
    const { room } = this;
    let { size } = this;
    for (let i = from; i < to; i++) {
      let number = numbers[rows[i]!]!;
      while (number >= 0x80) {
        room[size++] = (number & 0x7f) | 0x80;
        number >>>= 7;
      }
      room[size++] = number;
    }
    this.size = size;
  }

  /** A bigint, or a number from 0 to 2^53. */
  whole(value: number | bigint): void {
    if (typeof value === "number") this.varint(value, value / 2 ** 32);
    else this.varint(low(value), high(value));
  }

  /** A whole number of less than 53 bits, small ones of either sign in few bytes. */
  zigzag(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A field of a number, which is left out if it is 0. */
  field(tag: number, low: number, high = 0): void {
    if (low === 0 && high === 0) return;
    this.varint(tag);
    this.varint(low, high);
  }

  number(tag: number, value: number | bigint): void {
    this.varint(tag);
    this.whole(value);
  }

  /** A field of fixed 64 bits. */
  fixed(tag: number, value: bigint): void {
    this.varint(tag);
    this.long(value);
  }

  /** A field of bytes. */
  delimited(tag: number, bytes: Uint8Array): void {
    this.varint(tag);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** A field of text. */
  text(tag: number, text: string): void {
    const start = this.open(tag);
    this.utf8(text);
    this.close(start);
  }

  /** Begins a field with a length. Returns the place for `close`. */
  open(tag: number): number {
    this.varint(tag);
    this.byte(0);
    return this.size;
  }

  /** Ends a field: one byte is left for its length, so longer contents are moved. */
  close(start: number): void {
    const { size } = this;
    this.need(VARINT_BYTES);
    let more = 0;
    for (let rest = size - start; rest >= 0x80; rest = Math.floor(rest / 0x80)) more++;
    if (more > 0) this.room.copyWithin(start + more, start, size);
    this.size = start - 1;
    this.varint(size - start);
    this.size = size + more;
  }

  /** A field with the content that `write` writes. */
  message(tag: number, write: () => void): void {
    const start = this.open(tag);
    write();
    this.close(start);
  }

  /** A field of packed numbers, which is left out if there are none. */
  packed(tag: number, values: readonly (number | bigint)[]): void {
    if (values.length === 0) return;
    const start = this.open(tag);
    for (const value of values) this.whole(value);
    this.close(start);
  }
}
