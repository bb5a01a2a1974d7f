/** Parser of a receiver's answer, in protobuf or JSON. */
import { bytesOf, fieldsOf, numberOf } from "./protobuf.ts";

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
    return { rejected: integerOf(partial.rejectedProfiles), message: stringOf(partial.errorMessage) };
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
