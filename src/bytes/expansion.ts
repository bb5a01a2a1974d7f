/**
 * A bound on the decompressed size of one input. A compressed file of 300 KB may hold 200 GB of zeros, which need no
 * memory but an hour. Recordings shrink to a tenth, rarely to a fiftieth.
 */

/** Decompressed bytes that an input may have in any case. */
const FREE = 2 ** 29;
/** Beyond those: decompressed bytes per byte of the input. */
const MOST_TIMES = 200;
/** What an entry of an archive counts for, whatever it holds. It takes about a hundred bytes of its archive. */
const ENTRY_BYTES = 2 ** 14;

/** Thrown by the bytes of a stream that were cut off on purpose: nothing is wrong with them, there are too many. */
export class Excess extends Error {}

export class Expansion {
  private bytes = 0;
  private readonly input: { readonly byteLength: number };
  private readonly free: number;
  private readonly times: number;
  private readonly outer: Expansion | null;

  /** `input`: the outermost source, whose bytes the user has. `outer`: counts the bytes as well. */
  constructor(input: { readonly byteLength: number }, free = FREE, times = MOST_TIMES, outer: Expansion | null = null) {
    this.input = input;
    this.free = free;
    this.times = times;
    this.outer = outer;
  }

  /** A narrower bound for a part of the same input, whose bytes take longer to read. */
  within(free: number): Expansion {
    return new Expansion(this.input, free, this.times, this);
  }

  /** Passes the decompressed bytes through. Throws Excess if there are too many. */
  async *limit(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.count(piece.length);
      yield piece;
    }
  }

  /** Counts an entry of an archive; false if there are too many. */
  enter(): boolean {
    try {
      this.count(ENTRY_BYTES);
      return true;
    } catch {
      return false;
    }
  }

  private count(bytes: number): void {
    this.outer?.count(bytes);
    this.bytes += bytes;
    const { byteLength } = this.input;
    if (this.bytes <= Math.max(this.free, this.times * byteLength)) return;
    throw new Excess(
      `more than ${this.times} times the input's ${byteLength} bytes were decompressed; decompression stopped`,
    );
  }
}
