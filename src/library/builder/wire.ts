/** Writer of protobuf's wire format. Tags are given as bytes: number × 8 + wire type. */
import { grown } from "./list-table.ts";

const ENCODER = new TextEncoder();
/** Bytes of UTF-8 for a unit of UTF-16, at most. */
const UNIT = 3;
const VARINT_BYTES = 10;

export class Wire {
  size = 0;
  private room = new Uint8Array(64);

  /** The bytes so far, valid until the next write. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.room.subarray(0, this.size);
  }

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

  /** A number, which is left out if it is 0. */
  field(tag: number, low: number, high = 0): void {
    if (low === 0 && high === 0) return;
    this.varint(tag);
    this.varint(low, high);
  }

  fixed64(low: number, high: number): void {
    this.need(8);
    for (let shift = 0; shift < 32; shift += 8) this.room[this.size++] = low >>> shift;
    for (let shift = 0; shift < 32; shift += 8) this.room[this.size++] = high >>> shift;
  }

  raw(bytes: Uint8Array): void {
    this.need(bytes.length);
    this.room.set(bytes, this.size);
    this.size += bytes.length;
  }

  /** A field of bytes. */
  delimited(tag: number, bytes: Uint8Array): void {
    this.varint(tag);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** A field of text in UTF-8; a lone surrogate becomes U+FFFD. */
  text(tag: number, text: string): void {
    const start = this.open(tag);
    this.need(UNIT * text.length);
    this.size += ENCODER.encodeInto(text, this.room.subarray(this.size)).written;
    this.close(start);
  }

  /** Begins a field with a length. Returns the place for `close`. */
  open(tag: number): number {
    this.varint(tag);
    return ++this.size;
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

  /** Room for `n` more bytes. */
  need(n: number): void {
    // The byte of `open` may be beyond the room.
    if (this.size + n > this.room.length) this.room = grown(this.room, this.size + n);
  }
}
