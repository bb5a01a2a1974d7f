/**
 * A Parquet file of a table: row groups, bloom filters, indexes and the footer. In a file of several row groups, each
 * is followed by a separate footer with this group only. A reader that knows its end needs no other footer:
 *
 *   "PAR1", group, zeros, footer of the group, group, zeros, footer of the group …, bloom filters, footer of the file
 */
import { ByteWriter } from "../../bytes/byte-writer.ts";
import { VERSION } from "../../core/version.ts";
import { bloomChecks, checksum, EXTENSION, MARK, packed } from "./checks.ts";
import { type Chunk, type Codec, chunkOf } from "./column-chunk.ts";
import { type ColumnData, type How, pickedLongs } from "./column-data.ts";
import { Converted, Logical, MICROSECONDS, Physical, Repetition } from "./format.ts";
import type { Kernels } from "./kernels.ts";
import { type Leaf, leavesOf } from "./leaf.ts";
import { GROUP_UNIT, GROUPS_NOTE } from "./parts.ts";
import { type Column, FORMAT_NAME, FORMAT_VERSION, type Table } from "./schema.ts";
import { Thrift } from "./thrift.ts";

export const MAGIC = new TextEncoder().encode("PAR1");

export interface FileOptions {
  kernels: Kernels;
  codec: Codec;
  groupRows: number;
  /** First rows of the row groups, if these are not of `groupRows` each. */
  starts?: readonly number[];
  pageRows: number;
  /** Encodings of columns by name. */
  how: (column: string) => How;
  /** Further texts of the footer by name. */
  notes?: Readonly<Record<string, string>>;
}

/** Columns of a table by name, with as many rows each. */
export type Rows = Record<string, ColumnData>;

/** The same, made one after the other: of large tables one is in memory. */
export type Columns = (name: string) => ColumnData | undefined;

/** Gets the bytes of the file, from the first on. */
export type Put = (bytes: Uint8Array) => void;

/** What a column took in a file, for measurements. */
export type Sizes = Map<string, number>;

/** Row groups of a file: in a file with more rows they are larger. */
const MOST_GROUPS = 64;

interface Group {
  rows: number;
  chunks: { chunk: Chunk; at: number; bloom: Uint8Array | null; bloomAt: number; indexAt: Place; offsetsAt: Place }[];
}
interface Place {
  at: number;
  size: number;
  check: number;
}

const NOWHERE: Place = { at: 0, size: 0, check: 0 };
const NO_BYTES = new Uint8Array();

