/**
 * Messages for tests, written down as OTLP/JSON has them: plain objects, which become protobuf by the schema. Absent
 * fields are not written and present ones always are, so a test determines the bytes on the wire.
 */
import { type Field, type MessageType, TYPES } from "../../../src/otlp/schema.ts";

/** Keys are lowerCamelCase; 64-bit integers bigints or numbers, ids hex, other bytes base64. */
export type Plain = { [key: string]: unknown };

const utf8 = (text: string) => new TextEncoder().encode(text);

export function varint(value: bigint | number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

/** A field of wire type 2. */
export const delimited = (number: number, bytes: ArrayLike<number>) => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...Array.from(bytes),
];

function fixed64(write: (view: DataView) => void): number[] {
  const view = new DataView(new ArrayBuffer(8));
  write(view);
  return [...new Uint8Array(view.buffer)];
}

/** A value without its tag, and without its length if it is length-delimited. */
function bytesOf(field: Field, value: unknown): number[] {
  if (field.message !== null) return encoded(field.message, value as Plain);
  switch (field.kind) {
    case "string":
      return [...utf8(String(value))];
    case "bytes":
    case "payload":
      return [...Buffer.from(String(value), field.hexDigits > 0 ? "hex" : "base64")];
    case "double":
      return fixed64((view) => view.setFloat64(0, Number(value), true));
    case "fixed64":
      return fixed64((view) => view.setBigUint64(0, BigInt(value as bigint), true));
    case "bool":
      return [value === true ? 1 : 0];
    default:
      return varint(value as bigint);
  }
}

function encoded(type: MessageType, message: Plain): number[] {
  return type.fields.flatMap((field) => {
    const value = message[field.json];
    if (value === undefined) return [];
    const values = field.repeated ? (value as unknown[]) : [value];
    // Numbers in a row are packed.
    if (field.repeated && field.wire !== 2)
      return delimited(
        field.number,
        values.flatMap((item) => bytesOf(field, item)),
      );
    return values.flatMap((item) => {
      const bytes = bytesOf(field, item);
      return field.wire === 2 ? delimited(field.number, bytes) : [...varint(field.number * 8 + field.wire), ...bytes];
    });
  });
}

export function protobufOf(message: Plain): Uint8Array {
  return Uint8Array.from(encoded(TYPES.ProfilesData, message));
}

export function jsonTextOf(message: Plain): string {
  return JSON.stringify(message, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

export const jsonOf = (message: Plain) => utf8(jsonTextOf(message));
