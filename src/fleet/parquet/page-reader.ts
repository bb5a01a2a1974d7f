/**
 * Pages of a column chunk into the rows of a leaf. The offset index says where they are and which rows they have; files
 * of other engines may have none, so that all pages of the chunk are read. In a file with checksums every byte of an
 * index, a header and a page that is read is checked.
 */
import { checksum, EXTENSION, unpacked } from "./checks.ts";
import { Damaged, placed } from "./damage.ts";
import { takeHybrid, widthOf } from "./decodings.ts";
import type { ChunkShape } from "./footer.ts";
import { Compression, Encoding, PageType } from "./format.ts";
import type { LeafRows } from "./leaf-rows.ts";
import type { Piece } from "./ranges-ahead.ts";
import {
  bytesIn,
  type Fields,
  listIn,
  numberIn,
  structIn,
  structsIn,
  ThriftReader,
  type Value,
} from "./thrift-reader.ts";
import { type Unpackers, unpackPage } from "./unpack-page.ts";

/** Levels of a page take nearly no bytes where they repeat. */
const MOST_LEVELS = 1 << 24;
const MOST_PAGE = 1 << 30;

/** A page and its rows in the row group. */
export interface PagePlace extends Piece {
  firstRow: number;
  endRow: number;
  /** Checksum of its header; null in a file without checksums. */
  check: number | null;
}

export interface PageIndex {
  pages: PagePlace[];
  /** Checksum of the header of the dictionary. */
  dictionaryCheck: number | null;
}

/** The offset index of a chunk in a row group of so many rows. */
export function pageIndexOf(chunk: ChunkShape, bytes: Uint8Array, rows: number): PageIndex {
  const { whole, checks, hasDictionary } = chunk;
  return placed({ column: chunk.leaf.column, at: chunk.offsetIndex!.from }, () => {
    if (checks !== null && checksum(bytes) !== checks[0])
      throw new Damaged("the checksum of the offset index is wrong");
    const fields = new ThriftReader(bytes).struct();
    const places = structsIn(fields, 1, "pages");
    const first = places.map((place) => numberIn(place, 3, "the first row of a page", rows));
    let before = whole.from;
    const headers = checks === null ? null : unpacked(bytesIn(fields, EXTENSION) ?? new Uint8Array());
    const skipped = hasDictionary ? 1 : 0;
    if (headers !== null && headers.length !== places.length + skipped) throw new Damaged("a page has no checksum");
    const pages = places.map((place, i): PagePlace => {
      const from = numberIn(place, 1, "the place of a page", whole.to);
      const to = from + numberIn(place, 2, "the size of a page", whole.to - from);
      const [firstRow, endRow] = [first[i]!, first[i + 1] ?? rows];
      if (from < before || endRow < firstRow || (i === 0 && firstRow !== 0))
        throw new Damaged("pages are not in order");
      before = to;
      return { from, to, firstRow, endRow, check: headers?.[i + skipped] ?? null };
    });
    if (pages.length === 0 && rows > 0) throw new Damaged("the offset index has no pages");
    return { pages, dictionaryCheck: headers?.[0] ?? null };
  });
}

/** Least and most value of each page; null for a page without values, or where the index does not say. */
export function pageEndsOf(chunk: ChunkShape, bytes: Uint8Array, pages: number): ([Uint8Array, Uint8Array] | null)[] {
  return placed({ column: chunk.leaf.column, at: chunk.columnIndex!.from }, () => {
    if (chunk.checks !== null && checksum(bytes) !== chunk.checks[1])
      throw new Damaged("the checksum of the column index is wrong");
    const fields = new ThriftReader(bytes).struct();
    const isText = (value: Value): value is Uint8Array => value instanceof Uint8Array;
    const isBool = (value: Value): value is boolean => typeof value === "boolean";
    const [empty, least, most] = [listIn(fields, 1, isBool), listIn(fields, 2, isText), listIn(fields, 3, isText)];
    if (empty?.length !== pages || least?.length !== pages || most?.length !== pages)
      throw new Damaged(`the column index is not of ${pages} pages`);
    return empty.map((isEmpty, i) => (isEmpty ? null : [least[i]!, most[i]!]));
  });
}

