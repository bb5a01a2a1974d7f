/**
 * Values and levels of a leaf, page after page. They grow with what the pages have, never with what a header claims.
 */
import { grown } from "../../bytes/byte-writer.ts";
import { Numbered } from "../../bytes/numbered.ts";
import { Damaged } from "./damage.ts";
import { takeDeltas, takeHybrid } from "./decodings.ts";
import type { LeafShape } from "./footer.ts";
import { Encoding, Physical } from "./format.ts";
import type { ColumnType } from "./schema.ts";

/** What the values of a leaf are, whatever the file has them as. */
export type Kind = "text" | "bytes16" | "int32" | "int64";

const TRACE_ID_BYTES = 16;
/** Texts that share their beginnings take more bytes than their page has. */
const MOST_TEXT_BYTES = 1 << 26;
const FIRST_CAPACITY = 1 << 20;
/** A text for any bytes. */
const decoder = new TextDecoder("latin1");

export function kindsOf(type: ColumnType): Kind[] {
  if (type === "map<text,text>") return ["text", "text"];
  if (type === "list<int32>" || type === "int32") return ["int32"];
  if (type === "list<text>" || type === "text") return ["text"];
  return type === "bytes16" ? ["bytes16"] : ["int64"];
}

/** Throws if the leaf of a file has other values. */
export function checkLeaf(leaf: LeafShape, type: ColumnType): void {
  const isNumber = type !== "map<text,text>" && type !== "list<text>" && type !== "text" && type !== "bytes16";
  const { int32, int64, bytes, fixed } = Physical;
  const fits = (isNumber ? [int32, int64] : [bytes, fixed]).some((physical) => physical === leaf.physical);
  const nests = leaf.maxRepetition === (type.includes("<") ? 1 : 0);
  if (!fits || !nests || (type === "timestamp" && !leaf.isMicros))
    throw new Damaged(`the column is not one of ${type}`, { column: leaf.column });
}

export class LeafRows {
  readonly leaf: LeafShape;
  readonly values: LeafValues;
  /** Null where every level is the same. */
  definition: Uint8Array | null;
  repetition: Uint8Array | null;
  levels = 0;

  /** `expected`: levels, as far as the caller believes it. */
  constructor(leaf: LeafShape, kind: Kind, expected: number) {
    const first = Math.min(expected, FIRST_CAPACITY);
    this.leaf = leaf;
    this.values = new LeafValues(leaf, kind, first);
    this.definition = leaf.maxDefinition > 0 ? new Uint8Array(first) : null;
    this.repetition = leaf.maxRepetition > 0 ? new Uint8Array(first) : null;
  }

  /** Makes room for levels that the caller fills. */
  reserve(more: number): void {
    this.definition &&= grown(this.definition, this.levels + more);
    this.repetition &&= grown(this.repetition, this.levels + more);
  }
}

/** Values of a leaf without those that are missing. */
export class LeafValues {
  readonly of: Kind;
  private readonly different = new Numbered<string, Uint8Array>();
  /** Codes of texts, or numbers of 32 bits; of 64 bits, halves, the lower one first. */
  data: Uint32Array<ArrayBuffer>;
  count = 0;
  private readonly leaf: LeafShape;
  /** Words of a value in `data`. */
  private readonly wide: 1 | 2;
  /** Of the row group: values as in `data`. */
  private dictionary: Uint32Array = new Uint32Array();

  constructor(leaf: LeafShape, of: Kind, expected: number) {
    this.leaf = leaf;
    this.of = of;
    this.wide = of === "int64" ? 2 : 1;
    this.data = new Uint32Array(this.wide * expected);
  }

  /** Different texts, whose codes are their places. */
  get texts(): readonly Uint8Array[] {
    return this.different.list;
  }

  private get isText(): boolean {
    return this.of === "text" || this.of === "bytes16";
  }

  setDictionary(page: Uint8Array, count: number, encoding: number): void {
    if (encoding !== Encoding.plain && encoding !== Encoding.plainDictionary)
      throw new Damaged(`a dictionary has encoding ${encoding}`);
    this.dictionary = this.plain(page, 0, count);
  }

  /** Adds the values of a page, which begin at `at`. */
  add(page: Uint8Array, at: number, count: number, encoding: number): void {
    const from = this.wide * this.count;
    this.data = grown(this.data, from + this.wide * count);
    this.count += count;
    if (encoding === Encoding.dictionary || encoding === Encoding.plainDictionary) this.addCoded(page, at, from, count);
    else this.data.set(this.decoded(page, at, count, encoding), from);
  }

  private addCoded(page: Uint8Array, at: number, from: number, count: number): void {
    if (count === 0) return;
    const width = page[at];
    if (width === undefined || width > 32) throw new Damaged("the page has no width of its codes");
    const codes = new Uint32Array(count);
    takeHybrid(page, at + 1, page.length, width, codes, 0, count);
    const { data, dictionary, wide } = this;
    const size = dictionary.length / wide;
    for (let i = 0; i < count; i++) {
      const code = codes[i]!;
      if (code >= size) throw new Damaged(`the page has code ${code} of a dictionary of ${size} values`);
      if (wide === 1) data[from + i] = dictionary[code]!;
      else {
        data[from + 2 * i] = dictionary[2 * code]!;
        data[from + 2 * i + 1] = dictionary[2 * code + 1]!;
      }
    }
  }