/** Writes a file; returns its size. */
export function writeFile(
  table: Table,
  rows: Rows | Columns,
  count: number,
  options: FileOptions,
  put: Put,
  sizes?: Sizes,
): number {
  let size = 0;
  const write = (bytes: Uint8Array): { at: number; size: number } => {
    const place = { at: size, size: bytes.length };
    put(bytes);
    size += bytes.length;
    return place;
  };
  const writeChecked = (bytes: Uint8Array): Place => ({ ...write(bytes), check: checksum(bytes) });
  const note = (name: string, { size: more }: { size: number }) => sizes?.set(name, (sizes.get(name) ?? 0) + more);
  write(MAGIC);
  const { notes = {} } = options;
  const groupRows = options.groupRows * 2 ** Math.max(0, Math.ceil(Math.log2(count / options.groupRows / MOST_GROUPS)));
  const starts =
    options.starts ?? Array.from({ length: Math.max(1, Math.ceil(count / groupRows)) }, (_, i) => i * groupRows);
  const groups = starts.map((from, i): Group => ({ rows: (starts[i + 1] ?? count) - from, chunks: [] }));
  for (const column of table.columns) {
    const data = typeof rows === "function" ? rows(column.name) : rows[column.name];
    if (data === undefined) throw new RangeError(`${table.name} has no column ${column.name}`);
    for (const [i, { rows: own, chunks }] of groups.entries()) {
      for (const encoded of chunksOf(data, starts[i]!, starts[i]! + own, column, options))
        chunks.push({ ...encoded, at: 0, bloomAt: 0, indexAt: NOWHERE, offsetsAt: NOWHERE });
    }
  }
  const chunks = groups.flatMap((group) => group.chunks);
  const ranks = new Map(table.columns.map((column) => [column.name, rankOf(column)]));
  const units: number[] = [];
  for (const group of groups) {
    const { chunks: own } = group;
    const start = size;
    // The end of a row group has the small columns and the indexes, which a reader of few rows fetches in one request.
    // The first column is first: Java's reader takes its place for that of the row group, and leaves out one whose
    // middle is then beyond the file.
    const rank = ({ path: [name = ""], bytes }: Chunk) => ranks.get(name)! + bytes.length;
    const others = own.slice(1).sort((a, b) => rank(b.chunk) - rank(a.chunk));
    for (const each of [...own.slice(0, 1), ...others]) {
      const place = write(each.chunk.bytes);
      each.at = place.at;
      // The file has them.
      each.chunk.bytes = NO_BYTES;
      note(each.chunk.path[0]!, place);
    }
    for (const each of own) if (each.chunk.pageLeast.length > 0) each.indexAt = writeChecked(columnIndex(each.chunk));
    for (const each of own) each.offsetsAt = writeChecked(offsetIndex(each.chunk, each.at));
    if (groups.length === 1) continue;
    const end = ended(footer(table, [withoutBlooms(group)], group.rows, notes));
    note(
      "(footers of row groups)",
      write(new Uint8Array((GROUP_UNIT - ((size + end.length) % GROUP_UNIT)) % GROUP_UNIT)),
    );
    note("(footers of row groups)", write(end));
    units.push((size - (units.length === 0 ? 0 : start)) / GROUP_UNIT);
  }
  for (const each of chunks) {
    if (each.bloom === null) continue;
    const place = write(each.bloom);
    each.bloomAt = place.at;
    note("(bloom filters)", place);
  }
  const places = [options.starts === undefined ? groupRows : 0, ...units.map((own, i) => own - (units[i - 1] ?? 0))];
  const list = groups.length === 1 ? {} : { [GROUPS_NOTE]: JSON.stringify(places) };
  note("(footer)", write(ended(footer(table, groups, count, { ...notes, ...list }))));
  return size;
}

/** First the columns that a reader of a trace does not read, then ids, of which it reads single pages. */
function rankOf({ forEngines, bloom }: Column): number {
  return 2 ** 40 * (forEngines === true ? 2 : Number(bloom === true));
}

/** A footer with its size and the last letters of a file. */
function ended(footer: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(footer.length + 8);
  bytes.set(footer);
  new DataView(bytes.buffer).setUint32(footer.length, footer.length, true);
  bytes.set(MAGIC, footer.length + 4);
  return bytes;
}

/** The bloom filters are after the last row group. */
function withoutBlooms({ rows, chunks }: Group): Group {
  return { rows, chunks: chunks.map((each) => ({ ...each, bloom: null })) };
}

interface Encoded {
  chunk: Chunk;
  bloom: Uint8Array | null;
}

/** Rows [from, to) of a column. */
function chunksOf(data: ColumnData, from: number, to: number, column: Column, options: FileOptions): Encoded[] {
  const { kernels, codec, pageRows } = options;
  const [how, nullable] = [options.how(column.name), column.nullable === true];
  return kernels.within(() =>
    leavesOf(kernels, data, from, to, { pageRows, nullable, how }).map((leaf) => ({
      chunk: chunkOf(kernels, column.name, leaf, how, codec, pageRows),
      bloom: column.bloom === true ? bloomOf(kernels, leaf) : null,
    })),
  );
}

function bloomOf(kernels: Kernels, { values }: Leaf): Uint8Array | null {
  if (values.kind !== "coded" || values.dictionary.of !== "int64") return null;
  return bloomFilter(kernels, pickedLongs(values.dictionary.words, values.used));
}

