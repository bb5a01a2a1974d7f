/** Parser of a receiver's answer, in protobuf or JSON. */
import { DELIMITED, VARINT, wireFields } from "../bytes/protobuf.ts";

/** ExportProfilesServiceResponse.partial_success; a message with no rejections is a warning. */
export interface PartialSuccess {
  rejected: bigint;
  message: string;
}

/** google.rpc.Status, the body of every refusal. */
export interface Status {
  code: number;
  message: string;
}

const NOTHING: PartialSuccess = { rejected: 0n, message: "" };
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
/** Characters of a receiver's message that are reported. */
const MESSAGE_CAP = 1000;

type Members = Record<string, unknown>;

function parse(body: Uint8Array): Members | null {
  try {
    return membersOf(JSON.parse(text(body)));
  } catch {
    return null;
  }
}

function membersOf(value: unknown): Members | null {
  return typeof value === "object" && value !== null ? (value as Members) : null;
}

/** 64-bit numbers are strings in OTLP/JSON; some receivers write them as numbers. */
function integerOf(value: unknown): bigint {
  return /^-?\d{1,20}$/.test(String(value)) ? BigInt(String(value)) : 0n;
}

const stringOf = (value: unknown) => (typeof value === "string" ? value.slice(0, MESSAGE_CAP) : "");

/** The rejected part of an accepted message. An unreadable answer has no such part. */
export function readPartialSuccess(body: Uint8Array, json: boolean): PartialSuccess {
  if (json) {
    const partial = membersOf(parse(body)?.partialSuccess);
    if (partial === null) return NOTHING;
    const { rejectedProfiles, rejectedSpans, rejectedLogRecords } = partial;
    const rejected = integerOf(rejectedProfiles ?? rejectedSpans ?? rejectedLogRecords);
    return { rejected, message: stringOf(partial.errorMessage) };
  }
  const partial = fieldsOf(bytesOf(fieldsOf(body) ?? [], 1));
  return partial === null ? NOTHING : { rejected: numberOf(partial, 1), message: stringOf(text(bytesOf(partial, 2))) };
}

/** Why a message was refused; null where the body is something else, as that of a proxy in between. */
export function readStatus(body: Uint8Array, json: boolean): Status | null {
  if (json) {
    const status = parse(body);
    if (status === null) return null;
    return { code: Number(integerOf(status.code)), message: stringOf(status.message) };
  }
  const status = fieldsOf(body);
  return status === null ? null : { code: Number(numberOf(status, 1)), message: stringOf(text(bytesOf(status, 2))) };
}

type Field = { number: number; value: bigint | Uint8Array };

/** The varints and the length-delimited values in their order; null where the bytes are not a message. */
function fieldsOf(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = [];
  for (const { number, wire, bits, bytes: content, isWhole } of wireFields(bytes)) {
    if (!isWhole) return null;
    if (wire === VARINT) fields.push({ number, value: bits });
    if (wire === DELIMITED) fields.push({ number, value: content });
  }
  return fields;
}

/** A field set twice has its last value. */
function numberOf(fields: Field[], number: number): bigint {
  const value = fields.findLast((field) => field.number === number)?.value;
  return typeof value === "bigint" ? BigInt.asIntN(64, value) : 0n;
}

function bytesOf(fields: Field[], number: number): Uint8Array {
  const value = fields.findLast((field) => field.number === number)?.value;
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}
