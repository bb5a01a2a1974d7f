/** A message that message.ts has made as OTLP/JSON, by the fields of the schema. */
import { DELIMITED, FIXED64, Varint, wireFields } from "../../bytes/protobuf.ts";
import { type Field, type MessageType, TYPES } from "../../otlp/schema.ts";

export function jsonOf(message: Uint8Array, pretty: boolean): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(objectOf(TYPES.ProfilesData, message), null, pretty ? 2 : 0);
  return new TextEncoder().encode(text.replace(/("doubleValue": ?)"-0"/g, "$1-0.0"));
}

function objectOf(type: MessageType, message: Uint8Array): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { number, wire, bits, bytes } of wireFields(message)) {
    const field = type.byNumber[number]!;
    if (!field.repeated) object[field.json] = wire === DELIMITED ? contentOf(field, bytes) : numberOf(field, bits);
    else {
      object[field.json] ??= [];
      const list = object[field.json] as unknown[];
      if (field.wire === DELIMITED) list.push(contentOf(field, bytes));
      else unpack(field, bytes, list);
    }
  }
  return object;
}

function contentOf(field: Field, bytes: Uint8Array): unknown {
  if (field.message !== null) return objectOf(field.message, bytes);
  if (field.kind === "string") return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (field.hexDigits === 0) return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function numberOf(field: Field, bits: bigint): unknown {
  switch (field.kind) {
    case "bool":
      return bits !== 0n;
    case "int64":
      return String(BigInt.asIntN(64, bits));
    case "double": {
      const [double = 0] = new Float64Array(BigUint64Array.of(bits).buffer);
      // `JSON.stringify` has no negative zero.
      if (Object.is(double, -0)) return "-0";
      return Number.isFinite(double) ? double : String(double);
    }
    case "int32":
      return Number(bits);
    default:
      return String(bits);
  }
}

/** Adds the numbers of a packed field. */
function unpack(field: Field, bytes: Uint8Array, to: unknown[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const varint = new Varint();
  for (let at = 0; at < bytes.length; ) {
    if (field.wire === FIXED64) {
      to.push(String(view.getBigUint64(at, true)));
      at += 8;
    } else {
      at = varint.read(bytes, at, bytes.length);
      to.push(numberOf(field, varint.long));
    }
  }
}
