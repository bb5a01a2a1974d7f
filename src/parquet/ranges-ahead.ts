/**
 * Ranges of a file that are fetched before hyparquet asks for them one by one, so that they are fetched at a time and
 * neighbours take one request. No range is fetched twice.
 */
import type { AsyncBuffer } from "hyparquet";

/** A file that is fetched whole. */
const SMALL_FILE = 1 << 17;
/** Bytes between two pieces that are read although nobody wants them: another request takes longer. */
const GAP = 1 << 15;

export interface Piece {
  from: number;
  to: number;
}

export class RangesAhead implements AsyncBuffer {
  readonly byteLength: number;
  private readonly source: AsyncBuffer;
  private readonly ahead: (Piece & { bytes: Promise<ArrayBuffer> })[] = [];

  constructor(source: AsyncBuffer) {
    this.source = source;
    this.byteLength = source.byteLength;
    if (this.byteLength <= SMALL_FILE) this.fetch([{ from: 0, to: this.byteLength }]);
  }

  async slice(from: number, to = this.byteLength): Promise<ArrayBuffer> {
    const { from: start, to: end, bytes } = this.around({ from, to }) ?? this.begun(from, to);
    const all = await bytes;
    return start === from && end === to ? all : all.slice(from - start, to - start);
  }

  /** Begins to fetch the pieces that are not fetched yet. */
  fetch(pieces: readonly Piece[]): void {
    for (const { from, to } of joined(pieces.filter((piece) => this.around(piece) === undefined))) this.begun(from, to);
  }

  private begun(from: number, to: number) {
    const bytes = Promise.resolve(this.source.slice(from, to));
    // A failure is the reader's, once it asks.
    bytes.catch(() => {});
    const range = { from, to, bytes };
    this.ahead.push(range);
    return range;
  }

  private around({ from, to }: Piece) {
    return this.ahead.find((each) => each.from <= from && to <= each.to);
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
