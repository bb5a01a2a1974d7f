/** Decodings of the values of Parquet's pages. Counts and lengths are compared with the bytes before they are used. */
import { CUT, TOO_LONG, Varint } from "../../bytes/protobuf.ts";
import { Damaged } from "./damage.ts";

/** Bits of numbers up to this one. */
export function widthOf(most: number): number {
  return most === 0 ? 0 : 32 - Math.clz32(most);
}

function ends(): never {
  throw new Damaged("the page ends inside its values");
}

/** Numbers of a mix of runs and packed groups, which take bytes [start, end), into `out`. */
export function takeHybrid(
  bytes: Uint8Array,
  start: number,
  end: number,
  width: number,
  out: Uint32Array,
  from: number,
  to: number,
): void {
  let at = start;
  const number = new Varint();
  const varint = () => {
    at = number.read(bytes, at, end);
    if (at === CUT) ends();
    if (at === TOO_LONG || number.high !== 0) throw new Damaged("the page has a run of more than 2³² values");
    return number.low;
  };
  const runBytes = Math.ceil(width / 8);
  for (let i = from; i < to; ) {
    const head = varint();
    const count = head >>> 1;
    if (count === 0) throw new Damaged("the page has an empty run");
    if ((head & 1) === 0) {
      if (runBytes > end - at) ends();
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value |= bytes[at++]! << shift;
      const last = Math.min(to, i + count);
      out.fill(value >>> 0, i, last);
      i = last;
      continue;
    }
    const last = Math.min(to, i + 8 * count);
    if (Math.ceil(((last - i) * width) / 8) > end - at) ends();
    unpack(bytes, at, width, out, i, last);
    at += count * width;
    i = last;
  }
}

/** Bits that fit into 31 together with those of a started byte. */
const NARROW = 24;

function unpack(bytes: Uint8Array, start: number, width: number, out: Uint32Array, from: number, to: number): void {
  let at = start;
  let held = 0;
  let bits = 0;
  if (width <= NARROW) {
    const mask = 2 ** width - 1;
    for (let i = from; i < to; i++) {
      for (; bits < width; bits += 8) held |= bytes[at++]! << bits;
      out[i] = held & mask;
      held >>>= width;
      bits -= width;
    }
    return;
  }
  const most = 2 ** width;
  for (let i = from; i < to; i++) {
    // At most 31 + 8 bits: a double is exact.
    for (; bits < width; bits += 8) held += bytes[at++]! * 2 ** bits;
    const rest = Math.floor(held / most);
    out[i] = held - rest * most;
    held = rest;
    bits -= width;
  }
}

/** More values of a block would only save a few bytes. */
const LARGEST_BLOCK = 1 << 16;

/**
 * DELTA_BINARY_PACKED into halves of numbers of 64 bits, the lower one first; returns the end of the bytes.
 *
 *   block size varint · miniblocks of a block varint · values varint · first value zigzag · block*
 *   block := least difference zigzag · width u8 of each miniblock · miniblock*
 */
export function takeDeltas(bytes: Uint8Array, start: number, words: Uint32Array, from: number, to: number): number {
  const reader = new Deltas(bytes, start);
  const block = reader.varint();
  const mini = block / reader.varint();
  if (!(block <= LARGEST_BLOCK && mini >= 8 && mini % 8 === 0))
    throw new Damaged(`the page has blocks of ${block} values`);
  const count = reader.varint();
  if (count !== to - from) throw new Damaged(`the page has ${count} differences for ${to - from} values`);
  // Doubles are exact for the differences of moments, and many times as fast as numbers of 64 bits.
  let [low, high] = halvesOf(reader.longZigzag());
  let i = from;
  const put = () => {
    words[2 * i] = low;
    words[2 * i++ + 1] = high;
  };
  if (from < to) put();
  while (i < to) {
    const least = reader.longZigzag();
    const isNear = least < NEAR && -least < NEAR;
    const nearLeast = Number(least);
    const widths = reader.take(block / mini);
    for (let m = 0; m < widths.length && i < to; m++) {
      const width = widths[m]!;
      const end = reader.begin(width, mini);
      for (let k = 0; k < mini && i < to; k++) {
        if (isNear && width <= NEAR_BITS) {
          const sum = low + nearLeast + reader.near(width);
          const carry = Math.floor(sum / WORD);
          low = sum - carry * WORD;
          high = (high + carry) | 0;
        } else {
          [low, high] = halvesOf(((BigInt(high) << 32n) | BigInt(low)) + least + reader.packed(width));
        }
        put();
      }
      reader.at = end;
    }
  }
  return reader.at;
}

const WORD = 2 ** 32;
/** Sums of a half, of one below this and of this many bits are exact in a double. */
const NEAR = 2n ** 51n;
const NEAR_BITS = 48;

/** The lower half and the higher one, with a sign. */
function halvesOf(value: bigint): [low: number, high: number] {
  return [Number(BigInt.asUintN(32, value)), Number(BigInt.asIntN(32, value >> 32n))];
}

class Deltas {
  private readonly bytes: Uint8Array;
  at: number;
  private readonly number = new Varint();
  private held = 0;
  private bits = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  private u8(): number {
    return this.bytes[this.at++] ?? ends();
  }

  varint(): number {
    return Number(this.longVarint());
  }

  private longVarint(): bigint {
    const after = this.number.read(this.bytes, this.at, this.bytes.length);
    if (after === CUT) ends();
    if (after === TOO_LONG) throw new Damaged("the page has a number of more than 64 bits");
    this.at = after;
    return this.number.long;
  }

  longZigzag(): bigint {
    const value = this.longVarint();
    return (value >> 1n) ^ -(value & 1n);
  }

  take(count: number): Uint8Array {
    if (count > this.bytes.length - this.at) ends();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Begins a miniblock; returns its end. Writers may leave out the bytes after the last value. */
  begin(width: number, values: number): number {
    if (width > 64) throw new Damaged(`the page has differences of ${width} bits`);
    this.held = 0;
    this.bits = 0;
    return Math.min(this.bytes.length, this.at + (width * values) / 8);
  }

  /** The next number of `width` bits, in pieces of at most 24. */
  packed(width: number): bigint {
    const value = BigInt(this.near(Math.min(width, NEAR_BITS)));
    return width <= NEAR_BITS ? value : value + (BigInt(this.near(width - NEAR_BITS)) << BigInt(NEAR_BITS));
  }

  /** The same of at most 48 bits. */
  near(width: number): number {
    let value = 0;
    let scale = 1;
    for (let done = 0; done < width; done += 24) {
      const size = Math.min(24, width - done);
      for (; this.bits < size; this.bits += 8) this.held |= this.u8() << this.bits;
      const piece = this.held & ((1 << size) - 1);
      this.held >>>= size;
      this.bits -= size;
      value += piece * scale;
      scale *= 2 ** 24;
    }
    return value;
  }
}
