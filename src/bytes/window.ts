/**
 * The part of a file that is at hand. Readers are generators that yield where they need more bytes than there are: with
 * the whole message in memory they run through, otherwise somebody awaits `pull` at every yield. After it `bytes` may be
 * another array, and what stood at `at` stands at another place.
 */

/** The file is so damaged that it cannot be read on. */
export class Broken extends Error {
  /** What it is not. */
  readonly encoding: "protobuf" | "JSON";
  /** In the file. */
  readonly offset: number;

  constructor(encoding: "protobuf" | "JSON", message: string, offset: number) {
    super(message);
    this.encoding = encoding;
    this.offset = offset;
  }
}

/** A reader at work: a yield asks for more bytes. */
export type Steps<T = void> = Generator<undefined, T, void>;

/** What `pull` reads at least. */
const PIECE = 1 << 20;
/** The longest value that is held as a whole where it is not in memory anyway: a text, a sample, a resource. */
export const LONGEST_VALUE = 2 ** 26;

/** As in src/bytes/byte-source.ts; bytes [start, end), fewer only behind the end, `start` never going back. */
export interface Source {
  slice(start: number, end: number): Promise<Uint8Array>;
}

export class Window {
  bytes: Uint8Array;
  /** Next byte, and the end of what is at hand, both as places in `bytes`. */
  at = 0;
  end: number;
  /** Whether there is nothing behind `end`. */
  complete: boolean;
  /** Offset in the file of `bytes[0]`. */
  private base = 0;
  private readonly source: Source | null;

  /** Of all the bytes, or of a source. */
  constructor(from: Uint8Array | Source) {
    this.complete = from instanceof Uint8Array;
    this.bytes = from instanceof Uint8Array ? from : new Uint8Array(0);
    this.source = from instanceof Uint8Array ? null : from;
    this.end = this.bytes.length;
  }

  get held(): number {
    return this.end - this.at;
  }

  /** Offset in the file of a place in `bytes`. */
  offset(at = this.at): number {
    return this.base + at;
  }

  /** Sees to it that `n` bytes are at hand; false where the file has fewer. */
  *need(n: number): Steps<boolean> {
    while (this.held < n && !this.complete) yield;
    return this.held >= n;
  }

  /** Passes `n` bytes without keeping them; false where the file has fewer. */
  *skip(n: number): Steps<boolean> {
    let left = n;
    while (this.held < left && !this.complete) {
      left -= this.held;
      this.at = this.end;
      yield;
    }
    const passed = Math.min(left, this.held);
    this.at += passed;
    return passed === left;
  }

  /** More bytes: what is left of those at hand moves to the front. Throws what the source throws. */
  async pull(): Promise<void> {
    if (this.source === null) return;
    const { held } = this;
    const more = await this.source.slice(this.offset(this.end), this.offset(this.end) + Math.max(PIECE, held));
    if (more.length === 0) this.complete = true;
    const bytes = new Uint8Array(held + more.length);
    bytes.set(this.bytes.subarray(this.at, this.end));
    bytes.set(more, held);
    this.base += this.at;
    this.bytes = bytes;
    this.at = 0;
    this.end = bytes.length;
  }
}

/** Runs a reader over what a window holds or gets. */
export async function drive<T>(steps: Steps<T>, window: Window): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await window.pull();
  }
}

/** Runs a reader over a window that holds everything. */
export function run<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
