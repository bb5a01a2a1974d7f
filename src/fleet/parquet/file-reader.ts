/**
 * A file of a data set that is read by ranges: its footer, and rows by their places. What is needed is known from the
 * footer and the indexes, so it is fetched in few waves: first indexes, then all pages at a time.
 */
import { type Cell, Cells, type RowRange } from "./cells.ts";
import { Damaged } from "./damage.ts";
import { type ChunkShape, type Footer, footerSize, type Group, readFooter } from "./footer.ts";
import { checkLeaf, kindsOf, LeafRows } from "./leaf-rows.ts";
import { dictionaryPiece, type PageIndex, PageReader, pageIndexOf } from "./page-reader.ts";
import { FOOTER_TAIL, type GroupPlace } from "./parts.ts";
import { joinedPieces, type Piece, type RangeSource, RangesAhead } from "./ranges-ahead.ts";
import type { Table } from "./schema.ts";
import type { Unpackers } from "./unpack-page.ts";

export type Row = Record<string, Cell>;

/** Bytes of a footer that are fetched with the end of a file. */
const FOOTER = 1 << 15;
/** Bytes before a footer that are fetched with it: the indexes of a file with few row groups, whose footer is small. */
const INDEXES = 1 << 14;
/** Bytes before the end of a row group that are fetched with its footer: its small columns. */
const GROUP_END = 9 << 15;
/** Compressed bytes of a column of a row group that is fetched whole. */
const SMALL = 1 << 14;
/** More rows of a file would not fit into the memory of a page. */
const MOST_ROWS = 1 << 24;

export class Opened {
  readonly file: RangesAhead;
  readonly footer: Footer;
  private readonly table: Table;
  private readonly own: Unpackers;
  private readonly indexes = new Map<ChunkShape, Promise<PageIndex>>();

  private constructor(file: RangesAhead, footer: Footer, table: Table, own: Unpackers) {
    this.file = file;
    this.footer = footer;
    this.table = table;
    this.own = own;
  }

  /** `footer`: bytes of the footer with its tail, if they are known. */
  static async open(source: RangeSource, table: Table, own: Unpackers, footer?: number): Promise<Opened> {
    const size = source.byteLength;
    if (size < FOOTER_TAIL) throw new Damaged(`the file has ${size} bytes`);
    const isLong = footer !== undefined && footer > INDEXES;
    const ahead = Math.max(footer ?? FOOTER, FOOTER_TAIL) + (isLong ? 0 : INDEXES);
    const file = RangesAhead.of(source, isLong);
    return new Opened(file, await footerBefore(file, size, Math.min(size, ahead)), table, own);
  }

  /** Only these row groups, by their separate footers. */
  static async openGroups(
    source: RangeSource,
    table: Table,
    own: Unpackers,
    places: readonly GroupPlace[],
  ): Promise<Opened> {
    const file = RangesAhead.of(source);
    const ends = places.map(({ from, to }) => ({ from: Math.max(from, to - GROUP_END), to }));
    file.fetch(ends);
    const footers = await Promise.all(ends.map(({ from, to }) => footerBefore(file, to, to - from)));
    const groups = footers.flatMap((footer, i) => {
      const { first } = places[i]!;
      return footer.groups.map((group) => ({ ...group, first: first + group.first, end: first + group.end }));
    });
    const rows = groups.at(-1)!.end;
    return new Opened(file, { ...footers[0]!, rows, groups }, table, own);
  }

  /** Chunks of columns, one for each leaf. */
  chunksOf({ chunks }: Group, columns: readonly string[]): ChunkShape[] {
    return chunks.filter(({ leaf }) => columns.includes(leaf.column));
  }

  /** Pages of a chunk that has an offset index. */
  indexOf(chunk: ChunkShape, { first, end }: Group): Promise<PageIndex> {
    let index = this.indexes.get(chunk);
    if (index === undefined) {
      const { from, to } = chunk.offsetIndex!;
      index = this.file.slice(from, to).then((bytes) => pageIndexOf(chunk, bytes, end - first));
      index.catch(() => {});
      this.indexes.set(chunk, index);
    }
    return index;
  }

  /** Begins to fetch the offset indexes of these columns, and their small chunks whole. */
  fetchIndexes(columns: readonly string[], groups: readonly Group[] = this.footer.groups): void {
    const pieces: Piece[] = [];
    for (const group of groups) {
      for (const chunk of this.chunksOf(group, columns)) {
        if (isSmall(chunk)) pieces.push(chunk.whole);
        if (chunk.offsetIndex !== null) pieces.push(chunk.offsetIndex);
      }
    }
    this.file.fetch(pieces);
  }

  /** Begins to fetch columns of the row groups that have these rows. */
  fetchWhole(columns: readonly string[], rows: readonly number[]): void {
    const groups = this.footer.groups.filter(({ first, end }) => rows.some((row) => row >= first && row < end));
    const chunks = groups.flatMap((group) => this.chunksOf(group, columns));
    this.file.fetch(
      chunks.flatMap(({ whole, offsetIndex }) => [whole, ...(offsetIndex === null ? [] : [offsetIndex])]),
    );
  }

