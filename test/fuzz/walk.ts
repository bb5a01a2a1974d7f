/**
 * Where the framing of a chunk is: its sizes, counts, lengths, keys and type ids, found by reading it as the format
 * says, from its own metadata. Independent of the reader under test, and for sound chunks with varints only: what a
 * walk cannot follow ends it, and the places found so far are.
 */

export const HEADER_FIELDS = [8, 16, 24, 32, 40, 48, 56] as const;

/** What is at a place; all are varints but `encoding` and `mask`, which are bytes. */
export type Place =
  | "event size"
  | "event type"
  | "event field"
  | "reference"
  | "array count"
  | "string length"
  | "encoding"
  | "string count"
  | "string index"
  | "attribute count"
  | "child count"
  | "delta"
  | "mask"
  | "pool count"
  | "pool type"
  | "entry count"
  | "key";

export interface Framing {
  places: Map<Place, number[]>;
  /** Where events start, the chunk's end last. */
  events: number[];
}

interface Field {
  type: number;
  pool: boolean;
  array: boolean;
}
interface Type {
  name: string;
  fields: Field[];
}

const VARINTS = ["long", "int", "short", "char"];
const FIXED: Record<string, number> = { boolean: 1, byte: 1, float: 4, double: 8 };
const DEPTH = 40;

class Walk implements Framing {
  readonly places = new Map<Place, number[]>();
  readonly events: number[] = [];
  private readonly bytes: Uint8Array;
  private readonly types = new Map<number, Type>();
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  private note(place: Place): void {
    const known = this.places.get(place);
    if (known === undefined) this.places.set(place, [this.at]);
    else known.push(this.at);
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("walk: behind the end");
    return byte;
  }

  /** Exact below 2⁵³, which sizes, counts and ids are. */
  private varint(place?: Place): number {
    if (place !== undefined) this.note(place);
    let value = 0;
    for (let i = 0, scale = 1; ; i++, scale *= 128) {
      const byte = this.byte();
      if (i === 8) return value + byte * scale;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  private text(): string {
    this.note("encoding");
    const encoding = this.byte();
    if (encoding < 2) return "";
    if (encoding === 2) {
      this.varint("reference");
      return "";
    }
    const length = this.varint("string length");
    if (encoding === 4) {
      let text = "";
      for (let i = 0; i < length; i++) text += String.fromCharCode(this.varint() & 0xffff);
      return text;
    }
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }

  private metadata(): void {
    for (let i = 0; i < 3; i++) this.varint();
    const count = this.varint("string count");
    const strings: string[] = [];
    for (let i = 0; i < count; i++) strings.push(this.text());
    this.element(strings, null, 0);
  }

  private element(strings: string[], owner: Type | null, depth: number): void {
    if (depth > DEPTH) throw new RangeError("walk: too deep");
    const word = strings[this.varint("string index")];
    const own: Record<string, string> = {};
    const attributes = this.varint("attribute count");
    for (let i = 0; i < attributes; i++) {
      const key = strings[this.varint("string index")] ?? "";
      own[key] = strings[this.varint("string index")] ?? "";
    }
    let inside = owner;
    if (word === "class") {
      inside = { name: own.name ?? "", fields: [] };
      this.types.set(Number(own.id), inside);
    } else if (word === "field") {
      const array = own.dimension !== undefined && own.dimension !== "0";
      owner?.fields.push({ type: Number(own.class), pool: own.constantPool !== undefined, array });
    }
    const children = this.varint("child count");
    for (let i = 0; i < children; i++) this.element(strings, inside, depth + 1);
  }

  private value(id: number, depth: number): void {
    const type = this.types.get(id);
    if (type === undefined || depth > DEPTH) throw new RangeError("walk: no such type");
    const fixed = FIXED[type.name];
    if (type.fields.length > 0) {
      for (const field of type.fields) this.field(field, depth);
    } else if (type.name === "java.lang.String") this.text();
    else if (VARINTS.includes(type.name)) this.varint("event field");
    else if (fixed !== undefined) this.at += fixed;
  }

  private field({ type, pool, array }: Field, depth: number): void {
    const count = array ? this.varint("array count") : 1;
    for (let i = 0; i < count; i++) {
      if (pool) this.varint("reference");
      else this.value(type, depth + 1);
    }
  }

  private checkpoint(): void {
    this.varint();
    this.varint();
    this.varint("delta");
    this.note("mask");
    this.at++;
    const pools = this.varint("pool count");
    for (let i = 0; i < pools; i++) {
      const type = this.varint("pool type");
      const entries = this.varint("entry count");
      for (let k = 0; k < entries; k++) {
        this.varint("key");
        this.value(type, 0);
      }
    }
  }

  /** Calls `visit` after the type of every event. If it throws, only the rest of that event is skipped. */
  private scan(visit: (type: number, start: number) => void): void {
    for (let p = 68; p < this.bytes.length; ) {
      this.at = p;
      const start = p;
      const size = this.varint("event size");
      const type = this.varint("event type");
      if (size < 2 || p + size > this.bytes.length) return;
      p += size;
      try {
        visit(type, start);
      } catch {
        // The places before that are.
      }
    }
  }

  walk(): void {
    // The JDK writes its metadata last.
    this.scan((type) => {
      if (type === 0) this.metadata();
    });
    this.places.clear();
    this.scan((type, start) => {
      this.events.push(start);
      if (type === 0) this.metadata();
      else if (type === 1) this.checkpoint();
      else this.value(type, 0);
    });
  }
}

/** The framing of one chunk. */
export function framingOf(chunk: Uint8Array): Framing {
  const walk = new Walk(chunk);
  try {
    walk.walk();
  } catch {
    // An event whose size cannot be read.
  }
  walk.events.push(chunk.length);
  return walk;
}

/** The chunks of a sound file, by the sizes in their headers. */
export function chunksOf(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at + 68 <= file.length; ) {
    const size = Number(view.getBigInt64(at + 8));
    if (size < 68) break;
    chunks.push(file.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
