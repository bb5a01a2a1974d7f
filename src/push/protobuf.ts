/** The fields of a receiver's answer in protobuf. */
import { DELIMITED, VARINT, wireFields } from "../bytes/protobuf.ts";

export type Field = { number: number; value: bigint | Uint8Array };

/** The varints and the length-delimited values in their order; null where the bytes are not a message. */
export function fieldsOf(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = [];
  for (const { number, wire, bits, bytes: content, isWhole } of wireFields(bytes)) {
    if (!isWhole) return null;
    if (wire === VARINT) fields.push({ number, value: bits });
    if (wire === DELIMITED) fields.push({ number, value: content });
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