function columnIndex({ pageLeast, pageMost, pageNulls }: Chunk): Uint8Array {
  const thrift = new Thrift();
  thrift.body(() => {
    thrift.bools(
      1,
      pageLeast.map(({ length }) => length === 0),
    );
    thrift.binaries(2, pageLeast);
    thrift.binaries(3, pageMost);
    thrift.i32(4, 0);
    thrift.i64s(5, pageNulls);
  });
  return thrift.out.taken();
}

function offsetIndex({ pages, headers }: Chunk, start: number): Uint8Array {
  const thrift = new Thrift();
  thrift.body(() => {
    thrift.structs(1, pages, ({ at, size, row }) => {
      thrift.i64(1, start + at);
      thrift.i32(2, size);
      thrift.i64(3, row);
    });
    thrift.bytes(EXTENSION, packed(headers));
  });
  return thrift.out.taken();
}

function footer(table: Table, groups: readonly Group[], count: number, notes: Record<string, string>): Uint8Array {
  const thrift = new Thrift();
  const leaves = groups[0]?.chunks.length ?? 0;
  thrift.body(() => {
    thrift.i32(1, 2);
    schema(thrift, table);
    thrift.i64(3, count);
    thrift.structs(4, groups, (group) => rowGroup(thrift, group));
    thrift.structs(5, Object.entries({ format: `${FORMAT_NAME} ${FORMAT_VERSION}`, ...notes }), ([key, value]) => {
      thrift.text(1, key);
      thrift.text(2, value);
    });
    thrift.text(6, `spanflame version ${VERSION}`);
    thrift.structs(7, Array.from({ length: leaves }), () => thrift.struct(1, () => {}));
    thrift.bytes(EXTENSION, new Uint8Array(MARK.length + 4));
  });
  const bytes = thrift.out.taken();
  const end = bytes.length - 5;
  bytes.set(MARK, end - MARK.length);
  bytes.set(packed([checksum(bytes.subarray(0, end))]), end);
  return bytes;
}

function rowGroup(thrift: Thrift, { rows, chunks }: Group): void {
  const total = (of: (chunk: Chunk) => number) => chunks.reduce((sum, { chunk }) => sum + of(chunk), 0);
  thrift.structs(1, chunks, ({ chunk, at, bloom, bloomAt, indexAt, offsetsAt }) => {
    thrift.i64(2, 0);
    thrift.struct(3, () => chunkMetadata(thrift, chunk, at, bloom, bloomAt));
    thrift.i64(4, offsetsAt.at);
    thrift.i32(5, offsetsAt.size);
    if (indexAt.size > 0) {
      thrift.i64(6, indexAt.at);
      thrift.i32(7, indexAt.size);
    }
    thrift.bytes(EXTENSION, packed([offsetsAt.check, indexAt.check, ...(bloom === null ? [] : bloomChecks(bloom))]));
  });
  thrift.i64(
    2,
    total(({ uncompressed }) => uncompressed),
  );
  thrift.i64(3, rows);
}

function chunkMetadata(thrift: Thrift, chunk: Chunk, at: number, bloom: Uint8Array | null, bloomAt: number): void {
  const size = chunk.pages.reduce((sum, page) => sum + page.size, chunk.dataAt);
  thrift.i32(1, chunk.physical);
  thrift.i32s(2, chunk.encodings);
  thrift.texts(3, chunk.path);
  thrift.i32(4, chunk.codec);
  thrift.i64(5, chunk.count);
  thrift.i64(6, chunk.uncompressed);
  thrift.i64(7, size);
  thrift.i64(9, at + chunk.dataAt);
  if (chunk.dataAt > 0) thrift.i64(11, at);
  thrift.struct(12, () => {
    thrift.i64(3, chunk.nulls);
    if (chunk.least === null || chunk.most === null) return;
    thrift.bytes(5, chunk.most);
    thrift.bytes(6, chunk.least);
  });
  if (bloom === null) return;
  thrift.i64(14, bloomAt);
  thrift.i32(15, bloom.length);
}

