/** Fields of a protobuf message, as much as the short answers of a receiver need. */

const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** Bytes of the values that have no length of their own, by wire type. */
const FIXED: Partial<Record<number, number>> = { 1: 8, 5: 4 };
const VARINT_BYTES = 10;

export type Field = { number: number; value: bigint | Uint8Array };

/** The varints and what has a length, in their order; null when the bytes are no message. */
export function fieldsOf(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint | null => {
    let value = 0n;
    for (let i = 0; i < VARINT_BYTES; i++) {
      const byte = bytes[at++];
      if (byte === undefined) return null;
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return null;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag === null) return null;
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    const value = wireType === VARINT || wireType === LENGTH_DELIMITED ? varint() : 0n;
    const size = wireType === LENGTH_DELIMITED ? Number(value) : FIXED[wireType];
    if (value === null || (size === undefined && wireType !== VARINT) || at + (size ?? 0) > bytes.length) return null;
    if (wireType === VARINT) fields.push({ number, value });
    if (wireType === LENGTH_DELIMITED) fields.push({ number, value: bytes.subarray(at, at + Number(value)) });
    at += size ?? 0;
  }
  return fields;
}

/** A field set twice has its last value. */
export function numberOf(fields: Field[], number: number): bigint {
  const value = fields.findLast((field) => field.number === number)?.value;
  return typeof value === "bigint" ? BigInt.asIntN(64, value) : 0n;
}

export function bytesOf(fields: Field[], number: number): Uint8Array {
  const value = fields.findLast((field) => field.number === number)?.value;
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}
