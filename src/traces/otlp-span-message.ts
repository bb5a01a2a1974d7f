/** A Span and a Resource of OTLP in protobuf, in memory. Damage inside one throws SpanFault. */
import { hexOf } from "../bytes/hex.ts";
import { DELIMITED, FIXED64, VARINT, type WireField, wireFields } from "../bytes/protobuf.ts";
import type { Json } from "./json-value.ts";
import { KINDS } from "./otlp-json.ts";
import { NO_ID, type ParsedSpan, SpanFault } from "./span.ts";

/** Attributes inside each other that are read; deeper ones are null. */
const DEEPEST = 16;
const NO_BYTES = new Uint8Array(0);
const BROKEN_FIELD = "a field goes beyond its message";
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** A Span in memory. Fields of another wire type are passed. */
export function spanOf(message: Uint8Array): ParsedSpan {
  let end = 0n;
  const attributes = new Map<string, Json>();
  const span = { trace: 0n, id: 0n, parent: 0n, name: "", kind: "", status: 0, start: 0n };
  for (const { number, wire, bits, bytes, isWhole } of wireFields(message)) {
    if (!isWhole) throw new SpanFault(BROKEN_FIELD);
    if (wire === DELIMITED) {
      if (number === 1) span.trace = bigEndian(bytes, 16);
      else if (number === 2) span.id = bigEndian(bytes, 8);
      else if (number === 4) span.parent = bigEndian(bytes, 8);
      else if (number === 5) span.name = DECODER.decode(bytes);
      else if (number === 9) addPair(attributes, bytes, 0);
      else if (number === 15) span.status = statusOf(bytes);
    } else if (wire === VARINT && number === 6) span.kind = KINDS[Number(bits)] ?? "";
    else if (number === 7 && wire === FIXED64) span.start = bits;
    else if (number === 8 && wire === FIXED64) end = bits;
  }
  if (span.id === 0n) throw new SpanFault(NO_ID);
  return { ...span, service: "", resource: null, duration: end - span.start, instance: "", attributes };
}

/** The fields of a message inside a span or a resource. */
function* wholeFields(message: Uint8Array): Generator<WireField> {
  for (const field of wireFields(message)) {
    if (!field.isWhole) throw new SpanFault(BROKEN_FIELD);
    yield field;
  }
}

/** The last `most` bytes as a number: an id. */
function bigEndian(bytes: Uint8Array, most: number): bigint {
  return BigInt(`0x0${hexOf(bytes.subarray(Math.max(0, bytes.length - most)))}`);
}

/** The code of a Status. */
function statusOf(message: Uint8Array): number {
  let status = 0;
  for (const { number, wire, bits } of wholeFields(message)) if (number === 3 && wire === VARINT) status = Number(bits);
  return status <= 2 ? status : 0;
}

/** Attributes in field `number` of a message. */
export function attributesOf(message: Uint8Array, number: number, depth = 0): Map<string, Json> {
  const attributes = new Map<string, Json>();
  for (const field of wholeFields(message)) {
    if (field.number === number && field.wire === DELIMITED) addPair(attributes, field.bytes, depth);
  }
  return attributes;
}

/** Adds a KeyValue. */
function addPair(attributes: Map<string, Json>, message: Uint8Array, depth: number): void {
  let key = "";
  let value: Uint8Array = NO_BYTES;
  for (const { number, wire, bytes } of wholeFields(message)) {
    if (wire === DELIMITED && number === 1) key = DECODER.decode(bytes);
    if (wire === DELIMITED && number === 2) value = bytes;
  }
  attributes.set(key, anyValue(value, depth));
}

function anyValue(message: Uint8Array, depth: number): Json {
  let value: Json = null;
  for (const field of wholeFields(message)) value = memberOf(field, depth) ?? value;
  return value;
}

function memberOf({ number, wire, bits, bytes }: WireField, depth: number): Json | undefined {
  if (number === 2 && wire === VARINT) return bits !== 0n;
  if (number === 3 && wire === VARINT) return BigInt.asIntN(64, bits);
  if (number === 4 && wire === FIXED64) return new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? null;
  if (wire !== DELIMITED) return undefined;
  if (number === 1) return DECODER.decode(bytes);
  if (number === 7) return `0x${hexOf(bytes)}`;
  if (depth === DEEPEST) return null;
  if (number === 6) return attributesOf(bytes, 1, depth + 1);
  if (number !== 5) return undefined;
  return [...wholeFields(bytes)].filter((item) => item.number === 1).map((item) => anyValue(item.bytes, depth + 1));
}
