/** Packer of a request to the core: numbers and texts one after the other, little-endian and not aligned. */
const FIRST_ROOM = 1 << 10;
/** Bytes of UTF-8 for a unit of UTF-16, at most. */
const UNIT = 3;

export class Packer {
  private room = new Uint8Array(FIRST_ROOM);
  private view = new DataView(this.room.buffer);
  private size = 0;
  private readonly encoder = new TextEncoder();

  /** Makes room for `n` more bytes. */
  private need(n: number): void {
    if (this.size + n <= this.room.length) return;
    const room = new Uint8Array(Math.max(this.size + n, 2 * this.room.length));
    room.set(this.room.subarray(0, this.size));
    this.room = room;
    this.view = new DataView(room.buffer);
  }

  /** A number of one byte. */
  byte(n: number): void {
    if (!Number.isInteger(n) || n < 0 || n > 255) throw new RangeError(`packer: ${n} is not a byte`);
    this.need(1);
    this.room[this.size++] = n;
  }

  word(n: number): void {
    this.need(4);
    this.view.setUint32(this.size, n, true);
    this.size += 4;
  }

  long(n: bigint): void {
    this.need(8);
    this.view.setBigUint64(this.size, n, true);
    this.size += 8;
  }

  raw(bytes: Uint8Array): void {
    this.need(bytes.length);
    this.room.set(bytes, this.size);
    this.size += bytes.length;
  }

  /** A text after its size, a word. A lone surrogate becomes U+FFFD: the store holds valid UTF-8 only. */
  text(s: string): void {
    const at = this.size;
    this.word(0);
    const bytes = this.encode(s);
    // The room may be another one by now.
    this.view.setUint32(at, bytes, true);
  }

  /** A text of at most 255 bytes after its size, a byte. */
  shortText(s: string): void {
    const at = this.size;
    this.byte(0);
    const bytes = this.encode(s);
    if (bytes > 255) throw new RangeError(`packer: text of ${bytes} bytes: ${s}`);
    this.room[at] = bytes;
  }

  /** Appends a text; the number of its bytes. */
  private encode(s: string): number {
    this.need(UNIT * s.length);
    const { written } = this.encoder.encodeInto(s, this.room.subarray(this.size));
    this.size += written;
    return written;
  }

  /** All of it in one piece. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.room.slice(0, this.size);
  }
}