  /** Fetches the pages of rows in ascending ranges, those of all columns at a time. */
  async fetchPages(columns: readonly string[], ranges: readonly RowRange[]): Promise<void> {
    const groups = this.footer.groups.filter((group) => within(group, ranges).length > 0);
    this.fetchIndexes(columns, groups);
    const pieces = groups.flatMap((group) =>
      this.chunksOf(group, columns).map((chunk) => this.piecesOf(group, chunk, ranges)),
    );
    this.file.fetch((await Promise.all(pieces)).flat());
  }

  private async piecesOf(group: Group, chunk: ChunkShape, ranges: readonly RowRange[]): Promise<Piece[]> {
    const isWhole = ranges.some(({ from, to }) => from <= group.first && to >= group.end);
    if (chunk.offsetIndex === null || isWhole || isSmall(chunk)) return [chunk.whole];
    const index = await this.indexOf(chunk, group);
    const dictionary = dictionaryPiece(chunk, index);
    return [...(dictionary === null ? [] : [dictionary]), ...pagesIn(group, index, ranges)];
  }

  /** Values of a column in a row group, at least those of rows in ascending ranges. */
  async cellsOf(group: Group, name: string, ranges: readonly RowRange[]): Promise<Cells> {
    const { type, nullable } = this.table.columns.find((column) => column.name === name)!;
    const chunks = this.chunksOf(group, [name]);
    const kinds = kindsOf(type);
    if (chunks.length === 0 && nullable === true) return new Cells([]);
    if (chunks.length !== kinds.length) throw new Damaged("the file does not have the column", { column: name });
    for (const { leaf } of chunks) checkLeaf(leaf, type);
    return new Cells(
      await Promise.all(
        chunks.map(async (chunk, i) => {
          const rows = new LeafRows(chunk.leaf, kinds[i]!, chunk.count);
          return { rows, ranges: await this.readChunk(group, chunk, ranges, rows) };
        }),
      ),
    );
  }

  /** Returns the ranges of the rows that were read. */
  private async readChunk(group: Group, chunk: ChunkShape, ranges: readonly RowRange[], rows: LeafRows) {
    const reader = new PageReader(rows, this.own);
    if (chunk.offsetIndex === null) {
      const { from, to } = chunk.whole;
      const bytes = await this.file.slice(from, to);
      reader.readWhole(chunk, (start, end) => bytes.subarray(start - from, end - from));
      return [{ from: group.first, to: group.end }];
    }
    const index = await this.indexOf(chunk, group);
    const wanted = new Set(pagesIn(group, index, ranges));
    const pages = index.pages.filter((page) => wanted.has(page));
    const dictionary = dictionaryPiece(chunk, index);
    const pieces = [...(dictionary === null ? [] : [dictionary]), ...pages];
    const bytes = new Map<number, Uint8Array>();
    await Promise.all(pieces.map(async ({ from, to }) => bytes.set(from, await this.file.slice(from, to))));
    reader.readPages(chunk, index, pages, (from) => bytes.get(from)!);
    return pages.map(({ firstRow, endRow }) => ({ from: group.first + firstRow, to: group.first + endRow }));
  }

  /** Rows at ascending places, by place. `gap`: rows that are read although they are not wanted. */
  async rowsAt(places: readonly number[], columns: readonly string[], gap: number): Promise<Map<number, Row>> {
    const found = new Map<number, Row>();
    const ranges = joinedPieces(
      places.map((place) => ({ from: place, to: place + 1 })),
      gap,
    );
    await this.fetchPages(columns, ranges);
    let next = 0;
    for (const group of this.footer.groups) {
      const own = within(group, ranges);
      if (own.length === 0) continue;
      const cells = await Promise.all(columns.map((column) => this.cellsOf(group, column, own)));
      for (; next < places.length && places[next]! < group.end; next++) {
        const row: Row = {};
        for (let i = 0; i < columns.length; i++) row[columns[i]!] = cells[i]!.at(places[next]!);
        found.set(places[next]!, row);
      }
    }
    if (found.size !== places.length)
      throw new Damaged(`the file has ${this.footer.rows} rows, not row ${places[next]}`);
    return found;
  }

  /** All rows of a file that is small beside the samples. */
  async allRows(columns: readonly string[]): Promise<Row[]> {
    const { rows } = this.footer;
    if (rows > MOST_ROWS) throw new Damaged(`the file has ${rows} rows`);
    const all = Array.from({ length: rows }, (_, i) => i);
    return [...(await this.rowsAt(all, columns, 0)).values()];
  }
}

/** The footer that ends at byte `end`. `ahead`: bytes before `end` that are fetched in one piece. */
async function footerBefore(file: RangesAhead, end: number, ahead: number): Promise<Footer> {
  const last = await file.slice(end - ahead, end);
  const to = end - FOOTER_TAIL;
  return readFooter(await file.slice(to - footerSize(last.subarray(ahead - FOOTER_TAIL), end), to), end);
}

/** Parts of the ranges that are in a row group. */
function within({ first, end }: Group, ranges: readonly RowRange[]): RowRange[] {
  const cut = ranges.map(({ from, to }) => ({ from: Math.max(from, first), to: Math.min(to, end) }));
  return cut.filter(({ from, to }) => from < to);
}

function pagesIn({ first }: Group, { pages }: PageIndex, ranges: readonly RowRange[]) {
  return pages.filter(({ firstRow, endRow }) =>
    ranges.some(({ from, to }) => first + firstRow < to && first + endRow > from),
  );
}

function isSmall({ whole }: ChunkShape): boolean {
  return whole.to - whole.from <= SMALL;
}
