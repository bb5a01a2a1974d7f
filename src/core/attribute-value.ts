/** Attributes of the store as values of this side. */
import type { Memory } from "./memory.ts";
import type { AttributeValue } from "./types.ts";

/** What is asked of the core (assembly/store/access.ts). */
interface Attributes {
  attributeType(attribute: number): number;
  attributeValue(attribute: number): bigint;
  stringPointer(string: number): number;
  stringSize(string: number): number;
  encodedPointer(encoded: number): number;
  encodedSize(encoded: number): number;
}

/** `ValueKind` of assembly/store/tables.ts. */
const NONE = 0;
const STRING = 1;
const BOOL = 2;
const DOUBLE = 4;
const ENCODED = 5;

export function attributeValue(wasm: Attributes, memory: Memory, attribute: number): AttributeValue {
  const value = wasm.attributeValue(attribute);
  const index = Number(BigInt.asUintN(32, value));
  switch (wasm.attributeType(attribute)) {
    case NONE:
      return "";
    case STRING:
      return memory.text(wasm.stringPointer(index), wasm.stringSize(index));
    case BOOL:
      return value !== 0n;
    case DOUBLE:
      return new Float64Array(BigUint64Array.of(BigInt.asUintN(64, value)).buffer)[0] ?? 0;
    case ENCODED:
      return memory.bytes(wasm.encodedPointer(index), wasm.encodedSize(index)).slice();
    default:
      return BigInt.asIntN(64, value);
  }
}