/** Bytes [from, to) of the file, which are there. */
export type Bytes = (from: number, to: number) => Uint8Array;

/** The dictionary page, where a chunk with these pages has one. */
export function dictionaryPiece({ whole, hasDictionary }: ChunkShape, { pages }: PageIndex): Piece | null {
  return hasDictionary ? { from: whole.from, to: pages[0]?.from ?? whole.to } : null;
}

export class PageReader {
  private readonly out: LeafRows;
  private readonly own: Unpackers;
  private scratch = new Uint32Array();

  constructor(out: LeafRows, own: Unpackers) {
    this.out = out;
    this.own = own;
  }

  /** Pages of a chunk by its index. */
  readPages(chunk: ChunkShape, index: PageIndex, pages: readonly PagePlace[], bytes: Bytes): void {
    const dictionary = dictionaryPiece(chunk, index);
    if (dictionary !== null && pages.length > 0) this.read(chunk, dictionary, bytes, { check: index.dictionaryCheck });
    for (const page of pages) this.read(chunk, page, bytes, { check: page.check, rows: page.endRow - page.firstRow });
  }

  /** All pages of a chunk without an index. */
  readWhole(chunk: ChunkShape, bytes: Bytes): void {
    const end = this.out.levels + chunk.count;
    for (let at = chunk.whole.from; this.out.levels < end; ) {
      if (at >= chunk.whole.to) throw new Damaged("the pages end too early", { column: chunk.leaf.column, at });
      at = this.read(chunk, { from: at, to: chunk.whole.to }, bytes, { check: null });
    }
    if (this.out.levels > end)
      throw new Damaged(`the pages have more than ${chunk.count} values`, { column: chunk.leaf.column });
  }

  /** The page at the beginning of a piece; returns its end. A page whose rows are known takes the whole piece. */
  private read(chunk: ChunkShape, piece: Piece, bytes: Bytes, known: { check: number | null; rows?: number }): number {
    return placed({ column: chunk.leaf.column, at: piece.from }, () => {
      const all = bytes(piece.from, piece.to);
      const reader = new ThriftReader(all);
      const header = reader.struct();
      if (known.check !== null && checksum(all.subarray(0, reader.at)) !== known.check)
        throw new Damaged("the checksum of the header of the page is wrong");
      const size = numberIn(header, 3, "the size of the page", all.length - reader.at);
      const stored = all.subarray(reader.at, reader.at + size);
      const crc = header[4];
      if (known.check !== null && crc === undefined) throw new Damaged("the page has no checksum");
      if (crc !== undefined && (Number(crc) | 0) !== (checksum(stored) | 0))
        throw new Damaged("the checksum of the page is wrong");
      const isDictionary = header[1] === PageType.dictionary;
      if (isDictionary && known.rows === undefined) this.dictionary(chunk, header, stored);
      else if (header[1] === PageType.data) this.dataV1(chunk, header, stored, known.rows);
      else if (header[1] === PageType.dataV2) this.dataV2(chunk, header, stored, known.rows);
      // Pages of other types have no rows.
      else if (known.rows !== undefined) throw new Damaged("the page has no rows");
      return piece.from + reader.at + size;
    });
  }

  private unpack(chunk: ChunkShape, header: Fields, stored: Uint8Array, codec: number, before = 0): Uint8Array {
    const size = numberIn(header, 2, "the unpacked size of the page", MOST_PAGE);
    if (size > Math.max(chunk.uncompressed, stored.length) || size < before)
      throw new Damaged(`the page claims ${size} bytes when unpacked, its chunk ${chunk.uncompressed}`);
    return unpackPage(codec, stored, size - before, this.own);
  }

  private dictionary(chunk: ChunkShape, header: Fields, stored: Uint8Array): void {
    const own = structIn(header, 7, "the header of the dictionary");
    const page = this.unpack(chunk, header, stored, chunk.codec);
    const count = numberIn(own, 1, "the number of values of the dictionary", MOST_LEVELS);
    this.out.values.setDictionary(page, count, numberIn(own, 2, "the encoding", 255));
  }

