/** Bytes that are written one after the other. */
export class Sink {
  bytes = new Uint8Array(1 << 8);
  size = 0;

  /** Makes room for so many bytes more. */
  reserve(more: number): void {
    if (this.size + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.size + more));
    grown.set(this.bytes.subarray(0, this.size));
    this.bytes = grown;
  }

  clear(): void {
    this.size = 0;
  }

  u8(value: number): void {
    this.reserve(1);
    this.bytes[this.size++] = value;
  }

  u32(value: number): void {
    this.reserve(4);
    const { bytes } = this;
    bytes[this.size++] = value;
    bytes[this.size++] = value >>> 8;
    bytes[this.size++] = value >>> 16;
    bytes[this.size++] = value >>> 24;
  }

  put(more: Uint8Array): void {
    this.reserve(more.length);
    this.bytes.set(more, this.size);
    this.size += more.length;
  }

  /** An unsigned number below 2^53 as a varint. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.size++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.size++] = rest;
  }

  /** A whole number of less than 53 bits, small ones of either sign in few bytes. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A whole number of 64 bits. */
  longZigzag(value: bigint): void {
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    for (; rest >= 0x80n; rest >>= 7n) this.u8(Number(rest & 0x7fn) | 0x80);
    this.u8(Number(rest));
  }

  /** A copy. */
  taken(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.size);
  }
}
