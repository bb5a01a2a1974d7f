/** Bytes of a JFR chunk in the making: integers in either form, strings in every encoding. */

/** A string as one of the encodings, or the bytes themselves. */
export class Text {
  readonly bytes: (out: Out) => void;
  private constructor(bytes: (out: Out) => void) {
    this.bytes = bytes;
  }
  static readonly null = new Text((out) => out.byte(0));
  static readonly empty = new Text((out) => out.byte(1));
  static key(key: bigint): Text {
    return new Text((out) => out.byte(2).long(key));
  }
  static utf8(text: string): Text {
    return new Text((out) => {
      const bytes = new TextEncoder().encode(text);
      out.byte(3).int(bytes.length).raw(bytes);
    });
  }
  static utf16(text: string): Text {
    return new Text((out) => {
      out.byte(4).int(text.length);
      for (let i = 0; i < text.length; i++) out.short(text.charCodeAt(i));
    });
  }
  static latin1(text: string): Text {
    return new Text((out) => {
      out.byte(5).int(text.length);
      for (let i = 0; i < text.length; i++) out.byte(text.charCodeAt(i));
    });
  }
}

/** Bytes in the making, with the chunk's way of writing integers. */
export class Out {
  readonly bytes: number[] = [];
  readonly compressed: boolean;
  readonly padding: number;

  constructor(compressed = true, padding = 1) {
    this.compressed = compressed;
    this.padding = padding;
  }

  raw(bytes: ArrayLike<number>): this {
    for (let i = 0; i < bytes.length; i++) this.bytes.push(bytes[i] ?? 0);
    return this;
  }

  byte(value: number): this {
    this.bytes.push(value & 0xff);
    return this;
  }

  big(value: bigint, width: number): this {
    for (let i = width - 1; i >= 0; i--) this.byte(Number((value >> BigInt(8 * i)) & 0xffn));
    return this;
  }

  private integer(value: bigint, width: number, padding = this.padding): this {
    if (!this.compressed) return this.big(value, width);
    let rest = BigInt.asUintN(8 * width, value);
    let n = 1;
    for (; n < 9 && (rest > 0x7fn || n < padding); n++) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    return this.byte(Number(rest));
  }

  long(value: bigint): this {
    return this.integer(value, 8);
  }

  int(value: number): this {
    return this.integer(BigInt(value), 4);
  }

  short(value: number): this {
    return this.integer(BigInt(value), 2);
  }

  text(value: string | null): this {
    (value === null ? Text.null : Text.utf8(value)).bytes(this);
    return this;
  }

  /** `body` after its own size, which counts itself: four bytes in both forms. */
  sized(body: Out, size = body.bytes.length + 4): this {
    return this.integer(BigInt(size), 4, 4).raw(body.bytes);
  }
}

export function concat(...parts: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
