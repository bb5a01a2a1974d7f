/**
 * Ranges of a file that are fetched before hyparquet asks for them one by one. The indexes of all columns of a row
 * group are neighbours, and so are many small columns: each run of them takes one request.
 */
import type { AsyncBuffer, FileMetaData } from "hyparquet";

/** Compressed bytes of a column of a row group that is fetched whole, and bytes between pieces of one request. */
const SMALL = 1 << 14;
const GAP = 1 << 12;

interface Piece {
  from: number;
  to: number;
}

export class RangesAhead {
  readonly byteLength: number;
  private readonly source: AsyncBuffer;
  private readonly ahead: (Piece & { bytes: Promise<ArrayBuffer> })[] = [];

  constructor(source: AsyncBuffer) {
    this.source = source;
    this.byteLength = source.byteLength;
  }

  async slice(from: number, to = this.byteLength): Promise<ArrayBuffer> {
    const around = this.ahead.find((each) => each.from <= from && to <= each.to);
    if (around === undefined) return this.source.slice(from, to);
    return (await around.bytes).slice(from - around.from, to - around.from);
  }

  /** Fetches the offset indexes of these columns and their small chunks, in the row groups with one of these rows. */
  fetchSmall({ row_groups }: FileMetaData, columns: ReadonlySet<string>, rows: readonly Piece[]): void {
    let first = 0;
    for (const group of row_groups) {
      const [start, end] = [first, first + Number(group.num_rows)];
      first = end;
      if (!rows.some(({ from, to }) => from < end && to > start)) continue;
      const pieces: Piece[] = [];
      for (const { meta_data: chunk, offset_index_offset: at, offset_index_length: length = 0 } of group.columns) {
        if (chunk === undefined || !columns.has(chunk.path_in_schema[0] ?? "")) continue;
        if (at !== undefined) pieces.push({ from: Number(at), to: Number(at) + length });
        const from = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
        const bytes = Number(chunk.total_compressed_size);
        if (bytes <= SMALL) pieces.push({ from, to: from + bytes });
      }
      for (const piece of joined(pieces)) this.fetch(piece);
    }
  }

  private fetch({ from, to }: Piece): void {
    if (this.ahead.some((each) => each.from <= from && to <= each.to)) return;
    const bytes = Promise.resolve(this.source.slice(from, to));
    // A failure is the reader's, once it asks.
    bytes.catch(() => {});
    this.ahead.push({ from, to, bytes });
  }
}

/** Pieces in order, those with few bytes between them as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const runs: Piece[] = [];
  for (const { from, to } of [...pieces].sort((a, b) => a.from - b.from)) {
    const last = runs.at(-1);
    if (last !== undefined && from - last.to <= GAP) last.to = Math.max(last.to, to);
    else runs.push({ from, to });
  }
  return runs;
}
