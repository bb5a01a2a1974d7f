/** A place in a ByteSource that only moves forwards. Bytes come in pieces, so that a walk need not wait for each. */
import type { ByteSource } from "./byte-source.ts";

/** Bytes asked of the source at once. */
export const PIECE = 1 << 18;

export class Cursor {
  private readonly source: ByteSource;
  /** The bytes at hand, the offset of the first of them, and how many of them have passed. */
  private piece: Uint8Array = new Uint8Array(0);
  private from = 0;
  private at = 0;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /** Offset of the next byte; behind the end of the source when something was skipped that goes on behind it. */
  get position(): number {
    return this.from + this.at;
  }

  /** How many bytes are at hand. */
  get left(): number {
    return Math.max(0, this.piece.length - this.at);
  }

  /** Bytes of the source; of a stream only true once its end was reached. */
  get size(): number {
    return this.source.byteLength;
  }

  /** Whether more bytes were taken than `need` said there are. */
  get overrun(): boolean {
    return this.at > this.piece.length;
  }

  /** Sees to it that `n` bytes are at hand, `n` at most PIECE; returns how many are, fewer only at the end. */
  async need(n: number): Promise<number> {
    if (this.left >= n) return this.left;
    const position = this.position;
    // Sources differ in what they make of offsets far behind their end, which a lying length may give.
    const over = this.source.ahead === undefined && position >= this.source.byteLength;
    this.piece = over ? new Uint8Array(0) : await this.source.slice(position, position + PIECE);
    this.from = position;
    this.at = 0;
    return this.left;
  }

  /** The bytes at hand, as a view. */
  rest(): Uint8Array {
    return this.piece.subarray(this.at);
  }

  /** The next byte; 0 where none is at hand, which `need` and `left` tell. */
  byte(): number {
    return this.piece[this.at++] ?? 0;
  }

  /** Steps over `n` bytes, whether they are at hand or not. Of a file those behind are not read. */
  skip(n: number): void {
    this.at += n;
  }

  /** The bytes up to the offset `end`, piece by piece, as far as the source has them. */
  async *until(end: number): AsyncGenerator<Uint8Array> {
    while (this.position < end && (await this.need(1)) > 0) {
      const piece = this.rest().subarray(0, end - this.position);
      this.skip(piece.length);
      yield piece;
    }
  }
}
