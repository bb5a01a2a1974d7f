/**
 * Writes JFR chunks from a description, by the format's rules and not by the reader's: types, then metadata events,
 * checkpoints and events in any order. What a value's bytes are follows from the type of its field.
 */

import { Out, Text } from "./jfr-bytes.ts";

export interface FieldSpec {
  name: string;
  /** Name of a type: of this chunk, or one of the primitives. */
  type: string;
  /** A key into the pool of the type. */
  pool?: boolean;
  array?: boolean;
  /** Value of an annotation of class `annotation` (jdk.jfr.Timespan by default), which may have no value. */
  unit?: string;
  annotation?: string;
}

export interface TypeSpec {
  name: string;
  fields?: FieldSpec[];
  /** Decimal, or anything else that a broken file may say; the next free number where it is left out. */
  id?: bigint | string;
  superType?: string;
  simple?: boolean;
}

export type Value = bigint | number | boolean | string | null | Text | Value[] | { [field: string]: Value };
export type Pool = { type: string; entries: [bigint, Value][] };

export type Item =
  | { event: string; values: Record<string, Value>; size?: number; cut?: number }
  /** `delta` in place of the one that leads to the checkpoint before. */
  | { checkpoint: Pool[]; delta?: bigint; mask?: number }
  | { metadata: TypeSpec[] }
  | { raw: ArrayLike<number> };

export interface ChunkSpec {
  types: TypeSpec[];
  /** In the order of the file; a metadata event is put at the end where none is among them, unless `bare`. */
  items: Item[];
  bare?: boolean;
  compressed?: boolean;
  /** Bytes that a varint takes at least. */
  padding?: number;
  major?: number;
  minor?: number;
  startNanos?: bigint;
  durationNanos?: bigint;
  startTicks?: bigint;
  ticksPerSecond?: bigint;
  state?: number;
  /** Header fields in place of the true ones. */
  size?: bigint;
  poolOffset?: bigint;
  metadataOffset?: bigint;
}

const PRIMITIVES = ["boolean", "char", "float", "double", "byte", "short", "int", "long", "java.lang.String"];
const ANNOTATIONS = ["Timespan", "Timestamp", "DataAmount", "Unsigned", "Percentage", "Contextual"].map(
  (name) => `jdk.jfr.${name}`,
);

/** The id of the first type of a spec that brings all its types itself: the bare ones are before it. */
export const FIRST_TYPE = 100 + PRIMITIVES.length + ANNOTATIONS.length;

interface Type {
  spec: TypeSpec;
  id: bigint;
}

function namedTypes(specs: TypeSpec[]): Map<string, Type> {
  const types = new Map<string, Type>();
  let next = 100n;
  const bare = [...PRIMITIVES, ...ANNOTATIONS].filter((name) => !specs.some((spec) => spec.name === name));
  for (const spec of [...bare.map((name): TypeSpec => ({ name })), ...specs]) {
    const id = typeof spec.id === "bigint" ? spec.id : next++;
    types.set(spec.name, { spec, id });
  }
  return types;
}

function isPrimitive(type: Type | undefined): boolean {
  return type !== undefined && PRIMITIVES.includes(type.spec.name) && (type.spec.fields?.length ?? 0) === 0;
}

class ChunkWriter {
  private readonly types: Map<string, Type>;
  private readonly out: Out;
  private readonly spec: ChunkSpec;
  readonly offsets: number[] = [];
  private lastCheckpoint = 0;
  private lastMetadata = 0;

  constructor(spec: ChunkSpec) {
    this.spec = spec;
    this.types = namedTypes(spec.types);
    this.out = this.fresh().raw(new Uint8Array(68));
  }

  private fresh(): Out {
    return new Out(this.spec.compressed ?? true, this.spec.padding ?? 1);
  }

  private idOf(name: string): bigint {
    const type = this.types.get(name);
    if (type === undefined) throw new Error(`builder: no type ${name}`);
    return type.id;
  }

  private primitive(out: Out, name: string, value: Value): void {
    if (name === "java.lang.String") {
      if (value instanceof Text) value.bytes(out);
      else out.text(value as string | null);
    } else if (name === "boolean") out.byte(value ? 1 : 0);
    else if (name === "byte") out.byte(Number(value));
    else if (name === "float") out.raw(new Uint8Array(Float32Array.of(Number(value)).buffer).reverse());
    else if (name === "double") out.raw(new Uint8Array(Float64Array.of(Number(value)).buffer).reverse());
    else if (name === "long") out.long(BigInt(value as bigint | number));
    else if (name === "int") out.int(Number(value));
    else out.short(Number(value));
  }

  private value(out: Out, name: string, value: Value): void {
    const type = this.types.get(name);
    if (type === undefined) throw new Error(`builder: no type ${name}`);
    if (isPrimitive(type)) {
      this.primitive(out, name, value);
      return;
    }
    const record = value as Record<string, Value>;
    for (const field of type.spec.fields ?? []) {
      const one = (v: Value) => (field.pool ? out.long(BigInt(v as bigint)) : this.value(out, field.type, v));
      const v = record[field.name];
      if (v === undefined) throw new Error(`builder: ${name}.${field.name} has no value`);
      if (!field.array) one(v);
      else {
        out.int((v as Value[]).length);
        for (const element of v as Value[]) one(element);
      }
    }
  }