  private decoded(page: Uint8Array, at: number, count: number, encoding: number): Uint32Array {
    const { physical, size } = this.leaf;
    if (encoding === Encoding.plain) return this.plain(page, at, count);
    if (encoding === Encoding.split && physical !== Physical.bytes) {
      const width = physical === Physical.fixed ? size : 4 * physical;
      this.fits(page, at, count * width);
      const joined = new Uint8Array(count * width);
      for (let i = 0; i < joined.length; i++) joined[i] = page[at + (i % width) * count + Math.floor(i / width)]!;
      return this.plain(joined, 0, count);
    }
    if (encoding === Encoding.delta && !this.isText) {
      const words = new Uint32Array(2 * count);
      takeDeltas(page, at, words, 0, count);
      return this.fromWords(words);
    }
    if (encoding === Encoding.deltaLengths && this.isText)
      return Uint32Array.from(this.deltaLengths(page, at, count), (text) => this.numberOf(text));
    if (encoding === Encoding.deltaTexts && this.isText) return this.deltaTexts(page, at, count);
    throw new Damaged(`values of encoding ${encoding} of Parquet cannot be read`);
  }

  private fits(page: Uint8Array, at: number, bytes: number): void {
    if (bytes > page.length - at) throw new Damaged("the page ends inside its values");
  }

  private plain(page: Uint8Array, start: number, count: number): Uint32Array {
    const { physical, size } = this.leaf;
    if (!this.isText) {
      const bytes = 4 * physical * count;
      this.fits(page, start, bytes);
      const words = new Uint32Array(page.slice(start, start + bytes).buffer);
      return physical === Physical.int64 ? this.fromWords(words) : this.fromInts(words);
    }
    const least = physical === Physical.fixed ? size : 4;
    this.fits(page, start, least * count);
    const view = new DataView(page.buffer, page.byteOffset, page.length);
    const numbers = new Uint32Array(count);
    let at = start;
    for (let i = 0; i < count; i++) {
      let length = size;
      if (physical === Physical.bytes) {
        this.fits(page, at, 4);
        length = view.getUint32(at, true);
        at += 4;
      }
      this.fits(page, at, length);
      numbers[i] = this.numberOf(page.subarray(at, at + length));
      at += length;
    }
    return numbers;
  }

  private fromInts(ints: Uint32Array): Uint32Array {
    if (this.wide === 1) return ints;
    const words = new Uint32Array(2 * ints.length);
    for (let i = 0; i < ints.length; i++) {
      words[2 * i] = ints[i]!;
      words[2 * i + 1] = (ints[i]! | 0) >> 31;
    }
    return words;
  }

  private fromWords(words: Uint32Array): Uint32Array {
    if (this.wide === 2) return words;
    const ints = new Uint32Array(words.length / 2);
    for (let i = 0; i < ints.length; i++) {
      ints[i] = words[2 * i]!;
      if ((words[2 * i + 1]! | 0) !== (ints[i]! | 0) >> 31) throw new Damaged("a number has more than 32 bits");
    }
    return ints;
  }

  /** Lengths of all texts, then their bytes. */
  private deltaLengths(page: Uint8Array, at: number, count: number): Uint8Array[] {
    const lengths = new Uint32Array(2 * count);
    let next = takeDeltas(page, at, lengths, 0, count);
    return Array.from({ length: count }, (_, i) => {
      if (lengths[2 * i + 1] !== 0) throw new Damaged("a text has a negative length");
      this.fits(page, next, lengths[2 * i]!);
      next += lengths[2 * i]!;
      return page.subarray(next - lengths[2 * i]!, next);
    });
  }

  /** Bytes that each text shares with the one before, then the others as above. */
  private deltaTexts(page: Uint8Array, at: number, count: number): Uint32Array {
    const shared = new Uint32Array(2 * count);
    const texts = this.deltaLengths(page, takeDeltas(page, at, shared, 0, count), count);
    let before: Uint8Array = new Uint8Array();
    let left = MOST_TEXT_BYTES;
    return Uint32Array.from(texts, (text, i) => {
      const same = shared[2 * i]!;
      left -= same;
      if (shared[2 * i + 1] !== 0 || same > before.length || left < 0)
        throw new Damaged("a text shares more bytes than there are");
      const whole = new Uint8Array(same + text.length);
      whole.set(before.subarray(0, same));
      whole.set(text, same);
      before = whole;
      return this.numberOf(whole);
    });
  }

  private numberOf(text: Uint8Array): number {
    if (this.of === "bytes16" && text.length !== TRACE_ID_BYTES)
      throw new Damaged(`a trace id has ${text.length} bytes`);
    return this.different.of(decoder.decode(text), () => text.slice());
  }
}
