/** Decodings of the values that assembly/parquet/encodings.ts encodes. */

/** Bits of numbers up to this one. */
export function widthOf(most: number): number {
  return most === 0 ? 0 : 32 - Math.clz32(most);
}

/** Numbers of a mix of runs and packed groups, from `at` on, into `out`. */
export function takeHybrid(
  bytes: Uint8Array,
  start: number,
  width: number,
  out: Uint32Array,
  from: number,
  to: number,
): void {
  let at = start;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("parquet: a page ends inside its values");
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  for (let i = from; i < to; ) {
    const head = varint();
    const count = head >>> 1;
    if (count === 0) throw new RangeError("parquet: a page has an empty run");
    if ((head & 1) === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value |= bytes[at++]! << shift;
      const end = Math.min(to, i + count);
      out.fill(value >>> 0, i, end);
      i = end;
      continue;
    }
    const end = Math.min(to, i + 8 * count);
    unpack(bytes, at, width, out, i, end);
    at += count * width;
    i = end;
  }
}

function unpack(bytes: Uint8Array, start: number, width: number, out: Uint32Array, from: number, to: number): void {
  const most = 2 ** width;
  let at = start;
  let held = 0;
  let bits = 0;
  for (let i = from; i < to; i++) {
    // At most 31 + 8 bits: a double is exact.
    for (; bits < width; bits += 8) held += bytes[at++]! * 2 ** bits;
    const rest = Math.floor(held / most);
    out[i] = held - rest * most;
    held = rest;
    bits -= width;
  }
}

/** DELTA_BINARY_PACKED into halves of numbers of 64 bits, the lower one first. */
export function takeDeltas(bytes: Uint8Array, start: number, words: Uint32Array, from: number, to: number): void {
  const reader = new Deltas(bytes, start);
  const block = reader.varint();
  const mini = block / reader.varint();
  reader.varint();
  let value = reader.longZigzag();
  const out = new BigInt64Array(words.buffer, words.byteOffset, words.length / 2);
  if (from < to) out[from] = value;
  for (let i = from + 1; i < to; ) {
    const least = reader.longZigzag();
    const widths = reader.take(block / mini);
    for (let m = 0; m < widths.length && i < to; m++) {
      reader.begin(widths[m]!);
      for (let k = 0; k < mini; k++) {
        const step = reader.packed(widths[m]!);
        if (i >= to) continue;
        value = BigInt.asIntN(64, value + least + BigInt(step));
        out[i++] = value;
      }
    }
  }
}

class Deltas {
  private readonly bytes: Uint8Array;
  private at: number;
  private held = 0;
  private bits = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  private u8(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("parquet: a page ends inside its values");
    return byte;
  }

  varint(): number {
    return Number(this.longVarint());
  }

  private longVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  longZigzag(): bigint {
    const value = this.longVarint();
    return (value >> 1n) ^ -(value & 1n);
  }

  take(count: number): Uint8Array {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  begin(width: number): void {
    if (width > 53) throw new RangeError(`parquet: differences of ${width} bits are not those of this program`);
    this.held = 0;
    this.bits = 0;
  }

  /** The next number of `width` bits, in pieces of at most 24. */
  packed(width: number): number {
    let value = 0;
    for (let done = 0; done < width; done += 24) {
      const size = Math.min(24, width - done);
      for (; this.bits < size; this.bits += 8) this.held |= this.u8() << this.bits;
      value += (this.held & ((1 << size) - 1)) * 2 ** done;
      this.held >>>= size;
      this.bits -= size;
    }
    return value;
  }
}
