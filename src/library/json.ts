/** Answers as JSON. */

/**
 * For `JSON.stringify(answer, toJson)`: a bigint becomes a string of decimal digits, because most readers of JSON take
 * numbers above 2^53 inexactly, and a typed array becomes an array.
 */
export function toJson(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as Uint8Array);
  return value;
}
