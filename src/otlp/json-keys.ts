/** Lookup of the field for a key, by its bytes: most of a message in JSON is keys. */
import { type Field, type MessageType, TYPES } from "./schema.ts";
import type { EncodingCode } from "./sink.ts";

export interface Key {
  /** Null for a key of an earlier layout, whose meaning no field has. */
  readonly field: Field | null;
  /** Code of the fault of this spelling; null if it is correct. */
  readonly code: EncodingCode | null;
  readonly text: string;
}

/** Fields that were called otherwise in earlier versions. */
const FORMER: [string, string, string][] = [
  ["Profile", "samples", "sample"],
  ["Profile", "time_unix_nano", "timeNanos"],
  ["Profile", "duration_nano", "durationNanos"],
  ["Location", "lines", "line"],
  ["ValueType", "type_strindex", "type"],
  ["ValueType", "unit_strindex", "unit"],
];

/** Fields that only layouts before v1.8 have. */
const EARLIER: [string, string][] = [
  ["Sample", "locationsStartIndex"],
  ["Sample", "locationsLength"],
  ["Profile", "locationIndices"],
  ["Profile", "stringTable"],
  ["Profile", "locationTable"],
];

class KeysOf {
  private readonly keys: (Key & { readonly bytes: Uint8Array })[][] = [];

  constructor(type: MessageType) {
    for (const field of type.fields) {
      this.add({ field, code: null, text: field.json });
      if (field.name !== field.json) this.add({ field, code: "snake-case", text: field.name });
    }
    for (const [owner, name, text] of FORMER) {
      const field = type.fields.find((f) => f.name === name);
      if (owner === type.name && field !== undefined) this.add({ field, code: "old-key", text });
    }
    for (const [owner, text] of EARLIER) {
      if (owner === type.name) this.add({ field: null, code: "earlier-key", text });
    }
  }

  find(bytes: Uint8Array, start: number, end: number): Key | null {
    for (const key of this.keys[hashOf(bytes, start, end)] ?? []) {
      if (key.bytes.length === end - start && startsWith(bytes, start, key.bytes)) return key;
    }
    return null;
  }

  private add(key: Key): void {
    const bytes = new TextEncoder().encode(key.text);
    const hash = hashOf(bytes, 0, bytes.length);
    this.keys[hash] = [...(this.keys[hash] ?? []), { ...key, bytes }];
  }
}

function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[at + i] !== start[i]) return false;
  return true;
}

/** 0 to 255; nearly all keys of a message differ in it. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  return (
    ((bytes[start] ?? 0) * 7 + (bytes[start + (length >> 1)] ?? 0) * 5 + (bytes[end - 1] ?? 0) * 3 + length) & 0xff
  );
}

const KEYS = new Map(Object.values(TYPES).map((type) => [type, new KeysOf(type)]));

/** The field of a message that a key names, bytes [start, end). */
export function keyOf(type: MessageType, bytes: Uint8Array, start: number, end: number): Key | null {
  return KEYS.get(type)?.find(bytes, start, end) ?? null;
}
