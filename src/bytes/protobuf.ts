/**
 * Protobuf's wire format (https://protobuf.dev/programming-guides/encoding/): wire types, varints, and the fields of a
 * message that is in memory. All varints are read here, those of Thrift, of Parquet and of the store, too.
 */

export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
export const FIXED32 = 5;
/** Bytes of a value of fixed size, by wire type. */
export const FIXED_BYTES: Partial<Record<number, number>> = { [FIXED64]: 8, [FIXED32]: 4 };
/** The longest varint: 64 bits in groups of 7. */
export const VARINT_BYTES = 10;

/** Results of `Varint.read` instead of a place. */
export const CUT = -1;
export const TOO_LONG = -2;

/** The last varint that was read. Two halves, because a bigint for each would take several times as long. */
export class Varint {
  /** The value as two unsigned halves. After CUT: of the bytes that there are. */
  low = 0;
  high = 0;
  /** False where the tenth byte has bits beyond 64, which are lost. */
  isWhole = true;

  /** Exact below 2⁵³. */
  get value(): number {
    return this.high * 2 ** 32 + this.low;
  }

  get long(): bigint {
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** Reads from the place `start` on. Returns the place after the varint; CUT at `end`; TOO_LONG after ten bytes. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const first = start < end ? (bytes[start] ?? 0) : 0x80;
    if (first < 0x80) {
      this.low = first;
      this.high = 0;
      this.isWhole = true;
      return start + 1;
    }
    let low = 0;
    let high = 0;
    let result = TOO_LONG;
    this.isWhole = true;
    for (let i = 0; i < VARINT_BYTES; i++) {
      if (start + i >= end) {
        result = CUT;
        break;
      }
      const byte = bytes[start + i] ?? 0;
      const bits = byte & 0x7f;
      if (i < 4) low |= bits << (7 * i);
      else if (i === 4) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (7 * i - 32);
      if (byte >= 0x80) continue;
      this.isWhole = i < VARINT_BYTES - 1 || byte <= 1;
      result = start + i + 1;
      break;
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
    return result;
  }
}

/** A field of a message in memory. */
export interface WireField {
  number: number;
  wire: number;
  /** The varint, or the bits of a value of fixed size. */
  bits: bigint;
  /** The bytes of a length-delimited value. */
  bytes: Uint8Array;
  /**
   * False where the message ends in the field, or where its wire type is not one of protobuf's. It is the last one
   * then.
   */
  isWhole: boolean;
}

const NO_BYTES = new Uint8Array(0);

/** The fields of a message in their order. Never reads beyond `bytes`, whatever a length says. */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  const varint = new Varint();
  let at = 0;
  let isWhole = true;
  const next = (): bigint => {
    const after = varint.read(bytes, at, bytes.length);
    if (after < 0) isWhole = false;
    at = after < 0 ? bytes.length : after;
    return varint.long;
  };
  while (at < bytes.length) {
    const tag = next();
    const wire = Number(tag & 7n);
    const field: WireField = { number: Number(tag >> 3n), wire, bits: 0n, bytes: NO_BYTES, isWhole };
    const size = FIXED_BYTES[wire];
    if (wire === DELIMITED) {
      const length = Number(next());
      field.bytes = bytes.subarray(at, at + length);
      at += length;
    } else if (wire === VARINT) field.bits = next();
    else if (size === undefined || at + size > bytes.length) isWhole = false;
    else {
      const view = new DataView(bytes.buffer, bytes.byteOffset + at);
      field.bits = wire === FIXED64 ? view.getBigUint64(0, true) : BigInt(view.getUint32(0, true));
      at += size;
    }
    field.isWhole = isWhole && at <= bytes.length;
    yield field;
    if (!field.isWhole) return;
  }
}
