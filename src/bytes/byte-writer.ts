/** Bytes that are written one after the other, little-endian and not aligned, into an array that grows. */
const ENCODER = new TextEncoder();
/** Bytes of UTF-8 for a unit of UTF-16, at most. */
const UNIT = 3;

/** The halves of a number of 64 bits, of either sign. */
export const low = (value: bigint) => Number(value & 0xffff_ffffn);
export const high = (value: bigint) => Number((value >> 32n) & 0xffff_ffffn);

/** A copy with room for `size` elements, if it has less. */
export function grown<T extends Uint32Array | BigInt64Array | BigUint64Array | Uint8Array>(array: T, size: number): T {
  if (size <= array.length) return array;
  const larger = new (array.constructor as new (size: number) => T)(Math.max(size, 2 * array.length));
  larger.set(array as never);
  return larger;
}

export class ByteWriter {
  size = 0;
  protected room: Uint8Array<ArrayBuffer> = new Uint8Array(64);

  /** The bytes so far, valid until the next write. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.room.subarray(0, this.size);
  }

  /** A copy of the bytes so far. */
  taken(): Uint8Array<ArrayBuffer> {
    return this.room.slice(0, this.size);
  }

  /** Room for `n` more bytes. */
  need(n: number): void {
    if (this.size + n > this.room.length) this.room = grown(this.room, this.size + n);
  }

  byte(n: number): void {
    this.need(1);
    this.room[this.size++] = n;
  }

  word(n: number): void {
    this.need(4);
    const { room } = this;
    let { size } = this;
    room[size++] = n;
    room[size++] = n >>> 8;
    room[size++] = n >>> 16;
    room[size++] = n >>> 24;
    this.size = size;
  }

  /** 64 bits as two halves. */
  fixed64(low: number, high: number): void {
    this.need(8);
    const { room, size } = this;
    for (let i = 0; i < 4; i++) {
      room[size + i] = low >>> (8 * i);
      room[size + 4 + i] = high >>> (8 * i);
    }
    this.size = size + 8;
  }

  long(n: bigint): void {
    this.fixed64(low(n), high(n));
  }

  raw(bytes: Uint8Array): void {
    this.need(bytes.length);
    this.room.set(bytes, this.size);
    this.size += bytes.length;
  }

  /** A text in UTF-8; a lone surrogate becomes U+FFFD. Returns the number of its bytes. */
  utf8(text: string): number {
    this.need(UNIT * text.length);
    const { written } = ENCODER.encodeInto(text, this.room.subarray(this.size));
    this.size += written;
    return written;
  }
}
