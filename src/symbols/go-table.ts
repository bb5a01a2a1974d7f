/**
 * Functions and lines of Go programs without debug information: .gopclntab, by which the runtime prints stacks (Go's
 * debug/gosym, runtime/symtab.go). Of Go 1.16 to 1.26, little endian.
 *
 *   header     magic u32 · 0 u16 · least instruction u8 · bytes of a word u8 · words: functions, files, [start of the
 *              code since 1.18,] offsets of names, units, files, programs, functions
 *   functions  entry · offset of the row, from the functions on: u32 relative to the code since 1.18, words before
 *   row        entry · name · u32 · u32 · u32 · program of files · program of lines · u32 · unit
 *   program    pairs of varints until 0: change of the value, zigzag · bytes of code that have it
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import type { SymbolFrame } from "./chain.ts";

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
const ROW_UNIT = 28;
/** Of the largest programs it has a tenth. */
const MOST_BYTES = 2 ** 28;
/** Pairs of one program. */
const MOST_PAIRS = 1 << 20;
const LONGEST = 4096;

/** Offsets of the parts, in their order. */
type Parts = [names: number, units: number, files: number, programs: number, functions: number];

export class GoTable {
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private readonly isOld: boolean;
  private readonly word: number;
  private readonly count: number;
  private readonly start: bigint;
  private readonly parts: Parts;

  private constructor(bytes: Uint8Array, isOld: boolean, code: bigint) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.isOld = isOld;
    this.word = bytes[WORD_SIZE] === 4 ? 4 : 8;
    const words = Array.from({ length: isOld ? 7 : 8 }, (_, i) => this.wordAt(WORDS + i * this.word));
    this.count = Number(words[0]);
    // Go 1.26 leaves the start to the linker: it is that of .text.
    this.start = isOld ? 0n : words[2] || code;
    this.parts = words.slice(-5).map(Number) as Parts;
  }

  /** `code`: address of .text. Null if the section is none of a known version. */
  static async open(section: ByteSource, code: bigint): Promise<GoTable | null> {
    if (section.byteLength > MOST_BYTES) return null;
    const bytes = (await section.slice(0, section.byteLength)).slice();
    if (bytes.length < WORDS + 8 * 8) return null;
    const magic = new DataView(bytes.buffer).getUint32(0, true);
    if (![MAGIC_16, MAGIC_18, MAGIC_20].includes(magic)) return null;
    return new GoTable(bytes, magic === MAGIC_16, code);
  }

  /** The function around an address, with the line of the innermost inlined one; null if there is none. */
  frameOf(address: bigint): SymbolFrame | null {
    const [names, units, files, programs, functions] = this.parts;
    const { low, entry } = this.find(address);
    if (low < 0) return null;
    const size = this.isOld ? this.word : 4;
    const at = functions + (this.isOld ? Number(this.wordAt(this.cell(low) + size)) : this.u32(this.cell(low) + size));
    const row = at + size;
    const name = this.text(names + this.u32(row + ROW_NAME));
    if (name === "") return null;
    const pc = Number(address - entry);
    const line = this.valueAt(programs + this.u32(row + ROW_LINES), pc);
    const number = this.valueAt(programs + this.u32(row + ROW_FILES), pc);
    const place = number < 0 ? 0xffffffff : this.u32(units + (this.u32(row + ROW_UNIT) + number) * 4);
    const file = place === 0xffffffff ? "" : this.text(files + place);
    return { function: name, linkageName: name, file, line: Math.max(0, line), column: 0 };
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
    const varint = () => {
      let number = 0;
      for (let shift = 0; shift < 32; shift += 7) {
        const byte = this.bytes[at++] ?? 0;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      return number >>> 0;
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
