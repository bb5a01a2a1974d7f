/**
 * Reads a file that file.ts wrote back into columns, whole. It knows the encodings that this program writes and no
 * others: engines and the page have readers for every file.
 */
import type { ColumnData, Dictionary, Values } from "./column-data.ts";
import { takeDeltas, takeHybrid, widthOf } from "./decodings.ts";
import type { Rows } from "./file.ts";
import type { Kernels } from "./kernels.ts";
import type { Column, ColumnType, Table } from "./schema.ts";
import { type Fields, ThriftReader } from "./thrift-reader.ts";

/** Decompresses a page with this codec of the format to so many bytes. */
export type Decompress = (codec: number, bytes: Uint8Array, size: number) => Uint8Array;

const Encoding = { plain: 0, delta: 5, dictionary: 8 } as const;
const DICTIONARY_PAGE = 2;
const FOOTER_TAIL = 8;
/** A text for any bytes. */
const decoder = new TextDecoder("latin1");

/** Values and levels of a leaf, of all row groups. */
interface LeafRows {
  definition: Uint8Array;
  repetition: Uint8Array;
  values: Growing;
}

/** `slice` of a buffer of Node is no copy. */
function plain({ buffer, byteOffset, length }: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

export function readFile(
  kernels: Kernels,
  table: Table,
  file: Uint8Array,
  decompress: Decompress,
): { rows: Rows; count: number } {
  const bytes = plain(file);
  const tail = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - FOOTER_TAIL, FOOTER_TAIL);
  const end = bytes.length - FOOTER_TAIL;
  const footer = new ThriftReader(bytes, end - tail.getUint32(0, true)).struct();
  const groups = footer[4] as Fields[];
  const rows: Rows = {};
  let leaf = 0;
  for (const column of table.columns) {
    const own = leavesOf(column.type).map((of) => leafRows(bytes, groups, leaf++, of, column, decompress));
    rows[column.name] = columnOf(kernels, column, own);
  }
  return { rows, count: footer[3] as number };
}

type Kind = "text" | "trace_id" | "int32" | "int64";

function leavesOf(type: ColumnType): Kind[] {
  if (type === "map<text,text>") return ["text", "text"];
  if (type === "list<int32>" || type === "int32") return ["int32"];
  if (type === "list<text>" || type === "text") return ["text"];
  return type === "trace_id" ? ["trace_id"] : ["int64"];
}

function isNested({ type }: Column): boolean {
  return type.includes("<");
}

function leafRows(
  bytes: Uint8Array,
  groups: readonly Fields[],
  leaf: number,
  of: Kind,
  column: Column,
  decompress: Decompress,
): LeafRows {
  const metadata = groups.map((group) => (group[1] as Fields[])[leaf]![3] as Fields);
  const levels = metadata.reduce((sum, chunk) => sum + (chunk[5] as number), 0);
  const out: LeafRows = {
    definition: new Uint8Array(levels),
    repetition: new Uint8Array(levels),
    values: new Growing(of, levels),
  };
  const mostDefinition = (column.nullable === true ? 1 : 0) + (isNested(column) ? 1 : 0);
  let at = 0;
  for (const chunk of metadata) {
    const count = chunk[5] as number;
    readChunk(bytes, chunk, out, at, { mostDefinition, mostRepetition: isNested(column) ? 1 : 0, decompress });
    at += count;
  }
  return out;
}

interface ChunkFacts {
  mostDefinition: number;
  mostRepetition: number;
  decompress: Decompress;
}

function readChunk(bytes: Uint8Array, chunk: Fields, out: LeafRows, first: number, facts: ChunkFacts): void {
  const codec = chunk[4] as number;
  const dictionaryAt = chunk[11] as number | undefined;
  let at = dictionaryAt ?? (chunk[9] as number);
  const end = first + (chunk[5] as number);
  for (let level = first; level < end; ) {
    const reader = new ThriftReader(bytes, at);
    const header = reader.struct();
    const stored = bytes.subarray(reader.at, reader.at + (header[3] as number));
    at = reader.at + stored.length;
    const page = plain(codec === 0 ? stored : facts.decompress(codec, stored, header[2] as number));
    if (header[1] === DICTIONARY_PAGE) {
      out.values.addDictionary(page, (header[7] as Fields)[1] as number);
      continue;
    }
    const { 1: count, 2: encoding } = header[5] as { 1: number; 2: number };
    readPage(page, out, level, count, encoding, facts);
    level += count;
  }
}

