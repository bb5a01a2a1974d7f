/**
 * Functions, inlined ones and lines of Go programs without debug information: .gopclntab, by which the runtime prints
 * stacks (Go's debug/gosym, runtime/symtab.go, runtime/symtabinl.go). Of Go 1.16 to 1.26, little endian.
 *
 *   header     magic u32 · 0 u16 · least instruction u8 · bytes of a word u8 · words: functions, files, [start of the
 *              code since 1.18,] offsets of names, units, files, programs, functions
 *   functions  entry · offset of the row, from the functions on: u32 relative to the code since 1.18, words before
 *   row        entry · name · u32 · u32 · u32 · program of files · program of lines · number of programs · unit ·
 *              [line since 1.20] · u8 · u8 · u8 · number of data · programs, the third of inlined calls · data, the
 *              fourth the inlined calls: u32 after the start of all data, words before 1.18
 *   inlined    [until 1.19: u32 · u32 ·] u32 · name · distance of the call from the entry [· line since 1.20]
 *   program    pairs of varints until 0: change of the value, zigzag · bytes of code that have it
 */

import type { ByteSource } from "../bytes/byte-source.ts";
import { Varint } from "../bytes/protobuf.ts";
import type { SymbolFrame } from "./chain.ts";
import type { Segment } from "./reader.ts";

const MAGIC_16 = 0xfffffffa;
const MAGIC_18 = 0xfffffff0;
const MAGIC_20 = 0xfffffff1;
const WORDS = 8;
const INSTRUCTION = 6;
const WORD_SIZE = 7;
/** Fields of a row after its entry. */
const ROW_NAME = 0;
const ROW_FILES = 16;
const ROW_LINES = 20;
const ROW_PROGRAMS = 24;
const ROW_UNIT = 28;
/** Ends of a row, whose last byte is the number of data. */
const ROW_END_16 = 36;
const ROW_END_20 = 40;
const NUMBER = 4;
/** Fields of an inlined call. */
const CALL_16 = { name: 12, parent: 16, bytes: 20 };
const CALL_20 = { name: 4, parent: 8, bytes: 16 };
/** The third program, and the fourth of the data, are of inlined calls. */
const INLINE_PROGRAM = 2;
const INLINE_DATA = 3;
const NONE = 0xffffffff;
/** Frames at one address. */
const MOST_INLINED = 64;
/** Words of the runtime's `moduledata` before the start of all data: the table, a slice of each part, and others. */
const DATA_18 = 38;
const DATA_20 = 40;
/** Of the largest programs it has a tenth. */
const MOST_BYTES = 2 ** 28;
const MOST_DATA = 2 ** 26;
/** Pairs of one program. */
const MOST_PAIRS = 1 << 20;
const LONGEST = 4096;

/** Offsets of the parts, in their order. */
type Parts = [names: number, units: number, files: number, programs: number, functions: number];

/** What the table needs of its program. */
interface GoProgram {
  /** Address of .text. */
  code: bigint;
  segments: readonly Segment[];
}

/** Data of functions, and their address. */
interface FunctionData {
  start: bigint;
  bytes: Uint8Array;
}

export class GoTable {
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private readonly magic: number;
  private readonly isOld: boolean;
  private readonly word: number;
  private readonly count: number;
  private readonly start: bigint;
  private readonly parts: Parts;
  private data: FunctionData | null = null;