  private metadata(specs: TypeSpec[]): Out {
    const strings: string[] = [];
    const tree = this.fresh();
    const string = (text: string) => {
      const known = strings.indexOf(text);
      if (known >= 0) return known;
      return strings.push(text) - 1;
    };
    const element = (name: string, attributes: [string, string][], children: number) => {
      tree.int(string(name)).int(attributes.length);
      for (const [key, value] of attributes) tree.int(string(key)).int(string(value));
      tree.int(children);
    };
    element("root", [], 2);
    const names = [...this.types.values()].filter(
      ({ spec }) => specs.includes(spec) || !this.spec.types.includes(spec),
    );
    element("metadata", [], names.length);
    for (const { spec, id } of names) {
      const attributes: [string, string][] = [["id", typeof spec.id === "string" ? spec.id : id.toString()]];
      if (spec.name !== "") attributes.unshift(["name", spec.name]);
      if (spec.superType !== undefined) attributes.push(["superType", spec.superType]);
      if (spec.simple) attributes.push(["simpleType", "true"]);
      element("class", attributes, spec.fields?.length ?? 0);
      for (const field of spec.fields ?? []) {
        const own: [string, string][] = [
          ["name", field.name],
          ["class", (this.types.get(field.type)?.id ?? 99_999n).toString()],
        ];
        if (field.pool) own.push(["constantPool", "true"]);
        if (field.array) own.push(["dimension", "1"]);
        const { unit, annotation } = field;
        const annotated = unit !== undefined || annotation !== undefined;
        element("field", own, annotated ? 1 : 0);
        if (annotated) {
          const about: [string, string][] = [["class", this.idOf(annotation ?? "jdk.jfr.Timespan").toString()]];
          if (unit !== undefined) about.push(["value", unit]);
          element("annotation", about, 0);
        }
      }
    }
    element("region", [["locale", "en_US"]], 0);
    const body = this.fresh().long(0n).long(0n).long(0n).long(1n).int(strings.length);
    for (const text of strings) body.text(text);
    return body.raw(tree.bytes);
  }

  private checkpoint(pools: Pool[], delta: bigint, mask: number): Out {
    const body = this.fresh().long(1n).long(0n).long(0n).long(delta).byte(mask).int(pools.length);
    for (const { type, entries } of pools) {
      body.long(this.idOf(type)).int(entries.length);
      for (const [key, value] of entries) {
        body.long(key);
        this.value(body, type, value);
      }
    }
    return body;
  }

  private add(item: Item): void {
    const at = this.out.bytes.length;
    this.offsets.push(at);
    if ("raw" in item) {
      this.out.raw(item.raw);
    } else if ("metadata" in item) {
      this.out.sized(this.metadata(item.metadata));
      this.lastMetadata = at;
    } else if ("checkpoint" in item) {
      const back = this.lastCheckpoint === 0 ? 0n : BigInt(this.lastCheckpoint - at);
      this.out.sized(this.checkpoint(item.checkpoint, item.delta ?? back, item.mask ?? 0));
      this.lastCheckpoint = at;
    } else {
      const body = this.fresh().long(this.idOf(item.event));
      this.value(body, item.event, item.values);
      if (item.cut !== undefined) body.bytes.length -= item.cut;
      this.out.sized(body, item.size);
    }
  }

  write(): Uint8Array<ArrayBuffer> {
    for (const item of this.spec.items) this.add(item);
    if (this.lastMetadata === 0 && !this.spec.bare) this.add({ metadata: this.spec.types });
    const { spec } = this;
    const head = new Out()
      .raw([0x46, 0x4c, 0x52, 0])
      .big(BigInt(spec.major ?? 2), 2)
      .big(BigInt(spec.minor ?? 1), 2)
      .big(spec.size ?? BigInt(this.out.bytes.length), 8)
      .big(spec.poolOffset ?? BigInt(this.lastCheckpoint), 8)
      .big(spec.metadataOffset ?? BigInt(this.lastMetadata), 8)
      .big(spec.startNanos ?? 1_700_000_000_000_000_000n, 8)
      .big(spec.durationNanos ?? 60_000_000_000n, 8)
      .big(spec.startTicks ?? 0n, 8)
      .big(spec.ticksPerSecond ?? 1_000_000_000n, 8)
      .byte(spec.state ?? 0)
      .byte(0)
      .big(spec.compressed === false ? 0n : 1n, 2);
    const bytes = Uint8Array.from(this.out.bytes);
    bytes.set(head.bytes);
    return bytes;
  }
}

export interface BuiltChunk {
  bytes: Uint8Array<ArrayBuffer>;
  /** Where each item starts; the last one is the metadata event put after them, where there was none. */
  offsets: number[];
}

export function buildChunk(spec: ChunkSpec): BuiltChunk {
  const writer = new ChunkWriter(spec);
  return { bytes: writer.write(), offsets: writer.offsets };
}
