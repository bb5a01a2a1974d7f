/** Packer of a request to the core: numbers and texts one after the other, little-endian and not aligned. */
export class Packer {
  private readonly parts: Uint8Array[] = [];
  private readonly encoder = new TextEncoder();

  /** A number of one byte. */
  byte(n: number): void {
    if (!Number.isInteger(n) || n < 0 || n > 255) throw new RangeError(`packer: ${n} is not a byte`);
    this.parts.push(Uint8Array.of(n));
  }

  word(n: number): void {
    this.parts.push(new Uint8Array(Uint32Array.of(n).buffer));
  }

  long(n: bigint): void {
    this.parts.push(new Uint8Array(BigUint64Array.of(n).buffer));
  }

  raw(bytes: Uint8Array): void {
    this.parts.push(bytes);
  }

  /** A text after its size, a word. A lone surrogate becomes U+FFFD: the store holds valid UTF-8 only. */
  text(s: string): void {
    const bytes = this.encoder.encode(s);
    this.word(bytes.length);
    this.raw(bytes);
  }

  /** A text of at most 255 bytes after its size, a byte. */
  shortText(s: string): void {
    const bytes = this.encoder.encode(s);
    if (bytes.length > 255) throw new RangeError(`packer: text of ${bytes.length} bytes: ${s}`);
    this.byte(bytes.length);
    this.raw(bytes);
  }

  /** All of it in one piece. */
  bytes(): Uint8Array {
    const all = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
