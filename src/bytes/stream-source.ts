/**
 * A ByteSource over a stream, whose length is unknown before its end: the output of a decompressor, a pipe. Only parts
 * after the start of the last `slice` are kept, so reading must never go back, unless `hold` keeps the bytes.
 */
import type { ByteSource, Fault } from "./byte-source.ts";
import { Excess } from "./expansion.ts";

/** Bytes that a stream keeps for its reader to come back to, where the reader names no other limit. */
export const MOST_HELD = 2 ** 30;

export class StreamSource implements ByteSource {
  /** Grows while reading: the number of bytes that came so far; final once `ended`. */
  byteLength = 0;
  ended = false;
  /** Why the bytes broke off, when they did. */
  fault: string | null = null;
  /** Whether the bytes broke off because there are too many. */
  isExcess = false;
  keeps = true;

  private readonly bytes: AsyncIterator<Uint8Array>;
  /** Parts not yet passed, and the offset of each; those before `first` are gone. */
  private parts: Uint8Array[] = [];
  private offsets: number[] = [];
  private first = 0;
  private held = Number.POSITIVE_INFINITY;
  private limit = MOST_HELD;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.bytes = bytes[Symbol.asyncIterator]();
  }

  /** Bytes kept at the moment. */
  get bytesKept(): number {
    return this.byteLength - this.from;
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    const target = new Uint8Array(await this.ahead(start, end));
    this.copy(start, target);
    return target;
  }

  /** One part at a time: unless they are held, copied parts are released before the last part arrives. */
  async readInto(start: number, target: Uint8Array): Promise<number> {
    for (let done = 0; done < target.length; ) {
      const length = await this.ahead(start + done, start + done + 1);
      if (length === 0) return done;
      const there = Math.min(target.length - done, this.byteLength - start - done);
      this.copy(start + done, target.subarray(done, done + there));
      done += there;
    }
    return target.length;
  }

  /** Loads bytes [start, end), releases those before, and returns the number of available bytes. */
  async ahead(start: number, end: number): Promise<number> {
    if (start < this.from)
      throw new RangeError(`stream: byte ${start} is no longer kept, ${this.from} is the first kept byte`);
    this.pass(start);
    while (this.byteLength < end && !this.ended) {
      await this.pull();
      this.pass(start);
    }
    return Math.max(0, Math.min(end, this.byteLength) - start);
  }

  /**
   * Keeps everything from `start` on, at most `limit` bytes, so that a reader may look ahead and return; null releases
   * them.
   */
  hold(start: number | null, limit = MOST_HELD): void {
    this.held = start ?? Number.POSITIVE_INFINITY;
    this.limit = limit;
    this.keeps = true;
  }

  /** Loads what is left, at most `limit` bytes, and keeps it for its reader; false if there is more. */
  async load(limit: number): Promise<boolean> {
    for (const end = this.byteLength + limit; !this.ended && this.byteLength < end; ) await this.pull();
    return this.ended;
  }

  /** After the end of the stream: its last bytes, from `offset` on, are available again. */
  unread(offset: number, bytes: Uint8Array): void {
    this.parts = [bytes];
    this.offsets = [offset];
    this.first = 0;
  }

  /** Of a pipe that could not be read to its end. */
  async change(): Promise<Fault | null> {
    if (this.fault === null) return null;
    const message = `the input cannot be read at byte ${this.byteLength}: ${this.fault}`;
    return { code: "source.unreadable", message, offset: this.byteLength };
  }

  /** Ends the stream: the rest of its source is not requested. */
  async close(): Promise<void> {
    this.ended = true;
    await this.bytes.return?.();
  }

  private get from(): number {
    return this.offsets[this.first] ?? this.byteLength;
  }

  private async pull(): Promise<void> {
    try {
      const { done, value } = await this.bytes.next();
      if (done) {
        this.ended = true;
      } else if (value.length > 0) {
        this.parts.push(value);
        this.offsets.push(this.byteLength);
        this.byteLength += value.length;
      }
    } catch (error) {
      this.ended = true;
      this.fault = error instanceof Error ? error.message : String(error);
      this.isExcess = error instanceof Excess;
    }
  }

  /** Drops the parts that end at or before `position`, unless they are held. */
  private pass(position: number): void {
    if (this.byteLength - this.held > this.limit) {
      this.held = Number.POSITIVE_INFINITY;
      this.keeps = false;
    }
    const start = Math.min(position, this.held);
    const { parts, offsets } = this;
    while (this.first < parts.length && (offsets[this.first + 1] ?? this.byteLength) <= start) {
      parts[this.first++] = NOTHING;
    }
    // Once half of the lists is gone, so that every part is moved once on average.
    if (this.first < 32 || 2 * this.first < parts.length) return;
    parts.splice(0, this.first);
    offsets.splice(0, this.first);
    this.first = 0;
  }

  private copy(start: number, target: Uint8Array): void {
    for (let i = this.partAt(start); i < this.parts.length; i++) {
      const part = this.parts[i] ?? NOTHING;
      const at = this.offsets[i] ?? 0;
      const from = Math.max(0, start - at);
      const to = at + from - start;
      if (to >= target.length) return;
      target.set(part.subarray(from, from + target.length - to), to);
    }
  }

  /** Index of the part that holds the byte at `offset`, by halving: a stream that is held may have a million parts. */
  private partAt(offset: number): number {
    let low = this.first;
    let high = this.parts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.offsets[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

const NOTHING = new Uint8Array(0);

/** Iteration of streams, which are async iterable in Node and not in every browser. */
export async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
