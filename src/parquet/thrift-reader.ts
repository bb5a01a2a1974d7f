/** Reads Thrift's compact protocol without a schema: a struct becomes its fields by number. */

export type Value = number | boolean | Uint8Array | Value[] | Fields;
export interface Fields {
  [id: number]: Value;
}

const DEEPEST = 16;

export class ThriftReader {
  private readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  private u8(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("parquet: the metadata ends inside a value");
    return byte;
  }

  private varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (scale > 2 ** 63) throw new RangeError("parquet: the metadata has a number of more than 64 bits");
    }
  }

  private zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  struct(depth = 0): Fields {
    if (depth > DEEPEST) throw new RangeError("parquet: the metadata is nested too deeply");
    const fields: Fields = {};
    for (let last = 0; ; ) {
      const head = this.u8();
      if (head === 0) return fields;
      const step = head >> 4;
      last = step === 0 ? this.zigzag() : last + step;
      fields[last] = this.value(head & 15, depth);
    }
  }

  private value(type: number, depth: number): Value {
    if (type === 1 || type === 2) return type === 1;
    if (type === 3) return this.u8();
    if (type >= 4 && type <= 6) return this.zigzag();
    if (type === 8) {
      const size = this.varint();
      if (size > this.bytes.length - this.at) throw new RangeError("parquet: the metadata ends inside a text");
      this.at += size;
      return this.bytes.subarray(this.at - size, this.at);
    }
    if (type === 9 || type === 10) return this.list(depth);
    if (type === 12) return this.struct(depth + 1);
    throw new RangeError(`parquet: the metadata has a value of type ${type}`);
  }

  private list(depth: number): Value[] {
    const head = this.u8();
    const count = head >> 4 === 15 ? this.varint() : head >> 4;
    const type = head & 15;
    if (count > this.bytes.length - this.at) throw new RangeError("parquet: the metadata ends inside a list");
    return Array.from({ length: count }, () => (type <= 2 ? this.u8() === 1 : this.value(type, depth)));
  }
}
