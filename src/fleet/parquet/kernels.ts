/**
 * The wasm module with the loops over columns (assembly/parquet.ts) and its memory. Rows are copied into it, a group at
 * a time, and pages out of it. Memory grows when it is needed, so arrays over it hold only until more is reserved.
 */
import { instantiate } from "../../../build/parquet.js";
import { type Coded, coded } from "./column-data.ts";

type Wasm = Awaited<ReturnType<typeof instantiate>>;
type Words = Uint32Array<ArrayBuffer>;

const PAGE = 2 ** 16;
/** Keys that are looked up at a time. */
const PIECE = 2 ** 18;

export class Kernels {
  readonly wasm: Wasm;
  private top: number;

  private constructor(wasm: Wasm) {
    this.wasm = wasm;
    this.top = wasm.base();
  }

  static async create(module: WebAssembly.Module): Promise<Kernels> {
    return new Kernels(await instantiate(module, {}));
  }

  /** What `work` reserves is free again afterwards. */
  within<T>(work: () => T): T {
    const { top } = this;
    try {
      return work();
    } finally {
      this.top = top;
    }
  }

  /** Reserves bytes whose contents are undefined. */
  room(bytes: number): number {
    const at = this.top;
    this.top = at + Math.ceil(bytes / 8) * 8;
    const { memory } = this.wasm;
    const missing = this.top - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return at;
  }

  /** Reserves words that are 0. */
  zeros(words: number): number {
    const at = this.room(4 * words);
    this.words(at, words).fill(0);
    return at;
  }

  /** A copy of an array. */
  put(array: Uint32Array | Int32Array | Uint8Array): number {
    const at = this.room(array.byteLength);
    this.bytes(at, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return at;
  }

  bytes(at: number, count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.wasm.memory.buffer, at, count);
  }

  words(at: number, count: number): Words {
    return new Uint32Array(this.wasm.memory.buffer, at, count);
  }

  /** The bytes between two places. */
  taken(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.bytes(from, to - from).slice();
  }

  /** Numbers of 64 bits with few different values as codes; null where there are more than `most`. */
  codedLongs(words: Uint32Array, most: number): Coded | null {
    const rows = words.length / 2;
    const different = Math.min(most, rows);
    const bits = Math.max(4, Math.ceil(Math.log2(2 * different + 1)));
    return this.within(() => {
      const [slots, codes, found] = [this.zeros(2 ** bits), this.room(4 * rows), this.room(8 * different + 8)];
      const count = this.wasm.distinct(this.put(words), rows, different, slots, bits, codes, found) >>> 0;
      if (count > different) return null;
      const dictionary = { of: "int64", words: this.words(found, 2 * count).slice() } as const;
      return coded(dictionary, this.words(codes, rows).slice());
    });
  }

  /**
   * Numbers of 64 bits of which some are missing, as codes: row i has one if `isThere[i]` is 1. Code 0 is a missing
   * one: 0 may be one that is there.
   */
  sparseLongs(words: Uint32Array, isThere: Uint8Array | Uint32Array): Coded {
    const { codes, dictionary } = this.codedLongs(words, Math.max(1, words.length / 2))!;
    if (dictionary.of !== "int64") throw new RangeError("no codes of numbers");
    const shifted = new Uint32Array(dictionary.words.length + 2);
    shifted.set(dictionary.words, 2);
    for (let i = 0; i < codes.length; i++) codes[i] = isThere[i] === 1 ? codes[i]! + 1 : 0;
    return coded({ of: "int64", words: shifted }, codes, 0);
  }

  /** Numbers of 64 bits, as halves, by rows; of nanoseconds also as microseconds. */
  pairs(words: Uint32Array, order: Uint32Array, as: "pairs" | "micros" = "pairs"): Words {
    const all = new Uint32Array(2 * order.length);
    this.byPieces(words, order, 8, (keys, count, table, out, at) => {
      this.wasm[as](keys, count, table, out);
      all.set(this.words(out, 2 * count), 2 * at);
    });
    return all;
  }

  /** Entries of a table by rows. */
  mapped(keys: Uint32Array, table: Uint32Array): Words {
    const all = new Uint32Array(keys.length);
    this.byPieces(table, keys, 4, (rows, count, from, out, at) => {
      this.wasm.mapped(rows, count, from, out);
      all.set(this.words(out, count), at);
    });
    return all;
  }

  /** Memory that is reserved stays, so a long list of keys has it for a piece only. */
  private byPieces(
    table: Uint32Array,
    keys: Uint32Array,
    bytes: number,
    look: (keys: number, count: number, table: number, out: number, at: number) => void,
  ): void {
    this.within(() => {
      const from = this.put(table);
      const out = this.room(bytes * Math.min(PIECE, keys.length));
      for (let at = 0; at < keys.length; at += PIECE) {
        const piece = keys.subarray(at, at + PIECE);
        this.within(() => look(this.put(piece), piece.length, from, out, at));
      }
    });
  }
}