  private dataV1(chunk: ChunkShape, header: Fields, stored: Uint8Array, rows: number | undefined): void {
    const own = structIn(header, 5, "the header of the page");
    const count = numberIn(own, 1, "the number of values of the page", Math.min(MOST_LEVELS, chunk.count));
    const { maxDefinition, maxRepetition } = chunk.leaf;
    if ((maxDefinition > 0 && own[3] !== Encoding.rle) || (maxRepetition > 0 && own[4] !== Encoding.rle))
      throw new Damaged("levels of another encoding than RLE cannot be read");
    const page = this.unpack(chunk, header, stored, chunk.codec);
    let at = 0;
    const sized = (most: number): Uint8Array => {
      if (most === 0) return page.subarray(0, 0);
      if (page.length - at < 4) throw new Damaged("the page ends inside its levels");
      const size = new DataView(page.buffer, page.byteOffset + at, 4).getUint32(0, true);
      at += 4 + size;
      if (at > page.length) throw new Damaged("the page ends inside its levels");
      return page.subarray(at - size, at);
    };
    const [repetition, definition] = [sized(maxRepetition), sized(maxDefinition)];
    const there = this.takeLevels(count, repetition, definition, rows);
    this.out.values.add(page, at, there, numberIn(own, 2, "the encoding", 255));
  }

  private dataV2(chunk: ChunkShape, header: Fields, stored: Uint8Array, rows: number | undefined): void {
    const own = structIn(header, 8, "the header of the page");
    const count = numberIn(own, 1, "the number of values of the page", Math.min(MOST_LEVELS, chunk.count));
    const repetition = numberIn(own, 6, "the size of the levels", stored.length, 0);
    const both = repetition + numberIn(own, 5, "the size of the levels", stored.length - repetition, 0);
    const codec = own[7] === false ? Compression.none : chunk.codec;
    const page = this.unpack(chunk, header, stored.subarray(both), codec, both);
    const there = this.takeLevels(count, stored.subarray(0, repetition), stored.subarray(repetition, both), rows);
    this.out.values.add(page, 0, there, numberIn(own, 4, "the encoding", 255));
  }

  private levelsIn(bytes: Uint8Array, most: number, count: number): Uint32Array {
    if (count > this.scratch.length) this.scratch = new Uint32Array(count);
    takeHybrid(bytes, 0, bytes.length, widthOf(most), this.scratch, 0, count);
    return this.scratch.subarray(0, count);
  }

  /** Levels of a page; returns how many values are there. `rows`: that it must have, if they are known. */
  private takeLevels(count: number, repeated: Uint8Array, defined: Uint8Array, rows: number | undefined): number {
    const { out } = this;
    const { maxDefinition, maxRepetition } = out.leaf;
    out.reserve(count);
    const { levels: from, repetition, definition } = out;
    const to = from + count;
    let [found, there] = [count, count];
    if (repetition !== null) {
      repetition.set(this.levelsIn(repeated, maxRepetition, count), from);
      found = 0;
      for (let i = from; i < to; i++) {
        if (repetition[i] === 0) found++;
        else if (repetition[i]! > maxRepetition) throw new Damaged("the page has levels that are too high");
      }
      const beginsRow = repetition[from] === 0 || (rows === undefined && from > 0) || count === 0;
      if (!beginsRow) throw new Damaged("the page does not begin with a row");
    }
    if (definition !== null) {
      definition.set(this.levelsIn(defined, maxDefinition, count), from);
      there = 0;
      for (let i = from; i < to; i++) {
        if (definition[i] === maxDefinition) there++;
        else if (definition[i]! > maxDefinition) throw new Damaged("the page has levels that are too high");
      }
    }
    if (rows !== undefined && found !== rows) throw new Damaged(`the page has ${found} rows instead of ${rows}`);
    out.levels = to;
    return there;
  }
}