  private constructor(bytes: Uint8Array, magic: number, code: bigint) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.magic = magic;
    this.isOld = magic === MAGIC_16;
    this.word = bytes[WORD_SIZE] === 4 ? 4 : 8;
    const words = Array.from({ length: this.isOld ? 7 : 8 }, (_, i) => this.wordAt(WORDS + i * this.word));
    this.count = Number(words[0]);
    // Go 1.26 leaves the start to the linker: it is that of .text.
    this.start = this.isOld ? 0n : words[2] || code;
    this.parts = words.slice(-5).map(Number) as Parts;
  }

  /** Null if the section is none of a known version. */
  static async open(section: ByteSource, program: GoProgram): Promise<GoTable | null> {
    if (section.byteLength > MOST_BYTES) return null;
    const bytes = (await section.slice(0, section.byteLength)).slice();
    if (bytes.length < WORDS + 8 * 8) return null;
    const magic = new DataView(bytes.buffer).getUint32(0, true);
    if (![MAGIC_16, MAGIC_18, MAGIC_20].includes(magic)) return null;
    const table = new GoTable(bytes, magic, program.code);
    table.data = await table.dataIn(program.segments);
    return table;
  }

  /** The functions at an address, the innermost inlined one first; none if it is in no function. */
  framesOf(address: bigint): SymbolFrame[] {
    const [names, , , , functions] = this.parts;
    const { low, entry } = this.find(address);
    if (low < 0) return [];
    const size = this.isOld ? this.word : 4;
    const at = functions + (this.isOld ? Number(this.wordAt(this.cell(low) + size)) : this.u32(this.cell(low) + size));
    const row = at + size;
    const name = this.text(names + this.u32(row + ROW_NAME));
    const frames: SymbolFrame[] = [];
    for (let pc = Number(address - entry); name !== "" && frames.length < MOST_INLINED; ) {
      const call = this.inlinedAt(row, pc);
      const called = call === null ? name : this.text(names + call.name);
      frames.push({ function: called, linkageName: called, ...this.placeAt(row, pc), column: 0 });
      if (call === null) break;
      pc = call.pc;
    }
    return frames;
  }

  private placeAt(row: number, pc: number): { file: string; line: number } {
    const [, units, files, programs] = this.parts;
    const line = this.valueAt(programs + this.u32(row + ROW_LINES), pc);
    const number = this.valueAt(programs + this.u32(row + ROW_FILES), pc);
    const unit = units + (this.u32(row + ROW_UNIT) + number) * NUMBER;
    const place = number < 0 ? NONE : this.u32(unit);
    return { file: place === NONE ? "" : this.text(files + place), line: Math.max(0, line) };
  }

  /** The inlined call that has an instruction, and the place that it was called from; null if none is known. */
  private inlinedAt(row: number, pc: number): { name: number; pc: number } | null {
    const end = row + (this.magic === MAGIC_20 ? ROW_END_20 : ROW_END_16);
    const [programs, data] = [this.u32(row + ROW_PROGRAMS), this.bytes[end - 1] ?? 0];
    const program = this.u32(end + INLINE_PROGRAM * NUMBER);
    if (this.data === null || programs <= INLINE_PROGRAM || data <= INLINE_DATA || program === 0) return null;
    const index = this.valueAt(this.parts[3] + program, pc);
    if (index < 0) return null;
    const { start, bytes } = this.data;
    const all = end + programs * NUMBER;
    const word = Math.ceil(all / this.word) * this.word + INLINE_DATA * this.word;
    const tree = this.isOld ? Number(this.wordAt(word) - start) : this.u32(all + INLINE_DATA * NUMBER);
    const call = this.magic === MAGIC_20 ? CALL_20 : CALL_16;
    const at = tree + index * call.bytes;
    if (!(at >= 0 && at + call.bytes <= bytes.length)) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, call.bytes);
    return { name: view.getUint32(call.name, true), pc: view.getInt32(call.parent, true) };
  }

  /**
   * Data of functions: from the start that the runtime's `moduledata` states, which is in a part of the program that
   * can be written, and is known by the distances of its first slices. Before Go 1.18: the part with the table.
   */
  private async dataIn(segments: readonly Segment[]): Promise<FunctionData | null> {
    for (const { isWritable, bytes } of segments) {
      if (!isWritable || bytes.byteLength > MOST_BYTES) continue;
      const words = new DataView((await bytes.slice(0, bytes.byteLength)).slice().buffer);
      const at = this.moduleIn(words);
      if (at < 0) continue;
      const wordOf = (i: number) => {
        const place = at + i * this.word;
        return this.word === 4 ? BigInt(words.getUint32(place, true)) : words.getBigUint64(place, true);
      };
      const wanted = this.isOld ? wordOf(0) : wordOf(this.magic === MAGIC_20 ? DATA_20 : DATA_18);
      const part = segments.find(
        ({ address, bytes: own }) => wanted >= address && wanted < address + BigInt(own.byteLength),
      );
      if (part === undefined) return null;
      const from = this.isOld ? 0 : Number(wanted - part.address);
      const end = Math.min(part.bytes.byteLength, from + MOST_DATA);
      return { start: part.address + BigInt(from), bytes: (await part.bytes.slice(from, end)).slice() };
    }
    return null;
  }

  /** Where `moduledata` begins; −1 if it is not there. */
  private moduleIn(words: DataView): number {
    const last = words.byteLength - (DATA_20 + 1) * this.word;
    for (let at = 0; at <= last; at += this.word) {
      const table = words.getUint32(at, true);
      const isSlice = (offset: number, i: number) => {
        const slice = at + (1 + 3 * i) * this.word;
        return (words.getUint32(slice, true) - table) >>> 0 === offset;
      };
      if (table !== 0 && this.parts.every(isSlice)) return at;
    }
    return -1;
  }

  /** Index of the last function that does not start after an address; −1 if there is none, or if all end before it. */
  private find(address: bigint): { low: number; entry: bigint } {
    const entryOf = (i: number) =>
      this.isOld ? this.wordAt(this.cell(i)) : this.start + BigInt(this.u32(this.cell(i)));
    // The row after the last one is the end of the code.
    if (!(this.count > 0 && this.cell(this.count) <= this.bytes.length) || address >= entryOf(this.count))
      return { low: -1, entry: 0n };
    let low = -1;
    for (let high = this.count; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (entryOf(middle) <= address) low = middle;
      else high = middle;
    }
    return { low, entry: low < 0 ? 0n : entryOf(low) };
  }

  private cell(i: number): number {
    return this.parts[4] + i * (this.isOld ? 2 * this.word : 8);
  }

  /** The value of a program at a distance from the entry; −1 if it has none. */
  private valueAt(program: number, distance: number): number {
    let [at, value, pc] = [program, -1, 0];
    const read = new Varint();
    const varint = () => {
      const after = read.read(this.bytes, at, this.bytes.length);
      at = after < 0 ? this.bytes.length : after;
      return read.low;
    };
    for (let i = 0; i < MOST_PAIRS && at < this.bytes.length; i++) {
      const change = varint();
      if (change === 0 && i > 0) return -1;
      value += (change & 1) === 0 ? change >>> 1 : -(change >>> 1) - 1;
      pc += varint() * (this.bytes[INSTRUCTION] ?? 1);
      if (distance < pc) return value;
    }
    return -1;
  }

  private text(at: number): string {
    if (!(at >= 0 && at < this.bytes.length)) return "";
    const end = this.bytes.indexOf(0, at);
    return new TextDecoder().decode(this.bytes.subarray(at, Math.min(end < 0 ? at : end, at + LONGEST)));
  }

  private u32(at: number): number {
    return at >= 0 && at + 4 <= this.bytes.length ? this.view.getUint32(at, true) : 0;
  }

  private wordAt(at: number): bigint {
    if (!(at >= 0 && at + this.word <= this.bytes.length)) return 0n;
    return this.word === 4 ? BigInt(this.view.getUint32(at, true)) : this.view.getBigUint64(at, true);
  }
}
