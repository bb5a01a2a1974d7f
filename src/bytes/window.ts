/**
 * The part of a file that a reader holds, moving forwards. Readers are generators that yield when they need more bytes
 * than are held. If the whole message is in memory, they run without a pause; otherwise `drive` awaits `pull` at every
 * yield. After `pull`, `bytes` may be another array, and the next byte is at another place.
 */
import type { ByteSource } from "./byte-source.ts";

/** The file is so damaged that it cannot be read on. */
export class Broken extends Error {
  /** The encoding that the bytes violate. */
  readonly encoding: "protobuf" | "JSON";
  /** In the file. */
  readonly offset: number;

  constructor(encoding: "protobuf" | "JSON", message: string, offset: number) {
    super(message);
    this.encoding = encoding;
    this.offset = offset;
  }
}

/** A running reader: a yield asks for more bytes. */
export type Steps<T = void> = Generator<undefined, T, void>;

/** What `pull` asks of the source at least. */
export const PIECE = 1 << 18;
/** The longest value that is held as a whole where it is not in memory anyway: a text, a sample, a resource. */
export const LONGEST_VALUE = 2 ** 26;

export class Window {
  bytes: Uint8Array;
  /** The next byte, and the end of the bytes that are held, both as places in `bytes`. */
  at = 0;
  end: number;
  /** Whether the file ends at `end`. */
  complete: boolean;
  /** Offset in the file of `bytes[0]`. */
  private base = 0;
  private readonly source: ByteSource | null;

  /** Of all the bytes, or of a source. */
  constructor(from: Uint8Array | ByteSource) {
    this.complete = from instanceof Uint8Array;
    this.bytes = from instanceof Uint8Array ? from : new Uint8Array(0);
    this.source = from instanceof Uint8Array ? null : from;
    this.end = this.bytes.length;
  }

  get held(): number {
    return this.end - this.at;
  }

  /** Bytes of the file; of a stream only true once its end was reached. */
  get size(): number {
    return this.source?.byteLength ?? this.bytes.length;
  }

  /** Offset in the file of a place in `bytes`; of the next byte: beyond the end where `pass` went there. */
  offset(at = this.at): number {
    return this.base + at;
  }

  /** Has `n` bytes held; false where the file has fewer. */
  *need(n: number): Steps<boolean> {
    while (this.held < n && !this.complete) yield;
    return this.held >= n;
  }

  /** Like `need`, for a caller that awaits it. */
  async wait(n: number): Promise<boolean> {
    while (this.held < n && !this.complete) await this.pull();
    return this.held >= n;
  }

  /** The bytes that are held, as a view. */
  rest(): Uint8Array {
    return this.bytes.subarray(this.at, this.end);
  }

  /** Passes `n` bytes, reading them; false where the file has fewer. */
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

  /**
   * Passes `n` bytes, whether they are held or not, and whether the file has them or not. Those of a file are not read.
   * A negative `n` goes back, as far as nothing was pulled.
   */
  pass(n: number): void {
    if (n <= this.held && this.at + n >= 0) {
      this.at += n;
      return;
    }
    this.base = this.offset() + n;
    this.bytes = new Uint8Array(0);
    this.at = 0;
    this.end = 0;
  }

  /** The bytes up to the offset `end`, piece by piece, as far as the file has them. */
  async *until(end: number): AsyncGenerator<Uint8Array> {
    while (this.offset() < end && (await this.wait(1))) {
      const piece = this.rest().subarray(0, end - this.offset());
      this.at += piece.length;
      yield piece;
    }
  }

  /** Reads more bytes: those that are held move to the front. Errors of the source are passed on. */
  async pull(): Promise<void> {
    const { held, source } = this;
    if (source === null) return;
    const start = this.offset(this.end);
    // Sources treat offsets far beyond their end differently, and a wrong length may lead to such an offset.
    const isBehind = source.ahead === undefined && start >= source.byteLength;
    const more = isBehind ? new Uint8Array(0) : await source.slice(start, start + Math.max(PIECE, held));
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

/** Runs a reader over the bytes of a window, and pulls more. */
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
