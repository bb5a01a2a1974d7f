/**
 * A file of a data set that is read by ranges: its footer, and rows by their places. What is needed is known from the
 * footer and the indexes, so it is fetched in few waves: first indexes, then all pages at a time.
 */
import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import {
  type AsyncBuffer,
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  readOffsetIndex,
} from "hyparquet";
import { type Piece, RangesAhead } from "./ranges-ahead.ts";

export type Row = Record<string, unknown>;

export interface Opened {
  file: RangesAhead;
  metadata: FileMetaData;
}

/** Rows [from, to). */
export type RowRange = Piece;

/** A row group, and its first row. */
export interface Group {
  group: FileMetaData["row_groups"][number];
  first: number;
  end: number;
}

/** Bytes of a footer that are fetched with the end of a file. */
const FOOTER = 1 << 15;
/** Compressed bytes of a column of a row group that is fetched whole. */
const SMALL = 1 << 14;

export const compressors: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { out: new Uint8Array(length) }),
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
};

/** `footer`: bytes of the footer, if they are known. */
export async function openFile(source: AsyncBuffer, footer = FOOTER): Promise<Opened> {
  const file = new RangesAhead(source);
  return { file, metadata: await parquetMetadataAsync(file, { initialFetchSize: footer }) };
}

export function groupsOf({ metadata: { row_groups: groups } }: Opened): Group[] {
  let end = 0;
  return groups.map((group) => {
    const first = end;
    end += Number(group.num_rows);
    return { group, first, end };
  });
}

/** Ranges with all places, in order; places less than `gap` apart are in one. */
export function rangesOf(places: readonly number[], gap: number): RowRange[] {
  const ranges: RowRange[] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last !== undefined && place - last.to < gap) last.to = place + 1;
    else ranges.push({ from: place, to: place + 1 });
  }
  return ranges;
}

/** Rows at places, by place. `gap`: rows that are read although they are not wanted. */
export async function rowsAt(
  opened: Opened,
  places: readonly number[],
  columns: string[],
  gap: number,
): Promise<Map<number, Row>> {
  const { file, metadata } = opened;
  const wanted = new Set(places);
  const found = new Map<number, Row>();
  const ranges = rangesOf(places, gap);
  await fetchPages(opened, columns, ranges);
  await Promise.all(
    ranges.map(async ({ from, to }) => {
      const options = { file, metadata, compressors, columns, utf8: false, useOffsetIndex: true };
      const rows = await parquetReadObjects({ ...options, rowStart: from, rowEnd: to });
      for (const [i, row] of rows.entries()) if (wanted.has(from + i)) found.set(from + i, row);
    }),
  );
  return found;
}

/** Begins to fetch the offset indexes of these columns, and their small chunks whole. */
export function fetchIndexes({ file }: Opened, columns: readonly string[], groups: readonly Group[]): void {
  const pieces: Piece[] = [];
  for (const { group } of groups) {
    for (const chunk of chunksOf(group, columns)) {
      const index = indexOf(chunk);
      if (isSmall(chunk)) pieces.push(wholeOf(chunk));
      // A reader of some rows asks for it in any case.
      if (index !== null) pieces.push(index);
    }
  }
  file.fetch(pieces);
}

/** Fetches the pages of rows in ascending ranges, those of all columns at a time. */
async function fetchPages(opened: Opened, columns: readonly string[], ranges: readonly RowRange[]): Promise<void> {
  const overlaps = ({ first, end }: Group) => ranges.some(({ from, to }) => from < end && to > first);
  const groups = groupsOf(opened).filter(overlaps);
  fetchIndexes(opened, columns, groups);
  const pieces = groups.flatMap((group) =>
    chunksOf(group.group, columns).map((chunk) => piecesOf(opened, group, chunk, ranges)),
  );
  opened.file.fetch((await Promise.all(pieces)).flat());
}

async function piecesOf({ file }: Opened, { first, end }: Group, chunk: ColumnChunk, ranges: readonly RowRange[]) {
  const whole = wholeOf(chunk);
  const index = indexOf(chunk);
  const isWhole = ranges.some(({ from, to }) => from <= first && to >= end);
  if (index === null || isWhole || isSmall(chunk)) return [whole];
  const bytes = await file.slice(index.from, index.to);
  const pages = readOffsetIndex({ view: new DataView(bytes), offset: 0 }).page_locations;
  const pieces = pages.flatMap(({ offset, compressed_page_size: size, first_row_index: row }, i): Piece[] => {
    const from = first + Number(row);
    const to = i + 1 < pages.length ? first + Number(pages[i + 1]!.first_row_index) : end;
    const isWanted = ranges.some((range) => range.from < to && range.to > from);
    return isWanted ? [{ from: Number(offset), to: Number(offset) + size }] : [];
  });
  const firstPage = Number(pages[0]?.offset ?? whole.from);
  return firstPage > whole.from ? [{ from: whole.from, to: firstPage }, ...pieces] : pieces;
}

function chunksOf({ columns: chunks }: Group["group"], columns: readonly string[]): ColumnChunk[] {
  return chunks.filter(({ meta_data: meta }) => meta !== undefined && columns.includes(meta.path_in_schema[0] ?? ""));
}

function wholeOf({ meta_data: meta }: ColumnChunk): Piece {
  const from = Number(meta!.dictionary_page_offset ?? meta!.data_page_offset);
  return { from, to: from + Number(meta!.total_compressed_size) };
}

function isSmall({ meta_data: meta }: ColumnChunk): boolean {
  return Number(meta!.total_compressed_size) <= SMALL;
}

function indexOf({ offset_index_offset: at, offset_index_length: length }: ColumnChunk): Piece | null {
  return at === undefined || length === undefined ? null : { from: Number(at), to: Number(at) + length };
}
