/**
 * A ByteSource over bytes that come one after the other and whose number nobody knows before the end: what a
 * decompressor gives. Only what stands behind the last `slice`'s start is kept, so reading must never go back.
 */
import type { ByteSource } from "./byte-source.ts";

export class StreamSource implements ByteSource {
  /** Grows while reading: the number of bytes that came so far; final once `ended`. */
  byteLength = 0;
  ended = false;
  /** Why the bytes broke off, when they did. */
  fault: string | null = null;

  private readonly bytes: AsyncIterator<Uint8Array>;
  /** Parts not yet passed by, and the offset of the first of them. */
  private parts: Uint8Array[] = [];
  private from = 0;
  private held = Number.POSITIVE_INFINITY;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.bytes = bytes[Symbol.asyncIterator]();
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    const target = new Uint8Array(await this.ahead(start, end));
    this.copy(start, target);
    return target;
  }

  async readInto(start: number, target: Uint8Array): Promise<number> {
    const length = await this.ahead(start, start + target.length);
    this.copy(start, target.subarray(0, length));
    return length;
  }

  /** Sees to it that bytes [start, end) are there, lets go of those before, and returns how many there are. */
  async ahead(start: number, end: number): Promise<number> {
    if (start < this.from) throw new RangeError(`stream: byte ${start} has passed, ${this.from} is the first one kept`);
    this.pass(start);
    while (this.byteLength < end && !this.ended) {
      await this.pull();
      this.pass(start);
    }
    return Math.max(0, Math.min(end, this.byteLength) - start);
  }

  private async pull(): Promise<void> {
    try {
      const { done, value } = await this.bytes.next();
      if (done) {
        this.ended = true;
      } else if (value.length > 0) {
        this.parts.push(value);
        this.byteLength += value.length;
      }
    } catch (error) {
      this.ended = true;
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  /** Keeps everything from `start` on, so that one may look ahead and come back; null lets go of it. */
  hold(start: number | null): void {
    this.held = start ?? Number.POSITIVE_INFINITY;
  }

  /** Drops the parts that end at or before `start`, unless they are held. */
  private pass(position: number): void {
    const start = Math.min(position, this.held);
    let gone = 0;
    let at = this.from;
    for (const part of this.parts) {
      if (at + part.length > start) break;
      at += part.length;
      gone++;
    }
    if (gone > 0) this.parts.splice(0, gone);
    this.from = at;
  }

  private copy(start: number, target: Uint8Array): void {
    let at = this.from;
    for (const part of this.parts) {
      const from = Math.max(0, start - at);
      const to = at + from - start;
      if (to >= target.length) return;
      const piece = part.subarray(from, from + target.length - to);
      target.set(piece, to);
      at += part.length;
    }
  }
}
