/**
 * Attribute values that are not scalars: an AnyValue in protobuf, in the form that assembly/read/encoded.ts defines.
 * The core makes values of that form; values of a caller are checked (`encodedFault`). The reader never reads beyond
 * its bytes, even if a length in them is wrong.
 */

import * as Limits from "../../../assembly/abi/limits.ts";
import { DELIMITED, FIXED64, VARINT, type WireField, wireFields } from "../../bytes/protobuf.ts";

/** Wire types of the members of an AnyValue, by number. */
const MEMBERS = [-1, DELIMITED, VARINT, VARINT, FIXED64, DELIMITED, DELIMITED, DELIMITED];

/** The value as JSON: 64-bit integers as numbers, bytes in hex. */
export function anyValueText(bytes: Uint8Array): string {
  const [member] = wireFields(bytes);
  return member === undefined ? "null" : memberText(member);
}

function memberText({ number, bits, bytes }: WireField): string {
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
      return `[${[...wireFields(bytes)].map((item) => anyValueText(item.bytes)).join(",")}]`;
    case 6:
      return `{${[...wireFields(bytes)].map((pair) => pairText(pair.bytes)).join(",")}}`;
    case 7:
      return JSON.stringify([...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    default:
      return "null";
  }
}

function pairText(bytes: Uint8Array): string {
  let key = '""';
  let value = "null";
  for (const { number, bytes: content } of wireFields(bytes)) {
    if (number === 1) key = JSON.stringify(new TextDecoder().decode(content));
    if (number === 2) value = anyValueText(content);
  }
  return `${key}:${value}`;
}

/** Why `bytes` is not an AnyValue of the form above; null if it is one. `depth`: number of lists around it. */
export function encodedFault(bytes: Uint8Array, depth = 0): string | null {
  const members = [...wireFields(bytes)];
  const [member] = members;
  if (member === undefined) return null;
  if (members.length > 1) return "several members";
  const { number, wire, isWhole } = member;
  if (number === 0 || MEMBERS[number] !== wire) return `a field ${number} of wire type ${wire}`;
  if (!isWhole) return `field ${number} ends beyond the value`;
  if (number === 1) return textFault(member.bytes);
  if (number !== 5 && number !== 6) return null;
  if (depth === Limits.MAX_DEPTH) return `more than ${Limits.MAX_DEPTH} nested lists`;
  return listFault(member.bytes, number === 6, depth + 1);
}

function textFault(bytes: Uint8Array): string | null {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return null;
  } catch {
    return "a text that is not UTF-8";
  }
}

function listFault(bytes: Uint8Array, pairs: boolean, depth: number): string | null {
  const keys = new Set<string>();
  for (const { number, wire, isWhole, bytes: content } of wireFields(bytes)) {
    if (number !== 1 || wire !== DELIMITED || !isWhole) return "a list with a member that is not an element";
    const fault = pairs ? pairFault(content, keys, depth) : encodedFault(content, depth);
    if (fault !== null) return fault;
  }
  return null;
}

function pairFault(bytes: Uint8Array, keys: Set<string>, depth: number): string | null {
  const [key, value, more] = wireFields(bytes);
  const sound = key?.number === 1 && key.wire === DELIMITED && key.isWhole && more === undefined;
  if (!sound || (value !== undefined && (value.number !== 2 || value.wire !== DELIMITED || !value.isWhole))) {
    return "a pair that is not a key and its value";
  }
  const fault = textFault(key.bytes);
  if (fault !== null) return fault;
  const name = new TextDecoder().decode(key.bytes);
  if (keys.has(name)) return `the key ${JSON.stringify(name)} twice in one list`;
  keys.add(name);
  return value === undefined ? null : encodedFault(value.bytes, depth);
}
