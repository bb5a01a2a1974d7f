/**
 * MessagePack as values of JavaScript, for the traces that Datadog's agent sends (the specification of msgpack.org).
 * Integers of 64 bits are BigInts, so that ids stay exact; maps are objects, binary data is a Uint8Array.
 */
const text = new TextDecoder();

export function unpack(bytes) {
  return new Reader(bytes).value();
}

/** Sizes of the integers 0xcc to 0xd3, and the methods of DataView that read them. */
const INTEGERS = [
  [1, "getUint8"],
  [2, "getUint16"],
  [4, "getUint32"],
  [8, "getBigUint64"],
  [1, "getInt8"],
  [2, "getInt16"],
  [4, "getInt32"],
  [8, "getBigInt64"],
];

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  value() {
    const type = this.number(1, "getUint8");
    if (type < 0x80) return type;
    if (type >= 0xe0) return type - 0x100;
    if (type < 0x90) return this.map(type & 15);
    if (type < 0xa0) return this.list(type & 15);
    if (type < 0xc0) return this.string(type & 31);
    if (type >= 0xcc && type <= 0xd3) return this.number(...INTEGERS[type - 0xcc]);
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return type === 0xc3;
      case 0xca:
        return this.number(4, "getFloat32");
      case 0xcb:
        return this.number(8, "getFloat64");
    }
    if (type >= 0xc4 && type <= 0xc6) return this.take(this.size(type - 0xc4));
    if (type >= 0xd9 && type <= 0xdb) return this.string(this.size(type - 0xd9));
    if (type === 0xdc || type === 0xdd) return this.list(this.size(type - 0xdc + 1));
    if (type === 0xde || type === 0xdf) return this.map(this.size(type - 0xde + 1));
    throw new Error(`msgpack: type 0x${type.toString(16)} at byte ${this.at - 1} is not read`);
  }

  /** An unsigned number of 1, 2 or 4 bytes. */
  size(step) {
    return this.number(...INTEGERS[step]);
  }

  number(bytes, method) {
    const value = this.view[method](this.at);
    this.at += bytes;
    return value;
  }

  take(size) {
    this.at += size;
    if (this.at > this.bytes.length) throw new Error(`msgpack: ${size} bytes at byte ${this.at - size} are cut off`);
    return this.bytes.subarray(this.at - size, this.at);
  }

  string(size) {
    return text.decode(this.take(size));
  }

  list(size) {
    return Array.from({ length: size }, () => this.value());
  }

  map(size) {
    return Object.fromEntries(Array.from({ length: size }, () => [this.value(), this.value()]));
  }
}
