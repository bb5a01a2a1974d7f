/** Attributes of the store as JavaScript values. */
import * as ValueKind from "../../assembly/abi/value-kind.ts";
import type { Memory } from "./memory.ts";
import type { AttributeValue } from "./types.ts";

/** Functions of the core that this file calls (assembly/store/access.ts). */
interface Attributes {
  attributeType(attribute: number): number;
  attributeValue(attribute: number): bigint;
  stringPointer(string: number): number;
  stringSize(string: number): number;
  encodedPointer(encoded: number): number;
  encodedSize(encoded: number): number;
}

export function attributeValue(wasm: Attributes, memory: Memory, attribute: number): AttributeValue {
  const value = wasm.attributeValue(attribute);
  const index = Number(BigInt.asUintN(32, value));
  switch (wasm.attributeType(attribute)) {
    case ValueKind.None:
      return "";
    case ValueKind.Text:
      return memory.text(wasm.stringPointer(index), wasm.stringSize(index));
    case ValueKind.Bool:
      return value !== 0n;
    case ValueKind.Double:
      return new Float64Array(BigUint64Array.of(BigInt.asUintN(64, value)).buffer)[0] ?? 0;
    case ValueKind.Encoded:
      return memory.bytes(wasm.encodedPointer(index), wasm.encodedSize(index)).slice();
    default:
      return BigInt.asIntN(64, value);
  }
}
