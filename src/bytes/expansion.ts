/**
 * A bound on the decompressed size of one input. A compressed file of 300 KB may hold 200 GB of zeros, which need no
 * memory but an hour. Recordings shrink to a tenth, rarely to a fiftieth.
 */

/** Decompressed bytes that an input may have in any case. */
const FREE = 2 ** 26;
/** Beyond those: decompressed bytes per byte of the input. */
const MOST_TIMES = 200;
/** What an entry of an archive counts for, whatever it holds. It takes about a hundred bytes of its archive. */
const ENTRY_BYTES = 2 ** 14;

/**
 * Messages that the files of an input may have in any case, and beyond those its bytes for each. A message costs some
 * 0.1 ms whatever it holds.
 */
const FREE_MESSAGES = 2 ** 14;
const BYTES_PER_MESSAGE = 16;
const MOST_MESSAGES = 2 ** 20;

/** Whether a file may have a message after so many of its messages. */
export type MessageLimit = (count: number) => boolean;

/** Thrown by the bytes of a stream that were cut off on purpose: nothing is wrong with them, there are too many. */
export class Excess extends Error {}

export class Expansion {
  private bytes = 0;
  private messages = 0;
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

  /** Bytes that were of no use count no more. */
  release(bytes: number): void {
    this.bytes -= bytes;
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

  /** For a file of the input, which may be read several times. */
  messageLimit(): MessageLimit {
    const before = this.messages;
    return (count) => {
      const most = Math.max(FREE_MESSAGES, this.input.byteLength / BYTES_PER_MESSAGE);
      const isAllowed = count < MOST_MESSAGES && before + count < most;
      if (isAllowed) this.messages = Math.max(this.messages, before + count + 1);
      return isAllowed;
    };
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