/** An element of the schema, before its children. */
interface Element {
  name: string;
  type?: number;
  length?: number;
  repetition?: number;
  children?: number;
  converted?: number;
  logical?: number;
}

function schema(thrift: Thrift, table: Table): void {
  const elements: Element[] = [{ name: "schema", children: table.columns.length }];
  for (const column of table.columns) elements.push(...elementsOf(column));
  thrift.structs(2, elements, ({ name, type, length, repetition, children, converted, logical }) => {
    if (type !== undefined) thrift.i32(1, type);
    if (length !== undefined) thrift.i32(2, length);
    if (repetition !== undefined) thrift.i32(3, repetition);
    thrift.text(4, name);
    if (children !== undefined) thrift.i32(5, children);
    if (converted !== undefined) thrift.i32(6, converted);
    if (logical === undefined) return;
    thrift.struct(10, () =>
      thrift.struct(logical, () => {
        if (logical !== Logical.timestamp) return;
        thrift.bool(1, true);
        thrift.struct(2, () => thrift.struct(MICROSECONDS, () => {}));
      }),
    );
  });
}

const TEXT = { type: Physical.bytes, converted: Converted.text, logical: Logical.text };

function elementsOf({ name, type, nullable }: Column): Element[] {
  const repetition = nullable === true ? Repetition.optional : Repetition.required;
  const { required, repeated } = Repetition;
  const one = (more: Partial<Element>): Element[] => [{ name, repetition, ...more }];
  const list = (element: Partial<Element>): Element[] => [
    { name, repetition, children: 1, converted: Converted.list, logical: Logical.list },
    { name: "list", repetition: repeated, children: 1 },
    { name: "element", repetition: required, ...element },
  ];
  switch (type) {
    case "text":
      return one(TEXT);
    case "int32":
      return one({ type: Physical.int32 });
    case "int64":
      return one({ type: Physical.int64 });
    case "timestamp":
      return one({ type: Physical.int64, converted: Converted.timestamp, logical: Logical.timestamp });
    case "bytes16":
      return one({ type: Physical.fixed, length: 16 });
    case "list<int32>":
      return list({ type: Physical.int32 });
    case "list<text>":
      return list(TEXT);
    case "map<text,text>":
      return [
        { name, repetition, children: 1, converted: Converted.map, logical: Logical.map },
        { name: "key_value", repetition: repeated, children: 2, converted: Converted.keyValue },
        { name: "key", repetition: required, ...TEXT },
        { name: "value", repetition: required, ...TEXT },
      ];
  }
}

export const BLOCK_BYTES = 32;
const BLOCK_WORDS = 8;
/** About one of a hundred ids that are not there seems to be there. */
const BITS_PER_VALUE = 10;

/**
 * A split block bloom filter over values of 64 bits: header and filter of the values, whose halves follow each other,
 * the lower one first.
 */
function bloomFilter(kernels: Kernels, words: Uint32Array): Uint8Array {
  const values = words.length / 2;
  const blocks = Math.max(1, Math.ceil((values * BITS_PER_VALUE) / 8 / BLOCK_BYTES));
  const size = blocks * BLOCK_BYTES;
  const all = new ByteWriter();
  all.raw(bloomHeader(size));
  kernels.within(() => {
    const bits = kernels.zeros(blocks * BLOCK_WORDS);
    kernels.wasm.bloom(kernels.put(words), values, bits, blocks);
    all.raw(kernels.bytes(bits, size));
  });
  return all.taken();
}

/** What is before the blocks of a bloom filter. */
export function bloomHeader(size: number): Uint8Array {
  const header = new Thrift();
  header.body(() => {
    header.i32(1, size);
    // Algorithm, hash, compression: the only ones that there are.
    for (const field of [2, 3, 4]) header.struct(field, () => header.struct(1, () => {}));
  });
  return header.out.taken();
}
