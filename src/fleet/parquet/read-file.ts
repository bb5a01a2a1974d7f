/** Reads a file back into columns, for the merge of parts. */

import { bloomChecks, checksum } from "./checks.ts";
import { type ColumnData, coded, type Dictionary, ints, longs, sameText, type Values } from "./column-data.ts";
import { Damaged, placed } from "./damage.ts";
import { BLOCK_BYTES, bloomHeader, MAGIC } from "./file.ts";
import { type Footer, footerSize, type LeafShape, readFooter } from "./footer.ts";
import type { Kernels } from "./kernels.ts";
import { checkLeaf, kindsOf, LeafRows } from "./leaf-rows.ts";
import { PageReader, pageIndexOf } from "./page-reader.ts";
import { FOOTER_TAIL, groupsNoted, placesOf } from "./parts.ts";
import type { Piece } from "./ranges-ahead.ts";
import type { Column, Table } from "./schema.ts";
import type { Unpackers } from "./unpack-page.ts";

/** `slice` of a buffer of Node is no copy. */
function plain({ buffer, byteOffset, length }: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

export function footerOf(file: Uint8Array): Footer {
  const tail = file.length - FOOTER_TAIL;
  if (tail < 0) throw new Damaged(`the file has ${file.length} bytes`);
  const size = footerSize(file.subarray(tail), file.length);
  return readFooter(file.subarray(tail - size, tail), file.length);
}

/** Checks what no column is read from: indexes, filters, footers of row groups. Says whether the file has checksums. */
export function checkIndexes(file: Uint8Array): boolean {
  const bytes = plain(file);
  const { groups, isChecked, notes } = footerOf(bytes);
  for (const { to } of placesOf(groupsNoted(notes, bytes.length).groups ?? [])) footerOf(bytes.subarray(0, to));
  const isWrong = (place: Piece, wanted: unknown, of: (piece: Uint8Array) => unknown) =>
    String(of(bytes.subarray(place.from, place.to))) !== String(wanted);
  if (isChecked && isWrong({ from: 0, to: MAGIC.length }, MAGIC, (own) => own)) throw new Damaged("it has no mark");
  for (const { leaf, checks, columnIndex, bloom } of groups.flatMap(({ chunks }) => chunks)) {
    if (checks === null) continue;
    const [, index, ...pieces] = checks;
    if (columnIndex !== null && isWrong(columnIndex, index, checksum))
      throw new Damaged("the checksum of the column index is wrong", { column: leaf.column, at: columnIndex.from });
    if (bloom === null) continue;
    const head = bloom.from + ((bloom.to - bloom.from) % BLOCK_BYTES);
    const isHeadWrong = isWrong({ from: bloom.from, to: head }, bloomHeader(bloom.to - head), (own) => own);
    if (isHeadWrong || isWrong(bloom, pieces, bloomChecks))
      throw new Damaged("the checksum of the bloom filter is wrong", { column: leaf.column, at: bloom.from });
  }
  return isChecked;
}

/** Rows of a file. Each column is read when it is asked for. */
export interface FileRows {
  count: number;
  column: (name: string) => ColumnData;
}

export function readFile(kernels: Kernels, table: Table, file: Uint8Array, own: Unpackers): FileRows {
  const bytes = plain(file);
  const footer = footerOf(bytes);
  const read = (name: string) => {
    const column = table.columns.find((each) => each.name === name);
    if (column === undefined) throw new RangeError(`${table.name} has no column ${name}`);
    return placed({ column: name }, () => columnOf(kernels, column, footer, bytes, own));
  };
  return { count: footer.rows, column: read };
}

function leafRows(footer: Footer, number: number, kind: LeafRows["values"]["of"], bytes: Uint8Array, own: Unpackers) {
  const chunks = footer.groups.map((group) => group.chunks[number]!);
  const expected = chunks.reduce((sum, { count }) => sum + count, 0);
  const out = new LeafRows(footer.leaves[number]!, kind, expected);
  const reader = new PageReader(out, own);
  const take = (from: number, to: number) => bytes.subarray(from, to);
  for (const [i, chunk] of chunks.entries()) {
    const { first, end } = footer.groups[i]!;
    const before = out.levels;
    if (chunk.offsetIndex === null) reader.readWhole(chunk, take);
    else {
      const index = pageIndexOf(chunk, take(chunk.offsetIndex.from, chunk.offsetIndex.to), end - first);
      reader.readPages(chunk, index, index.pages, take);
    }
    if (out.levels - before !== chunk.count)
      throw new Damaged(`the pages have ${out.levels - before} values instead of ${chunk.count}`);
  }
  return out;
}

/** A column of the table; where the file does not have it, its values are missing. */
function columnOf(kernels: Kernels, column: Column, footer: Footer, bytes: Uint8Array, own: Unpackers): ColumnData {
  const numbers = [...footer.leaves.keys()].filter((i) => footer.leaves[i]!.column === column.name);
  const kinds = kindsOf(column.type);
  if (numbers.length === 0 && column.isLater === true)
    return column.type === "text" ? sameText(null, footer.rows) : longs(new Uint32Array(2 * footer.rows), 0);
  if (numbers.length !== kinds.length) throw new Damaged("the file does not have the column");
  const leaves = numbers.map((number, i) => {
    checkLeaf(footer.leaves[number]!, column.type);
    return leafRows(footer, number, kinds[i]!, bytes, own);
  });
  const [first, second] = leaves as [LeafRows, LeafRows?];
  return first.repetition === null
    ? flat(kernels, column, first, footer.rows)
    : nested(column, first, second, footer.rows);
}

function flat(kernels: Kernels, column: Column, { definition, values, leaf }: LeafRows, rows: number): ColumnData {
  const isThere = definition?.map((level) => Number(level === leaf.maxDefinition)) ?? new Uint8Array(rows).fill(1);
  if (column.nullable !== true) {
    if (values.count !== rows) throw new Damaged(`${rows - values.count} values are missing`);
    return all(values);
  }
  // Times that are there are not 0.
  if (column.type === "timestamp") return longs(spreadWords(values, rows, isThere), 0);
  if (values.of === "int64") return kernels.sparseLongs(spreadWords(values, rows, isThere), isThere);
  const { data } = values;
  const [shift, none] = values.of === "int32" ? [0, -1] : [1, 0];
  const codes = new Uint32Array(rows);
  let n = 0;
  for (let i = 0; i < rows; i++) codes[i] = isThere[i] === 1 ? data[n++]! + shift : none;
  return values.of === "int32" ? ints(new Int32Array(codes.buffer), true) : coded(dictionaryOf(values, true), codes, 0);
}

function spreadWords({ data }: LeafRows["values"], rows: number, isThere: Uint8Array): Uint32Array {
  const words = new Uint32Array(2 * rows);
  let n = 0;
  for (let i = 0; i < rows; i++) {
    if (isThere[i] !== 1) continue;
    words[2 * i] = data[2 * n]!;
    words[2 * i + 1] = data[2 * n++ + 1]!;
  }
  return words;
}

/** All values, where none is missing. */
function all(values: LeafRows["values"]): Values {
  const { of, data, count } = values;
  if (of === "int64") return longs(data.subarray(0, 2 * count));
  const codes = data.subarray(0, count);
  if (of !== "int32") return coded(dictionaryOf(values, false), codes);
  return ints(new Int32Array(codes.buffer, codes.byteOffset, codes.length));
}

/** `shifted`: code 0 is for a missing value. */
function dictionaryOf({ of, texts }: LeafRows["values"], shifted: boolean): Dictionary {
  const values = shifted ? [new Uint8Array(of === "bytes16" ? 16 : 0), ...texts] : texts;
  return { of: of === "bytes16" ? "bytes16" : "text", values };
}

function nested(column: Column, first: LeafRows, second: LeafRows | undefined, rows: number): ColumnData {
  const { offsets, absent } = listsOf(first, rows);
  if (column.nullable !== true && absent.includes(1)) throw new Damaged("a list is missing");
  for (const { values, leaf } of second === undefined ? [first] : [first, second]) {
    if (values.count !== offsets[rows]) throw new Damaged(`lists of ${leaf.column} have missing items`);
  }
  if (second === undefined) return { kind: "list", offsets, absent, items: all(first.values) };
  return { kind: "map", offsets, keys: all(first.values), values: all(second.values) };
}

/** Where the items of each row end, and rows without a list. */
export function listsOf({ leaf, definition, repetition, levels }: LeafRows, rows: number) {
  const { listThere, itemThere }: LeafShape = leaf;
  const offsets = new Uint32Array(rows + 1);
  const absent = new Uint8Array(rows);
  let items = 0;
  let row = -1;
  for (let i = 0; i < levels; i++) {
    if (repetition![i] === 0 && ++row >= rows) throw new Damaged(`the pages have more than ${rows} rows`);
    if (definition![i]! >= itemThere) items++;
    else if (definition![i]! < listThere) absent[row] = 1;
    offsets[row + 1] = items;
  }
  if (row !== rows - 1) throw new Damaged(`the pages have ${row + 1} rows instead of ${rows}`);
  return { offsets, absent };
}
