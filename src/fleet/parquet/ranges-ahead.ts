/**
 * Ranges of a file that are fetched before they are needed one by one, so that they are fetched at a time and
 * neighbours take one request. No range is fetched twice.
 */

/** A file on a disk or a host. */
export interface RangeSource {
  byteLength: number;
  slice(from: number, to: number): Promise<ArrayBuffer | Uint8Array> | ArrayBuffer;
}

/** A file that is fetched whole. */
const SMALL_FILE = 1 << 17;
/** Bytes between two pieces that are read although nobody wants them: another request takes longer. */
const GAP = 80 << 10;

export interface Piece {
  from: number;
  to: number;
}

export class RangesAhead {
  readonly byteLength: number;
  private readonly source: RangeSource;
  private readonly ahead: (Piece & { bytes: Promise<Uint8Array> })[] = [];

  /** The one of a source that is one. `isEndEnough`: the reader asks for its end only. */
  static of(source: RangeSource, isEndEnough = false): RangesAhead {
    return source instanceof RangesAhead ? source : new RangesAhead(source, isEndEnough);
  }

  private constructor(source: RangeSource, isEndEnough: boolean) {
    this.source = source;
    this.byteLength = source.byteLength;
    if (this.byteLength <= SMALL_FILE && !isEndEnough) this.fetch([{ from: 0, to: this.byteLength }]);
  }

  async slice(from: number, to: number): Promise<Uint8Array> {
    const range = this.around({ from, to }) ?? this.begun(from, to);
    return (await range.bytes).subarray(from - range.from, to - range.from);
  }

  /** Begins to fetch the pieces that are not fetched yet. */
  fetch(pieces: readonly Piece[]): void {
    const missing = pieces.filter((piece) => this.around(piece) === undefined);
    for (const { from, to } of joinedPieces(missing, GAP)) this.begun(from, to);
  }

  private begun(from: number, to: number) {
    const bytes = this.fetched(from, to);
    // A failure is the reader's, once it asks.
    bytes.catch(() => {});
    const range = { from, to, bytes };
    this.ahead.push(range);
    return range;
  }

  private async fetched(from: number, to: number): Promise<Uint8Array> {
    return new Uint8Array((await this.source.slice(from, to)) as ArrayBuffer);
  }

  private around({ from, to }: Piece) {
    return this.ahead.find((each) => each.from <= from && to <= each.to);
  }
}

/** Pieces in order, those at most `gap` apart as one. */
export function joinedPieces(pieces: readonly Piece[], gap: number): Piece[] {
  const runs: Piece[] = [];
  for (const { from, to } of [...pieces].sort((a, b) => a.from - b.from)) {
    const last = runs.at(-1);
    if (last !== undefined && from - last.to <= gap) last.to = Math.max(last.to, to);
    else runs.push({ from, to });
  }
  return runs;
}