function readPage(
  page: Uint8Array,
  out: LeafRows,
  from: number,
  count: number,
  encoding: number,
  { mostDefinition, mostRepetition }: ChunkFacts,
): void {
  let at = 0;
  const levels = (most: number, target: Uint8Array): void => {
    if (most === 0) return;
    const size = new DataView(page.buffer, page.byteOffset + at, 4).getUint32(0, true);
    const found = new Uint32Array(count);
    takeHybrid(page, at + 4, widthOf(most), found, 0, count);
    target.set(found, from);
    at += 4 + size;
  };
  levels(mostRepetition, out.repetition);
  if (mostDefinition > 0) levels(mostDefinition, out.definition);
  else out.definition.fill(0, from, from + count);
  let there = 0;
  for (let i = from; i < from + count; i++) if (out.definition[i] === mostDefinition) there++;
  out.values.add(page, at, there, encoding);
}

/** Values of a leaf without those that are missing. */
class Growing {
  private readonly of: Kind;
  private readonly texts: Uint8Array[] = [];
  private readonly known = new Map<string, number>();
  private readonly codes: Uint32Array<ArrayBuffer>;
  private readonly words: Uint32Array<ArrayBuffer>;
  private numbers: Uint32Array = new Uint32Array();
  count = 0;

  constructor(of: Kind, most: number) {
    this.of = of;
    this.codes = new Uint32Array(of === "int64" ? 0 : most);
    this.words = new Uint32Array(of === "int64" ? 2 * most : 0);
  }

  /** Notes the values of a row group's dictionary. */
  addDictionary(page: Uint8Array, count: number): void {
    if (this.of === "text" || this.of === "trace_id") this.numbers = this.plainBytes(page, 0, count);
    else this.numbers = new Uint32Array(page.slice(0, count * (this.of === "int64" ? 8 : 4)).buffer);
  }

  /** Numbers of texts that begin at `at`. */
  private plainBytes(page: Uint8Array, start: number, count: number): Uint32Array {
    const view = new DataView(page.buffer, page.byteOffset, page.length);
    const numbers = new Uint32Array(count);
    let at = start;
    for (let i = 0; i < count; i++) {
      const size = this.of === "text" ? view.getUint32(at, true) : 16;
      if (this.of === "text") at += 4;
      numbers[i] = this.numberOf(page.subarray(at, at + size));
      at += size;
    }
    return numbers;
  }

  private numberOf(text: Uint8Array): number {
    const key = decoder.decode(text);
    const found = this.known.get(key);
    if (found !== undefined) return found;
    this.known.set(key, this.texts.length);
    return this.texts.push(text.slice()) - 1;
  }

  add(page: Uint8Array, at: number, count: number, encoding: number): void {
    const { count: from } = this;
    this.count += count;
    if (encoding === Encoding.dictionary) {
      const codes = new Uint32Array(count);
      if (count > 0) takeHybrid(page, at + 1, page[at]!, codes, 0, count);
      for (let i = 0; i < count; i++) this.put(from + i, codes[i]!);
    } else if (encoding === Encoding.delta) this.addDeltas(page, at, from, count);
    else if (encoding === Encoding.plain) this.addPlain(page, at, from, count);
    else throw new RangeError(`parquet: encoding ${encoding} is not one that this program writes`);
  }

  private put(row: number, code: number): void {
    if (this.of === "int64") {
      this.words[2 * row] = this.numbers[2 * code]!;
      this.words[2 * row + 1] = this.numbers[2 * code + 1]!;
    } else this.codes[row] = this.numbers[code]!;
  }

