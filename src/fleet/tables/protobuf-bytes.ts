/** Messages of protobuf as bytes: fields that are appended one by one. */

const WORDS = new TextEncoder();
const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;

export class Bytes {
  private bytes = new Uint8Array(1024);
  private view = new DataView(this.bytes.buffer);
  private length = 0;

  private need(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.length + count, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  private plain(value: number): void {
    this.need(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  private big(value: bigint): void {
    this.need(10);
    let rest = BigInt.asUintN(64, value);
    while (rest >= 0x80n) {
      this.bytes[this.length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.bytes[this.length++] = Number(rest);
  }

  private tag(field: number, wire: number): void {
    this.plain(field * 8 + wire);
  }

  number(field: number, value: number): void {
    if (value === 0) return;
    this.tag(field, VARINT);
    this.plain(value);
  }

  int64(field: number, value: bigint): void {
    this.tag(field, VARINT);
    this.big(value);
  }

  fixed64(field: number, value: bigint): void {
    this.tag(field, FIXED64);
    this.need(8);
    this.view.setBigUint64(this.length, BigInt.asUintN(64, value), true);
    this.length += 8;
  }

  delimited(field: number, value: Uint8Array): void {
    this.tag(field, DELIMITED);
    this.plain(value.length);
    this.need(value.length);
    this.bytes.set(value, this.length);
    this.length += value.length;
  }

  text(field: number, value: string): void {
    this.delimited(field, WORDS.encode(value));
  }

  message(field: number, write: (inner: Bytes) => void): void {
    const inner = new Bytes();
    write(inner);
    this.delimited(field, inner.taken());
  }

  packed(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const inner = new Bytes();
    for (const value of values) inner.plain(value);
    this.delimited(field, inner.taken());
  }

  packedInt64(field: number, values: readonly bigint[]): void {
    const inner = new Bytes();
    for (const value of values) inner.big(value);
    this.delimited(field, inner.taken());
  }

  packedFixed64(field: number, values: readonly bigint[]): void {
    const inner = new Bytes();
    for (const value of values) {
      inner.need(8);
      inner.view.setBigUint64(inner.length, BigInt.asUintN(64, value), true);
      inner.length += 8;
    }
    this.delimited(field, inner.taken());
  }

  taken(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}
