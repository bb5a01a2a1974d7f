/**
 * Attribute values that are no scalar, as text: JSON with 64-bit integers as they are and bytes in hex. They come from the core
 * (assembly/read/otlp/any-value.ts), which wrote them, so nothing in them can be damaged.
 */

/** What stands in an AnyValue or a KeyValue: its last field. */
interface Field {
  number: number;
  /** A varint or the bits of a double. */
  bits: bigint;
  bytes: Uint8Array;
}

const DELIMITED = 2;
const FIXED64 = 1;

function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; at < bytes.length; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const field: Field = { number: tag >> 3, bits: 0n, bytes: new Uint8Array() };
    if ((tag & 7) === DELIMITED) {
      const length = Number(varint());
      field.bytes = bytes.subarray(at, at + length);
      at += length;
    } else if ((tag & 7) === FIXED64) {
      field.bits = new DataView(bytes.buffer, bytes.byteOffset + at).getBigUint64(0, true);
      at += 8;
    } else field.bits = varint();
    yield field;
  }
}

export function anyValueText(bytes: Uint8Array): string {
  let text = "null";
  for (const field of fieldsOf(bytes)) text = memberText(field);
  return text;
}

function memberText({ number, bits, bytes }: Field): string {
  switch (number) {
    case 1:
      return JSON.stringify(new TextDecoder().decode(bytes));
    case 2:
      return String(bits !== 0n);
    case 3:
      return BigInt.asIntN(64, bits).toString();
    case 4:
      return String(new Float64Array(BigUint64Array.of(bits).buffer)[0]);
    case 5:
      return `[${[...fieldsOf(bytes)].map((item) => anyValueText(item.bytes)).join(",")}]`;
    case 6:
      return `{${[...fieldsOf(bytes)].map((pair) => pairText(pair.bytes)).join(",")}}`;
    default:
      return JSON.stringify([...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
}

function pairText(bytes: Uint8Array): string {
  let key = '""';
  let value = "null";
  for (const { number, bytes: content } of fieldsOf(bytes)) {
    if (number === 1) key = JSON.stringify(new TextDecoder().decode(content));
    if (number === 2) value = anyValueText(content);
  }
  return `${key}:${value}`;
}