  private addDeltas(page: Uint8Array, at: number, from: number, count: number): void {
    if (this.of === "int64") {
      takeDeltas(page, at, this.words, from, from + count);
      return;
    }
    const words = new Uint32Array(2 * count);
    takeDeltas(page, at, words, 0, count);
    for (let i = 0; i < count; i++) this.codes[from + i] = words[2 * i]!;
  }

  private addPlain(page: Uint8Array, at: number, from: number, count: number): void {
    if (this.of === "text" || this.of === "trace_id") {
      this.codes.set(this.plainBytes(page, at, count), from);
      return;
    }
    const size = this.of === "int64" ? 8 : 4;
    const values = new Uint32Array(page.slice(at, at + size * count).buffer);
    if (this.of === "int64") this.words.set(values, 2 * from);
    else this.codes.set(values, from);
  }

  /** Values of all rows: those that are there in their order, the others `none`. */
  spread(kernels: Kernels, present: Uint8Array, isThere: (level: number) => boolean): Values {
    const rows = present.length;
    if (this.of === "int64") {
      return kernels.sparseLongs(this.spreadWords(present, isThere), (row) => isThere(present[row]!));
    }
    const codes = new Uint32Array(rows);
    const shift = this.of === "int32" ? 0 : 1;
    let n = 0;
    for (let i = 0; i < rows; i++) {
      if (isThere(present[i]!)) codes[i] = this.codes[n++]! + shift;
      else codes[i] = this.of === "int32" ? -1 : 0;
    }
    if (this.of === "int32") return { kind: "ints", values: new Int32Array(codes.buffer), hasNone: true };
    return { kind: "coded", codes, dictionary: this.dictionary(true), none: 0 };
  }

  spreadWords(present: Uint8Array, isThere: (level: number) => boolean): Uint32Array {
    const words = new Uint32Array(2 * present.length);
    let n = 0;
    for (let i = 0; i < present.length; i++) {
      if (!isThere(present[i]!)) continue;
      words[2 * i] = this.words[2 * n]!;
      words[2 * i + 1] = this.words[2 * n++ + 1]!;
    }
    return words;
  }

  /** All values, where none is missing. */
  all(): Values {
    if (this.of === "int64") return { kind: "longs", words: this.words.subarray(0, 2 * this.count), none: null };
    const codes = this.codes.subarray(0, this.count);
    if (this.of !== "int32") return { kind: "coded", codes, dictionary: this.dictionary(false), none: null };
    return { kind: "ints", values: new Int32Array(codes.buffer, codes.byteOffset, codes.length), hasNone: false };
  }

  /** `shifted`: code 0 is for a missing value. */
  private dictionary(shifted: boolean): Dictionary {
    const values = shifted ? [new Uint8Array(this.of === "trace_id" ? 16 : 0), ...this.texts] : this.texts;
    return { of: this.of === "trace_id" ? "trace_id" : "text", values };
  }
}

function columnOf(kernels: Kernels, column: Column, leaves: readonly LeafRows[]): ColumnData {
  const [first, second] = leaves as [LeafRows, LeafRows?];
  if (!isNested(column)) {
    if (column.nullable !== true) return first.values.all();
    const isThere = (level: number) => level === 1;
    // Times that are there are not 0.
    if (column.type === "timestamp")
      return { kind: "longs", words: first.values.spreadWords(first.definition, isThere), none: 0 };
    return first.values.spread(kernels, first.definition, isThere);
  }
  const { definition, repetition } = first;
  const most = column.nullable === true ? 2 : 1;
  let rows = 0;
  for (let i = 0; i < repetition.length; i++) if (repetition[i] === 0) rows++;
  const offsets = new Uint32Array(rows + 1);
  const absent = new Uint8Array(rows);
  let items = 0;
  let row = -1;
  for (let i = 0; i < definition.length; i++) {
    if (repetition[i] === 0) row++;
    if (definition[i] === most) items++;
    else if (column.nullable === true && definition[i] === 0) absent[row] = 1;
    offsets[row + 1] = items;
  }
  if (second !== undefined) return { kind: "map", offsets, keys: first.values.all(), values: second.values.all() };
  return { kind: "list", offsets, absent, items: first.values.all() };
}
