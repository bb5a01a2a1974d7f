/** Packer of a request to the core: numbers and texts one after the other. */
import { ByteWriter } from "../../bytes/byte-writer.ts";

export class Packer extends ByteWriter {
  override byte(n: number): void {
    if (!Number.isInteger(n) || n < 0 || n > 255) throw new RangeError(`packer: ${n} is not a byte`);
    super.byte(n);
  }

  /** A text after its size, a word. The store holds valid UTF-8 only. */
  text(s: string): void {
    const at = this.size;
    this.word(0);
    const bytes = this.utf8(s);
    // The room may be another one by now.
    new DataView(this.room.buffer).setUint32(at, bytes, true);
  }

  /** A text of at most 255 bytes after its size, a byte. */
  shortText(s: string): void {
    const at = this.size;
    this.byte(0);
    const bytes = this.utf8(s);
    if (bytes > 255) throw new RangeError(`packer: text of ${bytes} bytes: ${s}`);
    this.room[at] = bytes;
  }
}
